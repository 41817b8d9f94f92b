import { z } from 'zod';
import { parseDay } from '../day.ts';
import { count, day, isObject } from './field.ts';
import { ListItem, type Item } from './item.ts';
import type { RowContext } from './row.ts';

/** One point of a named series of counts. */
export const namedPoint = z.object({ date: day, name: z.string(), value: count.nullable() });

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
    const name = series[nameField];
    const place = `${path}.data`;
    for (let point = 0; point < data.length; point += 1) {
      yield new ListItem(place, point, { date: body.dates[point], name, value: data[point] });
    }
  }
}
