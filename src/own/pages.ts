import type { PageCount, Paging } from '../endpoints/endpoint.ts';
import { numberOf } from '../endpoints/field.ts';
import { keyOfRow, rowsIn } from './answer.ts';
import { digestOf, valueAt } from './columns.ts';
import type { OwnDeclaration } from './declaration.ts';

/** How the pages of a declared endpoint are requested. */
export function pagingOf(declaration: OwnDeclaration): Paging {
  const { pages } = declaration;
  if (pages === undefined) return { kind: 'none' };
  const idsOf = (body: unknown) => keysOf(declaration, rowsIn(declaration, body) ?? []);
  switch (pages.by) {
    case 'number': {
      const { page, size, total, totalPages } = pages.names;
      return {
        kind: 'number',
        size: pages.size,
        names: [page, size],
        pages: (body) => countOf(body, { total, totalPages }, idsOf(body)),
      };
    }
    case 'offset': {
      const { offset, limit, total } = pages.names;
      return {
        kind: 'offset',
        size: pages.size,
        names: [offset, limit],
        list: (body) => {
          const rows = rowsIn(declaration, body);
          if (rows === null) return null;
          return { count: rows.length, ids: () => keysOf(declaration, rows), total: wholeAt(body, total) };
        },
      };
    }
    case 'cursor': {
      const { next, cursor } = pages.names;
      return {
        kind: 'cursor',
        parameter: cursor,
        next: (body) => {
          const found = valueAt(body, next);
          return typeof found === 'string' || typeof found === 'number' ? String(found) : '';
        },
        ids: idsOf,
      };
    }
    default:
      return pages satisfies never;
  }
}

/** A list that states one of the two need not state the other. */
function countOf(
  body: unknown,
  names: { total: string; totalPages: string },
  ids: readonly string[],
): PageCount {
  const total = wholeAt(body, names.total);
  const totalPages = wholeAt(body, names.totalPages);
  return {
    total: total ?? (totalPages === null ? null : undefined),
    totalPages: totalPages ?? (total === null ? null : undefined),
    size: null,
    ids,
    unknown: [],
  };
}

function wholeAt(body: unknown, path: string): number | null {
  const number = numberOf(valueAt(body, path));
  return number !== undefined && Number.isSafeInteger(number) && number >= 0 ? number : null;
}

/** Identifies rows of different pages. */
function keysOf(declaration: OwnDeclaration, rows: readonly unknown[]): string[] {
  return rows.map((row) => digestOf(keyOfRow(declaration, row)));
}
