/** One change of one place in a body. */
export interface Breakage {
  /** `series[0].data`, as a person would write it. */
  place: string;
  what: string;
  body: unknown;
  /** The body without the list item that the place belongs to; undefined where it belongs to none. */
  bodyWithoutItem: unknown;
}

type Path = readonly (string | number)[];

const REPLACEMENTS: readonly (readonly [what: string, value: unknown])[] = [
  ['null', null],
  ['a text', 'no such value'],
  ['an empty text', ''],
  ['a number', 7.5],
  ['a huge number', 1e308],
  ['a negative number', -1],
  ['a boolean', true],
  ['an array', []],
  ['an object', {}],
];

/** Every place of a body below its root. */
export function placesOf(value: unknown, path: Path = []): Path[] {
  const here = path.length === 0 ? [] : [path];
  if (Array.isArray(value)) {
    return [...here, ...value.flatMap((item: unknown, index) => placesOf(item, [...path, index]))];
  }
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value as Record<string, unknown>);
    return [...here, ...entries.flatMap(([name, field]) => placesOf(field, [...path, name]))];
  }
  return here;
}

/** The body with each place in turn missing, or replaced by everything it should not be. */
export function* breakagesOf(body: unknown): Generator<Breakage> {
  for (const path of placesOf(body)) {
    const place = path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`)).join('');
    const item = itemOf(path);
    const bodyWithoutItem = item === null ? undefined : changed(body, item, { kind: 'remove' });
    yield { place, what: 'missing', body: changed(body, path, { kind: 'remove' }), bodyWithoutItem };
    for (const [what, value] of REPLACEMENTS) {
      yield { place, what, body: changed(body, path, { kind: 'replace', value }), bodyWithoutItem };
    }
  }
}

/** Every place of a body broken in two ways, another second one at each place: a fifth of all breakages. */
export function fewBreakagesOf(body: unknown): Breakage[] {
  const ways = REPLACEMENTS.length + 1;
  return [...breakagesOf(body)].filter((_, index) => {
    const way = index % ways;
    return way === 0 || way === 1 + (Math.floor(index / ways) % REPLACEMENTS.length);
  });
}

const LISTS: ReadonlySet<string | number> = new Set([
  'models',
  'prompts',
  'series',
  'timeSeries',
  'competitors',
]);

/** Where the item stands that loads, or is refused, on its own. */
function itemOf(path: Path): Path | null {
  const [first, , third] = path;
  if (typeof first === 'number') return path.slice(0, 1);
  if (first === 'events' && third === 'items' && path.length > 3) return path.slice(0, 4);
  return first !== undefined && LISTS.has(first) && path.length > 1 ? path.slice(0, 2) : null;
}

type Change = { kind: 'remove' } | { kind: 'replace'; value: unknown };

function changed(value: unknown, path: Path, change: Change): unknown {
  const [step, ...rest] = path;
  if (step === undefined) return change.kind === 'replace' ? change.value : undefined;
  const isLast = rest.length === 0;
  if (Array.isArray(value)) {
    if (isLast && change.kind === 'remove') return value.filter((_item, index) => index !== step);
    return value.map((item: unknown, index) => (index === step ? changed(item, rest, change) : item));
  }
  const entries = Object.entries(value as Record<string, unknown>);
  // From JSON, because `Object.fromEntries` and a parser define a key `__proto__` and an assignment does not.
  return Object.fromEntries(
    entries
      .filter(([name]) => !(isLast && change.kind === 'remove' && name === step))
      .map(([name, field]) => [name, name === step ? changed(field, rest, change) : field]),
  );
}
