import { addDays, isDay, toDay, type Day } from '../../src/day.ts';
import { catalogue } from '../support/catalogue.ts';
import type { Endpoint } from '../../src/endpoints/endpoint.ts';
import { isDated, isPaged, isWindow, type Alteration, type Exchange } from './alteration.ts';
import { daysIn, keepDays } from './day-entries.ts';
import { listsOf, longestList } from '../support/json-places.ts';

const ofDays: Alteration['effect'] = (endpoint) => (isDated(endpoint) ? 'absent' : null);

/** Lists of an answer whose entries are things, not days. */
const THINGS = new Set(['', '.prompts', '.events', '.series']);

/** An endpoint that shares its path with one whose answers are lists of things. */
const listsThings = ({ path }: Endpoint): boolean =>
  catalogue.some((one) => one.path === path && (isPaged(one) || isWindow(one)));

/** Lists and days without some of what they had. */
export const absenceAlterations: readonly Alteration[] = [
  {
    name: 'a closed day is missing',
    effect: ofDays,
    alter: ({ body, fixed, since }) => {
      const missing = addDays(since, -1 - fixed.below(4));
      const days = daysIn(body);
      if (!days.includes(missing) || days.at(-1) === missing) return undefined;
      keepDays(body, (day) => day !== missing);
      return { body };
    },
  },
  {
    name: 'the server keeps a few days only',
    effect: ofDays,
    alter: ({ body, fixed, today, query }) => {
      const first = addDays(today, -fixed.pick([2, 4, 9]));
      if (!query.has('startDate') || daysIn(body).every((day) => day >= first)) return undefined;
      keepDays(body, (day) => day >= first);
      return { body };
    },
  },
  {
    name: 'an empty answer',
    effect: (endpoint) => (endpoint.cut.kind === 'lookup' ? null : 'absent'),
    alter: ({ body }) => {
      const lists = listsOf(body).filter(({ trail }) => trail === '' || !trail.slice(1).includes('.'));
      if (lists.length === 0) return undefined;
      for (const { list } of lists) list.length = 0;
      if (!Array.isArray(body) && typeof body === 'object' && body !== null && 'totalPages' in body)
        Object.assign(body, { total: 0, totalPages: 0 });
      return { body };
    },
  },
  {
    name: 'the last entry is missing and not counted',
    effect: (endpoint) => (listsThings(endpoint) ? 'absent' : null),
    alter: ({ body }) => {
      const list = listsOf(body).find(({ trail }) => THINGS.has(trail))?.list ?? longestList(body)?.list;
      const counters = body as { total?: unknown; totalPages?: unknown };
      if (list === undefined || (counters.totalPages !== undefined && counters.totalPages !== 1))
        return undefined;
      list.pop();
      if ('prompts' in counters) counters.total = Number(counters.total) - 1;
      return { body };
    },
  },
];

export function dayParameter({ query }: Pick<Exchange, 'query'>, name: string): Day | undefined {
  const text = query.get(name);
  return text !== null && isDay(text) ? toDay(text) : undefined;
}

type Fields = Record<string, unknown>;

/** Alters the fields that count a list in pages; only fields of one that counts something. */
function counting(name: string, change: (body: Fields) => Fields): Alteration {
  return {
    name,
    effect: (endpoint) => (isPaged(endpoint) ? 'seen' : null),
    alter: ({ body }) => {
      const fields = body as Fields;
      return Number(fields['total']) === 0 ? undefined : { body: change(fields) };
    },
  };
}

/** What a list in pages says about itself; each field that cannot be read has a test of its own. */
export const pagingAlterations: readonly Alteration[] = [
  counting('total is null', (body) => ({ ...body, total: null })),
  counting('total is smaller than the list', (body) => ({ ...body, total: 1, totalPages: 1 })),
  counting('total lags behind', (body) => ({ ...body, total: Number(body['total']) - 1 })),
  counting('total runs ahead', (body) => ({ ...body, total: Number(body['total']) + 1 })),
  {
    name: 'the first page comes again',
    effect: (endpoint) => (isPaged(endpoint) ? 'seen' : null),
    alter: ({ query, ask }) =>
      Number(query.get('page') ?? 1) > 1 ? { body: ask({ query: { page: '1' } }) } : undefined,
  },
];
