import { z } from 'zod';
import { addDays, dayOf, parseDay, parseInstant, type Day, type DayRange } from '../day.ts';
import { isObject, numberOf } from '../endpoints/field.ts';
import { readField, valueAt } from './columns.ts';
import type { OwnDeclaration, OwnPart } from './declaration.ts';
import { counted } from '../quantity.ts';

/** The list of an answer; null if missing. */
export function rowsIn(
  { rows, former }: Pick<OwnDeclaration, 'rows' | 'former'>,
  body: unknown,
): readonly unknown[] | null {
  const found = rows === undefined ? body : valueAt(body, rows);
  if (Array.isArray(found)) return found;
  return former === undefined ? null : rowsIn(former, body);
}

/** Identifies a row: its key values, with its day in a series; without a key, the whole row. */
export function keyOfRow({ key, ask, date }: OwnDeclaration, row: unknown): unknown {
  const paths = [...(ask === 'series' && date !== null ? [date] : []), ...key.map(({ path }) => path)];
  return paths.length === 0 ? row : paths.map((path) => valueAt(row, path) ?? null);
}

/** The day of a row: a series says its day, a dated row is of its UTC day. */
export function dayOfRow({ ask, date }: OwnDeclaration, row: unknown): Day | undefined {
  const written = date === null ? undefined : valueAt(row, date);
  if (typeof written !== 'string') return undefined;
  if (ask === 'series') return parseDay(written);
  const instant = parseInstant(written);
  return instant === undefined ? undefined : dayOf(instant);
}

export const SECOND_MS = 1_000;

export function midnightOf(day: Day): number {
  return Date.parse(`${day}T00:00:00Z`);
}

/** Whether an instant lies within the second by which the request exceeds its days. */
export function isBeside(date: unknown, { start, end }: DayRange): boolean {
  const instant = typeof date === 'string' ? parseInstant(date) : undefined;
  const isIn = (shift: number): boolean =>
    instant !== undefined &&
    instant + shift >= midnightOf(start) &&
    instant + shift < midnightOf(addDays(end, 1));
  return !isIn(0) && (isIn(SECOND_MS) || isIn(-SECOND_MS));
}

/** Values in the entries of a list that do not fit their types. */
export function misfitsOf({ field, fields }: OwnPart, list: unknown): { path: string; value: unknown }[] {
  const entries: readonly unknown[] = Array.isArray(list) ? list : [];
  return fields.flatMap((one) => {
    const index = entries.findIndex((entry) => readField(entry, one) === undefined);
    const path = `${field}[]${one.path === '' ? '' : `.${one.path}`}`;
    return index === -1 ? [] : [{ path, value: valueAt(entries[index], one.path) }];
  });
}

/** A body, parsed as rows. Only `[]` is an empty list. */
export function answerSchema(declaration: OwnDeclaration) {
  return z.unknown().transform((body, context): readonly unknown[] => {
    const rows = rowsIn(declaration, body);
    if (rows === null) {
      context.addIssue(missingRows(declaration, body));
      return z.NEVER;
    }
    const more = promiseOf(declaration, body, rows.length);
    if (more !== null) context.addIssue(more);
    return rows;
  });
}

/** Why an answer has no rows, and the line to write. */
export function missingRows({ rows }: OwnDeclaration, body: unknown): string {
  const lists = listsIn(body);
  const what = rows === undefined ? 'it is not a list' : `${rows} contains no list`;
  if (lists.length === 0) return `${what}, and no field of the answer has one`;
  return `${what}; fields with a list: ${lists.join(', ')}: write rows: ${lists[0] ?? ''}`;
}

/** Dotted paths of the lists of a body, through two levels of objects; '' if it is a list itself. */
export function listsIn(body: unknown, depth = 2): string[] {
  if (!isObject(body)) return [];
  return Object.entries(body).flatMap(([name, value]) => {
    if (Array.isArray(value)) return [name];
    return depth === 0 ? [] : listsIn(value, depth - 1).map((path) => `${name}.${path}`);
  });
}

/** Fields that announce further pages, the setting that reads them, and their name in it. */
const PROMISES = [
  [/^next_?(?:cursor|token|page_?token)$/i, 'cursor', 'next'],
  [/^(?:total_?pages|page_?count)$/i, 'number', 'totalPages'],
  [/^total(?:_?(?:count|items|results))?$/i, 'number', 'total'],
  [/^has_?(?:more|next|next_?page)$/i, 'offset', null],
  [/^next(?:_?page)?$/i, 'cursor', 'next'],
] as const;

function isMore(value: unknown, word: string, least: number): boolean {
  if (word === 'number') return (numberOf(value) ?? 0) > least;
  return word === 'offset' ? value === true : value !== null && value !== '' && value !== false;
}

/** A field beside the `count` rows of an answer that announces further pages; null without one. */
export function morePages({ rows = '' }: Pick<OwnDeclaration, 'rows'>, body: unknown, count: number) {
  const steps = rows.split('.');
  const around = steps.map((_step, index) => steps.slice(0, index).join('.'));
  for (const [prefix, object] of around.flatMap((path) => objectsAt(body, path)))
    for (const [names, word, field] of PROMISES)
      for (const [name, value] of isObject(object) ? Object.entries(object) : [])
        if (names.test(name) && isMore(value, word, field === 'total' ? count : 1))
          return { path: `${prefix}${name}`, value, word, field };
  return null;
}

/** The object at a path of a body, and those in it. */
function objectsAt(body: unknown, path: string): [prefix: string, object: unknown][] {
  const object = valueAt(body, path);
  const within = isObject(object) ? Object.entries(object).filter(([, value]) => isObject(value)) : [];
  const prefix = path === '' ? '' : `${path}.`;
  return [
    [prefix, object],
    ...within.map(([name, value]): [string, unknown] => [`${prefix}${name}.`, value]),
  ];
}

/** Why an answer of one page is incomplete; null if nothing in it suggests that. */
export function promiseOf(declaration: OwnDeclaration, body: unknown, count: number): string | null {
  const { pages, limit } = declaration;
  // An answer as long as its limit counts as cut off.
  const isOfPages = pages !== undefined || (limit !== null && count >= limit.rows);
  const more = isOfPages ? null : morePages(declaration, body, count);
  if (more === null) return null;
  const { path, value, word } = more;
  const stated = typeof value === 'object' ? 'has a value' : `is ${JSON.stringify(value)}`;
  const write = isAddress(value) ? 'pages: number or offset with the parameters in it' : `pages: ${word}`;
  return `${path} ${stated} and one page of ${counted(count, 'row')} was read: write ${write}, or leave_out: [${path}] if it means something else`;
}

/** Whether a list inside a row is shorter than the row states; null if it is not a list, or its length is not stated. */
export function isCutOff({ field, count }: OwnPart, row: unknown): boolean | null {
  const list = valueAt(row, field);
  const length = count === null ? undefined : numberOf(valueAt(row, count));
  return Array.isArray(list) && length !== undefined ? list.length < length : null;
}

/** Whether the next page is given as an address, which no cursor sends. */
export function isAddress(value: unknown): boolean {
  return isObject(value) || (typeof value === 'string' && /^https?:\/\/|\?[^=]*=/i.test(value));
}
