import { addDays } from '../../src/day.ts';
import { isDated, isSeries, isWindow, type Alteration } from './alteration.ts';
import { START } from './attacked-api.ts';
import { daysIn, halveDays, keepDays, localMidnight, rewriteDates } from './day-entries.ts';
import { placesOf, put } from '../support/json-places.ts';

const NO_FILTER = { model: null, models: null, llmMonitorId: null, promptId: null, promptTypes: null };
const WEEKLY = /^week(ly)?$/i;
/** Daily instead of weekly, in each spelling. */
const DAILY: Readonly<Record<string, string>> = { week: 'day', weekly: 'daily', WEEKLY: 'DAILY' };

const weeklyOf = (query: URLSearchParams): string[] =>
  ['range', 'granularity'].filter((name) => WEEKLY.test(query.get(name) ?? ''));

/** One figure may be equal in two projects by chance, so it is believed. */
const ofAnotherProject: Alteration['effect'] = ({ askedPer, outputs: [{ columns }], cut }) => {
  if (askedPer !== 'project') return null;
  return cut.kind === 'window' && columns.length === 1 ? 'figure' : 'seen';
};

/** Parts of the question that the server ignores. */
export const questionAlterations: readonly Alteration[] = [
  {
    name: 'the filter is ignored',
    effect: ({ scopes }) => (Object.keys(scopes).length > 1 ? 'seen' : null),
    alter: ({ query, ask }) =>
      Object.keys(NO_FILTER).some((name) => query.has(name))
        ? { body: ask({ query: NO_FILTER }) }
        : undefined,
  },
  {
    name: 'the grouping is ignored',
    effect: (endpoint) => (isSeries(endpoint) ? 'seen' : null),
    alter: ({ query, ask }) => {
      const names = weeklyOf(query);
      if (names.length === 0) return undefined;
      const daily = names.map((name) => [name, DAILY[query.get(name) ?? ''] ?? 'day'] as const);
      return { body: ask({ query: Object.fromEntries(daily) }) };
    },
  },
  {
    name: 'long ranges are answered in steps of 7 days',
    effect: (endpoint) => (isSeries(endpoint) ? 'seen' : null),
    alter: ({ body, query }) => {
      const days = daysIn(body);
      if (days.length < 8 || weeklyOf(query).length > 0) return undefined;
      keepDays(body, (day) => days.indexOf(day) % 7 === 0);
      return { body };
    },
  },
  {
    // A whole week: parts of two weeks could not be told from whole ones.
    name: 'the dates are ignored',
    effect: (endpoint) => (isDated(endpoint) ? 'seen' : isWindow(endpoint) ? 'figure' : null),
    alter: ({ query, ask }) =>
      query.has('startDate')
        ? { body: ask({ query: { startDate: addDays(START, 3), endDate: addDays(START, 9) } }) }
        : undefined,
  },
  {
    name: 'the project is ignored',
    ignoresProject: true,
    effect: ofAnotherProject,
    alter: ({ ask }) => ({ status: 200, body: ask({ isFirstProject: true }) }),
  },
  {
    name: 'days are local midnights of another zone',
    effect: (endpoint) => (isSeries(endpoint) ? 'seen' : null),
    alter: ({ body }) => (rewriteDates(body, localMidnight) ? { body } : undefined),
  },
  {
    name: 'a cache mixes projects',
    ignoresProject: true,
    effect: ofAnotherProject,
    alter: ({ path, query, body, cache }) => {
      const url = `${path}?${String(query)}`;
      const first = cache.get(url);
      if (first !== undefined) return { status: 200, body: first };
      cache.set(url, body);
      return undefined;
    },
  },
  {
    name: 'each day comes twice, with half of its figures',
    // Names repeat: where a row has more of a key than its day, its last figure stands.
    effect: (endpoint) =>
      isSeries(endpoint) && endpoint.outputs[0].key.at(-1) === 'scope_id' ? 'seen' : null,
    alter: ({ body, query }) => {
      const isOfDays = weeklyOf(query).length === 0;
      return isOfDays && daysIn(body).length > 0 && halveDays(body) ? { body } : undefined;
    },
  },
];

/** Answers that say what the right ones say, or said. */
export const harmlessAlterations: readonly Alteration[] = [
  {
    name: 'noise in the last digit of means',
    effect: () => 'same',
    alter: ({ body, dice }) => {
      const means = placesOf(body).filter(({ value: v }) => typeof v === 'number' && !Number.isInteger(v));
      for (const place of means) put(place, Number(place.value) * (1 + (dice.share() - 0.5) * 1e-13));
      return means.length === 0 ? undefined : { body };
    },
  },
  {
    name: 'names in another Unicode form',
    effect: () => 'same',
    alter: ({ body, fixed }) => {
      const form = fixed.pick(['NFC', 'NFD']);
      return { body: JSON.parse(JSON.stringify(body).normalize(form)) as unknown };
    },
  },
  {
    name: 'the answer of the night before',
    effect: () => 'older',
    alter: ({ ask }) => ({ body: ask({ isStale: true }) }),
  },
];
