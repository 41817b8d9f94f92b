import { addDays, toDay } from '../../src/day.ts';
import type { Alteration, Altered, Exchange } from './alteration.ts';
import { shiftedDays } from './clock-alterations.ts';
import type { Dice } from './dice.ts';
import { listsOf, longestList, placesOf, put } from './json-places.ts';

/** Rows of these days were loaded before, so that a shrunk answer shows. */
const FIRST_NIGHTS = '2026-07-05';
/** The order of these lists says something: ranks, or which value belongs to which day. */
const ORDERED = /(competitors|models|data|dates)$/;
const DAYS_IN_ANSWER = /time-series$|over-time$|\/trend$|rank-analysis$/;
const ONLY_DAYS_IN_ANSWER = /time-series$|visibility-over-time$|\/trend$/;
const COUNTED = /\/(events|prompts)$/;

function isKnownWindow({ query, path }: Exchange): boolean {
  const start = query['startDate'];
  return start === undefined ? COUNTED.test(path) : start <= FIRST_NIGHTS;
}

/** Keeps the first entries of the longest list, and as many values of lists that go along with it. */
function cutTo(body: unknown, keep: (length: number) => number): { body: unknown } | undefined {
  const longest = Array.isArray(body) ? { list: body as unknown[] } : longestList(body, 2);
  if (longest === undefined || longest.list.length < 2) return undefined;
  longest.list.length = keep(longest.list.length);
  return { body };
}

function counter(name: string, value: (before: number, dice: Dice) => unknown): Alteration {
  return {
    name: `${name} of a list that says something else`,
    belief: 'refused',
    alter: ({ body }, dice) => {
      const found = placesOf(body).find(({ trail }) => trail === `.${name}`);
      if (found === undefined) return undefined;
      put(found, value(Number(found.value), dice));
      return { body };
    },
  };
}

function again(
  name: string,
  belief: Alteration['belief'],
  change: (exchange: Exchange, dice: Dice) => Record<string, string> | undefined,
): Alteration {
  return {
    name,
    belief,
    alter: async (exchange, dice) => {
      const query = change(exchange, dice);
      return query === undefined ? undefined : { body: await exchange.askAgain(query) };
    },
  };
}

function moved(
  query: Exchange['query'],
  name: 'startDate' | 'endDate',
  days: number,
): Record<string, string> | undefined {
  const day = query[name];
  return day === undefined ? undefined : { [name]: addDays(toDay(day), days) };
}

const eventsOrPrompts = ({ path }: Exchange): boolean => COUNTED.test(path);

