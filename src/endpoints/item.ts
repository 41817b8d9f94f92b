import { z } from 'zod';
import { parseDay } from '../day.ts';
import { day, isObject, roundedCount } from './field.ts';
import type { RowContext } from './table.ts';

/** One part of an answer that is loaded or refused on its own. */
export interface Item {
  /** Its place in the body, e.g. `series[3].data[12]`. */
  readonly path: string;
  readonly value: unknown;
  /** Set when the item cannot be read; `value` is then what was refused. */
  readonly problem?: string;
  /** Days that an unreadable item is about, where it is about many. */
  readonly days?: readonly unknown[];
}

/** An item of a list: `prompts[3]`. Its path is built only when it is read. */
export class ListItem implements Item {
  readonly value: unknown;
  readonly #list: string;
  readonly #index: number;

  constructor(list: string, index: number, value: unknown) {
    this.#list = list;
    this.#index = index;
    this.value = value;
  }

  get path(): string {
    return `${this.#list}[${String(this.#index)}]`;
  }
}

/** Items of a plain list: `[3]` or `prompts[3]`. */
export function* listItems(list: readonly unknown[], name = ''): Generator<Item> {
  for (let index = 0; index < list.length; index += 1) yield new ListItem(name, index, list[index]);
}

/** The whole body as the only item. */
export function wholeBody(body: unknown): readonly Item[] {
  return [{ path: '', value: body }];
}

/** One point of a named series of counts. */
export const namedPoint = z.object({ date: day, name: z.string(), value: roundedCount });

/**
 * The points of `{dates, series: [{<name>, data}]}`. `dates` and `data` are aligned by index, so a series of another
 * length is refused as a whole, unless it lacks the running day alone.
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
    if (!isObject(series) || typeof series[nameField] !== 'string' || !Array.isArray(series['data'])) {
      yield {
        path,
        value: series,
        days: body.dates,
        problem: `expected {${nameField}: string, data: array}`,
      };
      continue;
    }
    const data: readonly unknown[] = series['data'];
    const missing = body.dates.length - data.length;
    if (missing !== 0 && !(missing === 1 && lacksToday)) {
      yield {
        path,
        value: series,
        days: body.dates,
        problem: `${data.length} data points for ${body.dates.length} dates`,
      };
      continue;
    }
    const name = series[nameField].normalize('NFC');
    const place = `${path}.data`;
    for (let point = 0; point < data.length; point += 1) {
      yield new ListItem(place, point, { date: body.dates[point], name, value: data[point] });
    }
  }
}
