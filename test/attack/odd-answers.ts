import { isDay, type Day } from '../../src/day.ts';
import type { Below } from '../../simulator/odd-worlds.ts';
import type { OverrideHandler } from '../../simulator/overrides.ts';
import { columnsOf, keepDays } from './day-entries.ts';
import { placesOf, put } from '../support/json-places.ts';

/** Another answer than that of the world; undefined keeps it. */
export type Change = OverrideHandler;

const HOURS = ['T00', 'T06', 'T12', 'T18'];
const queryOf = (request: Parameters<Change>[0]): URLSearchParams =>
  new URLSearchParams(request.query.map(([name, value]): [string, string] => [name, value]));

/** Four parts of each day, or each day twice with half of its figures. */
export function finerThanAsked(below: Below): Change {
  const kind = below(2) === 0 ? 'hours' : 'halves';
  return ({ path }, { body }) => {
    if (!/(share-of-voice\/time-series|rank-analysis|domains-over-time|visibility-time-series)$/.test(path))
      return undefined;
    const marks = kind === 'hours' ? HOURS : ['T00', 'T00'];
    // Names repeat: of two figures of a domain on a day, the last stands.
    if (kind === 'halves' && path.endsWith('domains-over-time')) return undefined;
    const columns = columnsOf(body);
    if (columns !== undefined) {
      const dates = columns.dates.flatMap((date) => marks.map((mark) => marked(date, mark)));
      const series = columns.series.map((one) => ({ ...one, data: split(one.data, marks.length) }));
      return { body: { ...(body as object), dates, series } };
    }
    const list = Array.isArray(body) ? (body as object[]) : (body as { timeSeries: object[] }).timeSeries;
    const finer = list.flatMap((row) =>
      marks.map((mark, part) => partOf(row, { mark, part, of: marks.length })),
    );
    return { body: Array.isArray(body) ? finer : { ...(body as object), timeSeries: finer } };
  };
}

const marked = (date: unknown, mark: string): string => `${String(date).slice(0, 10)}${mark}:00:00.000Z`;

function split(data: readonly unknown[], parts: number): number[] {
  return data.flatMap((value) =>
    Array.from({ length: parts }, (_, part) => share(Number(value), { part, of: parts })),
  );
}

const share = (value: number, { part, of }: { part: number; of: number }): number =>
  Math.floor(value / of) + (part < value % of ? 1 : 0);

function partOf(row: object, { mark, ...which }: { mark: string; part: number; of: number }): object {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => {
      if (name === 'date') return [name, marked(value, mark)];
      return [name, typeof value === 'number' ? share(value, which) : value];
    }),
  );
}

/** The store of older days is down: what ends before a day is empty, or older days are left out of each series. */
export const noOlderDays =
  (oldest: Day) =>
  (below: Below): Change => {
    const isByDay = below(2) === 0;
    return (request, { body }) => {
      const end = queryOf(request).get('endDate') ?? '';
      if (isDay(end) && end < oldest) return { body: emptied(body) };
      if (!isByDay || request.path.endsWith('/events')) return undefined;
      const newer = structuredClone(body);
      keepDays(newer, (day) => day >= oldest);
      return { body: newer };
    };
  };

const ENTITIES = /\/(validate|models|prompts|events)$/;

/** Every figure is 0, or every list is empty. */
export function nothingTonight(below: Below): Change {
  const isZero = below(2) === 0;
  return ({ path }, { body }) => {
    if (ENTITIES.test(path)) return undefined;
    if (!isZero) return { body: emptied(body) };
    const zeros = structuredClone(body);
    for (const place of placesOf(zeros)) if (typeof place.value === 'number') put(place, 0);
    return { body: zeros };
  };
}

function emptied(body: unknown): unknown {
  if (Array.isArray(body)) return [];
  if (typeof body === 'number') return 0;
  if (typeof body !== 'object' || body === null) return body;
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => {
      if (name === 'page' || name === 'size') return [name, value];
      return [name, name === 'matrix' ? {} : emptied(value)];
    }),
  );
}

export const refusedMonitors: Change = (request) =>
  queryOf(request).has('llmMonitorId')
    ? { status: 404, body: { error: 'Not Found', message: 'Monitor not found.', details: {} } }
    : undefined;

export const noEvents: Change = ({ path }, { body }) =>
  path.endsWith('/events') ? { body: { ...(body as object), ...NO_EVENTS } } : undefined;

const NO_EVENTS = { events: [], total: 0, totalPages: 0 };

/** A day of the past whose count is null, for ever. */
export const oneBadRow: Change = ({ path }, { body }) => {
  if (!path.endsWith('/share-of-voice/time-series')) return undefined;
  const rows = body as { date: string }[];
  return {
    body: rows.map((row) => (row.date.startsWith('2026-07-15') ? { ...row, totalResponses: null } : row)),
  };
};
