import { countDays } from '../../src/day.ts';
import { dayParameter } from './absence-alterations.ts';
import { isDated, isPaged, isWindow, type Alteration } from './alteration.ts';
import { listsOf } from '../support/json-places.ts';

const status = (code: number): Alteration => ({
  name: `status ${String(code)}`,
  effect: () => 'seen',
  alter: () => ({ status: code }),
});

/** Requests that are refused, and responses without an answer. */
export const refusalAlterations: readonly Alteration[] = [
  status(202),
  status(206),
  {
    name: 'empty lists beside an error',
    effect: ({ cut }) => (cut.kind === 'lookup' ? null : 'seen'),
    alter: ({ body }) => {
      const error = 'The data source is not available.';
      if (Array.isArray(body) || typeof body !== 'object' || body === null) return { body: { error } };
      for (const { list } of listsOf(body)) list.length = 0;
      return { body: { ...body, error } };
    },
  },
  {
    name: 'too long',
    effect: (endpoint) => (isDated(endpoint) ? 'same' : isWindow(endpoint) ? 'seen' : null),
    alter: (exchange) => {
      const [start, end] = [dayParameter(exchange, 'startDate'), dayParameter(exchange, 'endDate')];
      const longest = exchange.fixed.pick([3, 8, 12]);
      if (start === undefined || end === undefined || countDays(start, end) <= longest) return undefined;
      // A week with the one before and the one after it has no shorter request.
      const grouping = exchange.query.get('range') ?? exchange.query.get('granularity') ?? '';
      if (/week/i.test(grouping) && countDays(start, end) <= 21) return undefined;
      const message = `The date range is too large: at most ${String(longest)} days are allowed.`;
      return { status: 400, body: { error: 'Bad Request', code: 'DATE_RANGE_TOO_LARGE', message } };
    },
  },
  {
    name: 'a later page is refused',
    effect: (endpoint) => (isPaged(endpoint) ? 'seen' : null),
    alter: ({ query }) =>
      Number(query.get('page') ?? 1) > 1
        ? { status: 400, body: { error: 'Bad Request', message: 'page is out of range' } }
        : undefined,
  },
  {
    name: 'every monitor is gone',
    effect: ({ scopes }) => (scopes.monitor === undefined ? null : 'seen'),
    alter: ({ query }) =>
      query.has('llmMonitorId')
        ? { status: 404, body: { error: 'Not Found', message: 'No such monitor.', details: {} } }
        : undefined,
  },
];
