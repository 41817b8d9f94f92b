import { z } from 'zod';
import { jsonOf } from '../redact.ts';
import { parseDay } from '../day.ts';
import { anyObject, count, day, isObject, own } from './field.ts';
import type { RowContext } from './table.ts';

/** One part of an answer that is loaded or refused on its own. */
export interface Item {
  /** Its position in the body, e.g. `series[3].data[12]`: computed only if needed. */
  readonly path: () => string;
  readonly value: unknown;
  /** The value to show if it is refused; left out: the value itself. */
  readonly shown?: unknown;
  /** Set if the item cannot be read; `value` is then the refused one. */
  readonly problem?: string;
  /** Days of an unreadable item, if it has many. */
  readonly days?: readonly unknown[];
}

/** A refused item as JSON. */
export function shownOf({ value, shown = value }: Item): string {
  return jsonOf(shown);
}

/** Items of a plain list: `[3]` or `prompts[3]`. */
export function* listItems(list: readonly unknown[], name = ''): Generator<Item> {
  for (const [index, value] of list.entries()) yield { path: () => `${name}[${String(index)}]`, value };
}

/** A body that is a list of items. */
export const listBody = {
  body: z.array(z.unknown()),
  items: (body: readonly unknown[]): Iterable<Item> => listItems(body),
};

/** The whole body as the only item. */
export function wholeBody(body: unknown): readonly Item[] {
  return [{ path: () => '', value: body }];
}

/** The whole body as the only item, if it has one of these fields: otherwise it answers something else. */
export function wholeBodyWith(...names: readonly string[]) {
  const isAnswer = (body: unknown): boolean => names.some((name) => own(body, name) !== undefined);
  return { body: anyObject.refine(isAnswer, `expected ${names.join(' or ')}`), items: wholeBody };
}

/** One point of a named series of counts. */
export const namedPoint = z.object({ date: day, name: z.string(), value: count });
export type NamedPoint = z.output<typeof namedPoint>;

/**
 * The points of `{dates, series: [{<name>, data}]}`. `dates` and `data` are aligned by index, so a series of another length is
 * refused as a whole, unless it lacks only the running day.
 */
export function* pointItems(
  body: { dates: readonly unknown[]; series: readonly unknown[] },
  nameField: string,
  { syncDay }: Pick<RowContext, 'syncDay'>,
): Generator<Item> {
  const newest = body.dates.at(-1);
  const lacksToday = typeof newest === 'string' && parseDay(newest) === syncDay;

  for (const [index, series] of body.series.entries()) {
    const path = `series[${index}]`;
    const refused = (problem: string): Item => ({
      path: () => path,
      value: series,
      days: body.dates,
      problem,
    });
    if (!isObject(series) || typeof series[nameField] !== 'string' || !Array.isArray(series['data'])) {
      yield refused(`expected {${nameField}: string, data: array}`);
      continue;
    }
    const data: readonly unknown[] = series['data'];
    const missing = body.dates.length - data.length;
    if (missing !== 0 && !(missing === 1 && lacksToday)) {
      yield refused(`${data.length} data points for ${body.dates.length} dates`);
      continue;
    }
    const name = series[nameField].normalize('NFC');
    for (const [point, value] of data.entries()) {
      yield { path: () => `${path}.data[${String(point)}]`, value: { date: body.dates[point], name, value } };
    }
  }
}
