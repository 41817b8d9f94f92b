import { addDays, type Day } from '../../src/day.ts';
import { isPaged, isSeries, type Alteration, type Exchange } from './alteration.ts';
import { daysIn, numbersOfDay } from './day-entries.ts';
import { placesOf, put, type Place } from '../support/json-places.ts';

const OF_THE_PAGE = new Set(['.total', '.page', '.size', '.totalPages', '.minVisibility', '.maxVisibility']);

/** Every number of a body that is not of its page. */
export function numbersOf(body: unknown): Place[] {
  return placesOf(body).filter(({ value, trail }) => typeof value === 'number' && !OF_THE_PAGE.has(trail));
}

/** Alters one number of each answer, or all of them. */
function numbers(
  name: string,
  how: { effect: Alteration['effect']; all?: boolean; to: unknown },
): Alteration {
  const { effect, all = false, to } = how;
  return {
    name,
    effect,
    alter: ({ body, dice }) => {
      const places = numbersOf(body);
      if (places.length === 0) return undefined;
      for (const place of all ? places : [dice.pick(places)])
        put(place, to ?? (to === null ? null : String(place.value)));
      return { body };
    },
  };
}

/** A day that was over on the first night, or soon after it. */
function closedDay({ fixed, since, body }: Exchange): Day | undefined {
  const day = addDays(since, -1 - fixed.below(4));
  const days = daysIn(body);
  return days.includes(day) && days.at(-1) !== day ? day : undefined;
}

/** Alters every number of one closed day. */
function day(name: string, how: { effect: Alteration['effect']; to: unknown }): Alteration {
  return {
    name,
    effect: how.effect,
    alter: (exchange) => {
      const closed = closedDay(exchange);
      if (closed === undefined) return undefined;
      for (const place of numbersOfDay(exchange.body, closed)) put(place, how.to);
      return { body: exchange.body };
    },
  };
}

/** Figures that are no figures, NULL or 0. */
export const figureAlterations: readonly Alteration[] = [
  numbers('a number as text', { effect: () => 'same', to: undefined }),
  numbers('every number as text', { effect: () => 'same', all: true, to: undefined }),
  numbers('a number that cannot be read', { effect: () => 'nulled', to: 'n/a' }),
  numbers('a number is null', { effect: () => 'nulled', to: null }),
  numbers('every number is null', {
    effect: (endpoint) => (isPaged(endpoint) ? null : 'nulled'),
    all: true,
    to: null,
  }),
  numbers('every number is 0', {
    effect: (endpoint) => (isPaged(endpoint) ? null : 'zeroed'),
    all: true,
    to: 0,
  }),
  day('a closed day is null', { effect: (endpoint) => (isSeries(endpoint) ? 'nulled' : null), to: null }),
  day('a closed day is 0', { effect: (endpoint) => (isSeries(endpoint) ? 'zeroed' : null), to: 0 }),
];
