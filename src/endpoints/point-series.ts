import { z } from 'zod';
import { count, day, isObject } from './field.ts';
import { ListItem, type Item } from './item.ts';

/** One point of a named series of counts. */
export const namedPoint = z.object({ date: day, name: z.string(), value: count.nullable() });

/**
 * The points of `{dates, series: [{<name>, data}]}`. `dates` and `data` are aligned by index, so a series of another
 * length is refused as a whole.
 */
export function* pointItems(
  body: { dates: readonly unknown[]; series: readonly unknown[] },
  nameField: string,
): Generator<Item> {
  for (const [index, series] of body.series.entries()) {
    const path = `series[${index}]`;
    if (!isObject(series) || typeof series[nameField] !== 'string' || !Array.isArray(series['data'])) {
      yield { path, value: series, problem: `expected {${nameField}: string, data: array}` };
      continue;
    }
    const data: readonly unknown[] = series['data'];
    if (data.length !== body.dates.length) {
      yield { path, value: series, problem: `${data.length} data points for ${body.dates.length} dates` };
      continue;
    }
    const name = series[nameField];
    const place = `${path}.data`;
    for (let point = 0; point < data.length; point += 1) {
      yield new ListItem(place, point, { date: body.dates[point], name, value: data[point] });
    }
  }
}
