import { z } from 'zod';
import { isObject, numberOf, own } from '../endpoints/field.ts';
import { valueAt } from './columns.ts';
import type { OwnDeclaration, OwnPart } from './declaration.ts';

/** The list of an answer; null where it is not there. */
export function rowsIn(
  { rows, former }: Pick<OwnDeclaration, 'rows' | 'former'>,
  body: unknown,
): readonly unknown[] | null {
  const found = rows === undefined ? body : valueAt(body, rows);
  if (Array.isArray(found)) return found;
  return former === undefined ? null : rowsIn(former, body);
}

/** What tells a row apart: the values of its key, with its day in a series; where there is none, the whole row. */
export function keyOfRow({ key, ask, date = 'date' }: OwnDeclaration, row: unknown): unknown {
  const paths = [...(ask === 'series' ? [date] : []), ...key.map(({ path }) => path)];
  return paths.length === 0 ? row : paths.map((path) => valueAt(row, path) ?? null);
}

/** A body, read as its rows. Only `[]` is an empty list. */
export function answerSchema(declaration: OwnDeclaration) {
  return z.unknown().transform((body, context): readonly unknown[] => {
    const rows = rowsIn(declaration, body);
    if (rows === null) {
      context.addIssue(missingRows(declaration, body));
      return z.NEVER;
    }
    const more = promiseOf(declaration, { body, count: rows.length });
    if (more !== null) context.addIssue(more);
    return rows;
  });
}

/** Why an answer has no rows, and what to write. */
export function missingRows({ rows }: OwnDeclaration, body: unknown): string {
  const lists = listsIn(body);
  const what = rows === undefined ? 'it is no list' : `${rows} holds no list`;
  if (lists.length === 0) return `${what}, and no field of it does`;
  return `${what}; fields that hold one: ${lists.join(', ')}: write rows: ${lists[0] ?? ''}`;
}

/** Dotted paths of the lists of a body, through two levels of objects; '' where it is a list itself. */
export function listsIn(body: unknown, depth = 2): string[] {
  if (!isObject(body)) return [];
  return Object.entries(body).flatMap(([name, value]) => {
    if (Array.isArray(value)) return [name];
    return depth === 0 ? [] : listsIn(value, depth - 1).map((path) => `${name}.${path}`);
  });
}

/** Fields that say that there is more, what of them says so, and the word that reads it. */
const PROMISES: readonly [name: string, isMore: (value: unknown, count: number) => boolean, word: string][] =
  [
    ['totalPages', (value) => (numberOf(value) ?? 0) > 1, 'number'],
    ['total', (value, count) => (numberOf(value) ?? 0) > count, 'number'],
    ['hasMore', (value) => value === true, 'offset'],
    ['has_more', (value) => value === true, 'offset'],
    ['nextCursor', isSomething, 'cursor'],
    ['next_cursor', isSomething, 'cursor'],
    ['next', isSomething, 'cursor'],
  ];

function isSomething(value: unknown): boolean {
  return value !== undefined && value !== null && value !== '' && value !== false;
}

/** Why an answer of one page is not the whole; null where nothing in it says so. */
export function promiseOf(
  { pages, limit }: Pick<OwnDeclaration, 'pages' | 'limit'>,
  { body, count }: { body: unknown; count: number },
): string | null {
  // An answer as long as its limit is known to be cut off.
  if (pages !== undefined || (limit !== null && count >= limit.rows) || !isObject(body)) return null;
  const places: [string, unknown][] = [
    ['', body],
    ...Object.entries(body).filter(([, value]) => isObject(value)),
  ];
  for (const [place, object] of places)
    for (const [name, isMore, word] of PROMISES) {
      const value = own(object, name);
      if (!isMore(value, count)) continue;
      const path = place === '' ? name : `${place}.${name}`;
      const stated = typeof value === 'object' ? 'has a value' : `is ${JSON.stringify(value)}`;
      return `${path} ${stated} and one page of ${String(count)} rows was read: write pages: ${word}, or leave_out: [${path}] where it means something else`;
    }
  return null;
}

/** Whether a list inside a row is shorter than the row says; null where it is no list, or nothing says how long it is. */
export function isCutOff({ field, count }: OwnPart, row: unknown): boolean | null {
  const list = valueAt(row, field);
  const length = count === null ? undefined : numberOf(valueAt(row, count));
  return Array.isArray(list) && length !== undefined ? list.length < length : null;
}
