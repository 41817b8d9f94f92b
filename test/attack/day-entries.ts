import { placesOf, type Place } from '../support/json-places.ts';

interface Columns {
  dates: unknown[];
  series: { data: unknown[] }[];
}

/** Keeps the days of a series or of a list of events that `isKept` names; other answers are not changed. */
export function keepDays(body: unknown, isKept: (day: string) => boolean): void {
  const columns = columnsOf(body);
  if (columns !== undefined) {
    const kept = columns.dates.map((date) => isKept(dayOf(date)));
    for (const list of [columns.dates, ...columns.series.map(({ data }) => data)])
      list.splice(0, list.length, ...list.filter((_, index) => kept[index] === true));
    return;
  }
  const list = datedList(body);
  list?.splice(0, list.length, ...list.filter((entry) => isKept(dayOf(entry.date))));
}

/** Writes each date of a series as `rewrite` says; false where it has none. */
export function rewriteDates(body: unknown, rewrite: (day: string) => string): boolean {
  const columns = columnsOf(body);
  const list = datedList(body) ?? [];
  columns?.dates.splice(0, columns.dates.length, ...columns.dates.map((date) => rewrite(dayOf(date))));
  for (const entry of list) entry.date = rewrite(dayOf(entry.date));
  return (columns?.dates.length ?? list.length) > 0;
}

/** The local midnight with which a day begins two hours east of UTC. */
export function localMidnight(day: string): string {
  return new Date(Date.parse(`${day}T00:00:00+02:00`)).toISOString();
}

/** The days of an answer, in its order, each once. */
export function daysIn(body: unknown): string[] {
  const dates = columnsOf(body)?.dates ?? datedList(body)?.map(({ date }) => date) ?? [];
  return [...new Set(dates.map(dayOf))];
}

/** Every number that an answer has for a day. */
export function numbersOfDay(body: unknown, day: string): Place[] {
  const columns = columnsOf(body);
  if (columns !== undefined) {
    const index = columns.dates.findIndex((date) => dayOf(date) === day);
    return columns.series.flatMap(({ data }) =>
      index in data ? [{ holder: data, name: index, value: data[index], trail: '' }] : [],
    );
  }
  const entries = datedList(body)?.filter(({ date }) => dayOf(date) === day) ?? [];
  return placesOf(entries).filter(({ value }) => typeof value === 'number');
}

/** Each day of a list twice, with one half of its figures each; false where it has none. */
export function halveDays(body: unknown): boolean {
  const list = datedList(body);
  if (list === undefined || placesOf(list).every(({ value }) => typeof value !== 'number')) return false;
  const halved = (entry: { date: unknown }, rounded: (half: number) => number): { date: unknown } => ({
    ...entry,
    ...Object.fromEntries(
      Object.entries(entry).flatMap(([name, value]: [string, unknown]) =>
        typeof value === 'number' ? [[name, rounded(value / 2)]] : [],
      ),
    ),
  });
  const halves = list.flatMap((entry) => [halved(entry, Math.floor), halved(entry, Math.ceil)]);
  list.splice(0, list.length, ...halves);
  return true;
}

/** The columns of an answer whose values stand beside a list of dates. */
export function columnsOf(body: unknown): Columns | undefined {
  return isObject(body) && Array.isArray(body['dates']) && Array.isArray(body['series'])
    ? (body as unknown as Columns)
    : undefined;
}

function datedList(body: unknown): { date: unknown }[] | undefined {
  const list = isObject(body) ? (body['timeSeries'] ?? body['events']) : body;
  if (!Array.isArray(list)) return undefined;
  return list.every((entry) => isObject(entry) && 'date' in entry)
    ? (list as { date: unknown }[])
    : undefined;
}

const dayOf = (date: unknown): string => String(date).slice(0, 10);

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