export const listAlterations: readonly Alteration[] = [
  shiftedDays,
  {
    name: 'entries twice',
    belief: 'refused',
    alter: ({ body }, dice) => {
      const lists = listsOf(body).filter(({ trail }) => !trail.endsWith('competitors'));
      if (lists.length === 0) return undefined;
      const { list } = dice.pick(lists);
      list.splice(dice.below(list.length + 1), 0, structuredClone(dice.pick(list)));
      return { body };
    },
  },
  {
    name: 'entries in another order',
    belief: 'refused',
    alter: ({ body }, dice) => {
      const lists = listsOf(body, 2).filter(({ trail }) => !ORDERED.test(trail));
      if (lists.length === 0) return undefined;
      const { list } = dice.pick(lists);
      list.splice(0, list.length, ...dice.shuffle(list));
      return { body };
    },
  },
  {
    name: 'hardly anything left',
    belief: 'refused',
    alter: (exchange, dice): Altered | undefined => {
      if (!isKnownWindow(exchange)) return undefined;
      const isNothing = dice.chance(0.5);
      if (!eventsOrPrompts(exchange)) {
        const { body } = exchange;
        if (Array.isArray(body) && body.length < 4) return undefined;
        return cutTo(body, (length) => (isNothing ? 0 : Math.floor(length / 4)));
      }
      const list = listsOf(exchange.body).find(({ trail }) => /^\.(events|prompts)$/.test(trail));
      if (list === undefined) return undefined;
      list.list.length = 0;
      return { body: exchange.body };
    },
  },
  {
    name: 'an empty list that says it is whole',
    belief: 'refused',
    alter: (exchange): Altered | undefined => {
      if (!eventsOrPrompts(exchange) || !isKnownWindow(exchange)) return undefined;
      const name = exchange.path.endsWith('events') ? 'events' : 'prompts';
      return { body: { ...(exchange.body as object), [name]: [], total: 0, totalPages: 0 } };
    },
  },
  {
    name: 'one value more or less in a list that goes along with another',
    belief: 'refused',
    alter: ({ body }, dice) => {
      const lists = listsOf(body).filter(({ trail }) => /\.(data|dates)$/.test(trail));
      if (lists.length === 0) return undefined;
      const { list } = dice.pick(lists);
      if (dice.chance(0.5)) list.pop();
      else list.push(list[0]);
      return { body };
    },
  },
  counter('total', (before, dice) => before + dice.pick([1, 5, -1, 1e9, 0.5, -before, -5])),
  counter('totalPages', (before, dice) =>
    dice.pick([before + 1, before - 1, 0, 1, 7, 1e9, -3, 1.5, 'many', null]),
  ),
  counter('page', (before, dice) => dice.pick([before + 1, 0, -1, null])),
  counter('size', (_, dice) => dice.pick([0, 1, 1e9, null])),
  again('the first page on every page', 'refused', ({ query }) =>
    query['page'] === undefined && query['offset'] === undefined ? undefined : { page: '1', offset: '0' },
  ),
  again('the next page', 'refused', ({ query }) =>
    query['page'] === undefined ? undefined : { page: String(Number(query['page']) + 1) },
  ),
  again('days before the window', 'refused', ({ query, path }, dice) =>
    ONLY_DAYS_IN_ANSWER.test(path) ? moved(query, 'startDate', -1 - dice.below(40)) : undefined,
  ),
  again('another window', 'believed', ({ query, path }, dice) =>
    DAYS_IN_ANSWER.test(path) ? undefined : moved(query, 'startDate', -1 - dice.below(20)),
  ),
  again('the last day left out', 'believed', ({ query }) => moved(query, 'endDate', -1)),
  again('the first days left out', 'believed', ({ query }) => moved(query, 'startDate', 2)),
  again('without the filter', 'believed', ({ query }) =>
    query['models'] === undefined && query['model'] === undefined ? undefined : { models: '', model: '' },
  ),
  {
    name: 'the answer of the night before',
    belief: 'believed',
    alter: async (exchange) => ({ body: await exchange.askStale() }),
  },
  {
    name: 'the answer for another project',
    belief: 'believed',
    alter: async (exchange) => ({ body: await exchange.askOther() }),
  },
  {
    name: 'some entries left out',
    belief: 'believed',
    alter: ({ body }, dice) => cutTo(body, (length) => length - 1 - dice.below(Math.ceil(length / 3))),
  },
  {
    name: 'ranks or values in another order',
    belief: 'believed',
    alter: ({ body }, dice) => {
      const lists = listsOf(body, 2);
      if (lists.length === 0) return undefined;
      const { list } = dice.pick(lists);
      list.reverse();
      return { body };
    },
  },
  {
    name: 'an entry twice, with other values',
    belief: 'believed',
    alter: ({ body }, dice) => {
      const lists = listsOf(body).filter(({ list }) => typeof list[0] === 'object' && list[0] !== null);
      if (lists.length === 0) return undefined;
      const { list } = dice.pick(lists);
      const twin = structuredClone(dice.pick(list));
      for (const place of placesOf(twin)) if (typeof place.value === 'number') put(place, place.value + 1);
      list.push(twin);
      return { body };
    },
  },
];
