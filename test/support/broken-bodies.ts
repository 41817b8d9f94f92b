import { placesOf, put, type Place } from './json-places.ts';

/** One change of one place in a body. */
export interface Breakage {
  /** The place and the change. */
  what: string;
  body: unknown;
  /** The body without the list item that the place belongs to; undefined where it belongs to none. */
  bodyWithoutItem: unknown;
}

const CHANGES: readonly (readonly [what: string, change: (place: Place) => void])[] = [
  ['missing', remove],
  ...['no such value', '', 7.5, 1e308, -1, null, true, [], {}].map(
    (value) => [JSON.stringify(value), (place: Place) => put(place, value)] as const,
  ),
];

function remove({ holder, name }: Place): void {
  if (Array.isArray(holder)) holder.splice(Number(name), 1);
  else delete holder[name];
}

/** The items that load, or are refused, on their own. */
const ITEMS =
  /^(\[\]|\.(models|prompts|series|timeSeries|competitors)\[\]|\.events\[\]\.items\[\](\.prompts\[\])?)$/;

/** The body with each place in turn missing, or replaced by everything it should not be. */
export function breakagesOf(body: unknown): Breakage[] {
  /** A copy with one change, by the number of its place. */
  const changed = (at: number, change: (place: Place) => void): unknown => {
    const copy = structuredClone(body);
    const place = placesOf(copy)[at];
    if (place !== undefined) change(place);
    return copy;
  };
  let item = -1;
  let end = 0;
  return placesOf(body).flatMap((place, at) => {
    if (ITEMS.test(place.trail)) [item, end] = [at, at + placesOf(place.value).length];
    const bodyWithoutItem = at <= end && item >= 0 ? changed(item, remove) : undefined;
    return CHANGES.map(([what, change]) => ({
      what: `${place.trail} ${String(place.name)} ${what}`,
      body: changed(at, change),
      bodyWithoutItem,
    }));
  });
}

/** Every place of a body broken in two ways, another second one at each place: a fifth of all breakages. */
export function fewBreakagesOf(body: unknown): Breakage[] {
  const ways = CHANGES.length;
  return breakagesOf(body).filter((_, index) => {
    const way = index % ways;
    return way === 0 || way === 1 + (Math.floor(index / ways) % (ways - 1));
  });
}
