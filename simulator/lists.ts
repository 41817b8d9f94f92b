import { integer, TEXT } from './parameter-rules.ts';
import type { ListEntry, ListRule, Paging } from './list-rule.ts';
import type { ParameterRules } from './parameters.ts';
import { badRequest } from './refusal.ts';
import { pageOf, projectRoute, type Route, type RouteRequest } from './route.ts';

/** The route of a list. */
export function listRoute(list: ListRule<RouteRequest>): Route {
  const { version = 'v2', endpoint, rows, pages, rules = {}, entries } = list;
  return projectRoute({
    version,
    endpoint,
    rules: { ...rules, ...(pages === undefined ? {} : pageRules(pages)) },
    list: entries,
    answer: (request) => {
      const { items, counters } = cut(request, entries(request), pages);
      return rows === undefined ? items : { ...nested(rows.split('.'), items), ...counters };
    },
  });
}

function nested([first = '', ...rest]: readonly string[], list: unknown): Record<string, unknown> {
  return { [first]: rest.length === 0 ? list : nested(rest, list) };
}

function pageRules({ by, maxSize = 100 }: Paging): ParameterRules {
  if (by === 'number') return { page: integer(1), size: integer(1, maxSize) };
  const limit = integer(1, maxSize);
  return by === 'offset' ? { offset: integer(0), limit } : { cursor: TEXT, limit };
}

interface Page {
  items: readonly ListEntry[];
  counters: Record<string, unknown>;
}

function cut(request: RouteRequest, list: readonly ListEntry[], pages: Paging | undefined): Page {
  if (pages === undefined) return { items: list, counters: {} };
  const { by, size = 50 } = pages;
  const { parameters } = request;
  const limit = parameters.integer('limit', size);
  switch (by) {
    case 'number':
      return pageOf(request, list, size);
    case 'offset': {
      const offset = parameters.integer('offset', 0);
      return { items: list.slice(offset, offset + limit), counters: { total: list.length } };
    }
    case 'cursor': {
      const offset = offsetOf(parameters.text('cursor'));
      const end = offset + limit;
      const nextCursor = end < list.length ? cursorOf(end) : null;
      return { items: list.slice(offset, end), counters: { nextCursor } };
    }
    default:
      return by satisfies never;
  }
}

function cursorOf(offset: number): string {
  return Buffer.from(`after ${offset}`).toString('base64url');
}

/** @throws Refusal (400) of a cursor that no answer named */
function offsetOf(cursor: string | undefined): number {
  if (cursor === undefined) return 0;
  const [, offset] = /^after (\d+)$/.exec(Buffer.from(cursor, 'base64url').toString()) ?? [];
  if (offset === undefined) throw badRequest('querystring/cursor is unknown', { parameter: 'cursor' });
  return Number(offset);
}
