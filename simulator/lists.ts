import { integer } from './parameter-rules.ts';
import type { ParameterRules } from './parameters.ts';
import { pageOf, projectRoute, type ListEntry, type Route, type RouteRequest } from './route.ts';

/** A list that a route serves. */
interface ListRule {
  version?: 'v1' | 'v2';
  /** The path after the version, `{id}` for the one variable part. */
  endpoint: string;
  /** Dotted path of the list in the answer; left out: the answer is the list. */
  rows?: string;
  /** By number, with totals: entries of a page where the request does not say (default 50), and at most (default 100); left out: one page. */
  pages?: { size?: number; maxSize?: number };
  /** Parameters besides those of pages. */
  rules?: ParameterRules;
  /** All entries that the request asks for, in order. */
  entries: (request: RouteRequest) => readonly ListEntry[];
}

/** The route of a list. */
export function listRoute({ version = 'v2', endpoint, rows, pages, rules = {}, entries }: ListRule): Route {
  return projectRoute({
    version,
    endpoint,
    rules:
      pages === undefined ? rules : { ...rules, page: integer(1), size: integer(1, pages.maxSize ?? 100) },
    list: entries,
    answer: (request) => {
      const { items, counters } =
        pages === undefined
          ? { items: entries(request), counters: {} }
          : pageOf(request, entries(request), pages.size ?? 50);
      return rows === undefined ? items : { ...nested(rows.split('.'), items), ...counters };
    },
  });
}

function nested([first = '', ...rest]: readonly string[], list: unknown): Record<string, unknown> {
  return { [first]: rest.length === 0 ? list : nested(rest, list) };
}
