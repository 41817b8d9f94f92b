import { copyFileSync } from 'node:fs';
import { expect } from 'vitest';
import { addDays, toDay, type Day } from '../../src/day.ts';
import { catalogue } from '../support/catalogue.ts';
import type { Endpoint } from '../../src/endpoints/endpoint.ts';
import type { Coverage } from '../../src/plan/coverage.ts';
import { readCoverage } from '../../src/run/read-coverage.ts';
import type { SliceTarget } from '../../src/slice.ts';
import type { Connection } from '../../src/warehouse/connection.ts';
import { openDatabase } from '../../src/warehouse/database.ts';
import { NEW_WORKING_FILE } from '../../src/warehouse/working-file.ts';
import { byDefault } from '../plan/input.ts';
import { Scratch } from '../support/folder.ts';

type Cells = Readonly<Record<string, unknown>>;

const DEFAULTS: Readonly<Record<string, unknown>> = {
  _run_id: 'run-1',
  _changed_at: '2025-06-01T00:00:00Z',
  run_id: 'run-1',
  project_id: 'p',
  grain: 'day',
  scope: 'project',
  scope_id: 'p',
};

/** What the answered slices cover, as a load enters it; rows without a slice were asked for on the sync day, or long after. */
const ASKED_DAYS = `
  delete from meta.asked_days;
  insert into meta.asked_days
  select endpoint, project_id, scope, scope_id, grain, window_kind, date, max(asked_on), max(asked_on), max_by(asked_with, asked_on), null,
    case when max(asked_on) is null then 'refused' when bool_or(is_open) then 'unconfirmed' when max_by(status, asked_on) in ('loaded', 'truncated') then 'row' else 'empty' end,
    case when max(asked_on) is null and bool_or(is_open) then 'incomplete' when max(asked_on) is null then 'too_old' end,
    case when bool_or(asked_on <= last_day) then min(started_at) filter (where asked_on > last_day) end
  from (select *, case grain when 'week' then date + 6 when 'month' then last_day(date) else date end as last_day from (
    select s.*, r.started_at, s.error_class is not null as is_open,
      case when s.status <> 'refused' and s.error_class is null then s.sync_day - case when coalesce(timezone, 'UTC') = 'UTC' then 0
        else coalesce((select max(try_cast(value as integer)) from meta.settings where name = 'timezone_lag_days'), 0) end end as asked_on,
      case when window_kind is not null then window_start else cast(unnest(generate_series(
        cast(date_trunc(coalesce(grain, 'day'), window_start) as date),
        case when window_kind is null then window_end else cast(date_trunc(coalesce(grain, 'day'), window_start) as date) end,
        case grain when 'week' then interval '7 days' when 'month' then interval '1 month' else interval '1 day' end)) as date) end as date
    from meta.slices s left join meta.runs r on r.run_id = s.run_id where s.window_start is not null and s.status in ('loaded', 'empty', 'not_enabled', 'truncated', 'refused')
  )) group by all;
${catalogue.flatMap(rowsAsked).join(';\n')}`;

function rowsAsked({ name, cut, outputs: [{ table }] }: Endpoint): string[] {
  if (cut.kind === 'list' || cut.kind === 'lookup') return [];
  const asked =
    "coalesce((select max(try_cast(value as date)) from meta.settings where name = 'sync_day'), date '9000-01-01')";
  const columns = {
    window: 'scope, scope_id, cast(null as varchar), window_kind, window_start',
    series: 'scope, scope_id, grain, cast(null as varchar), cast(date_trunc(grain, date) as date)',
    dated: "'project', project_id, cast(null as varchar), cast(null as varchar), date",
  }[cut.kind];
  return [
    `insert into meta.asked_days select distinct '${name}', project_id, ${columns}, ${asked}, ${asked}, null, null, 'row', null, null
     from core.${table} where not exists (from meta.slices where endpoint = '${name}')`,
  ];
}

/** A small database with every table and view, to be filled by hand. */
export interface World extends AsyncDisposable {
  connection: Connection;
  /** Inserts rows; columns that are left out get the defaults of project `p`, whole project, by day. */
  insert: (table: string, rows: readonly Cells[]) => Promise<void>;
  /** Inserts a row of each of these days. */
  daily: (
    table: string,
    dates: readonly string[],
    of: (index: number, date: string) => Cells,
  ) => Promise<void>;
  /** Changes what is stored. */
  run: (sql: string) => Promise<void>;
  rows: (sql: string) => Promise<Record<string, unknown>[]>;
  /** Expects that a query gives these rows, each as the values of its columns. */
  gives: (sql: string, rows: readonly (readonly unknown[])[]) => Promise<void>;
}

/** A new world, synced on `syncDay` if that is given, which is gone when it is disposed of. */
export async function openWorld(syncDay?: string, lookbackDays = 7): Promise<World> {
  const scratch = new Scratch();
  const path = scratch.path('world.duckdb');
  copyFileSync(NEW_WORKING_FILE, path);
  const database = await openDatabase({ path });
  const connection = await database.connect();
  // A plain name means the view with everything.
  await connection.run("set search_path = 'detail,main'");
  let isChanged = true;
  const insert: World['insert'] = async (table, rows) => {
    const names = (await connection.rows(`describe ${table}`)).map((column) => column['column_name']);
    const given = new Set([...rows.flatMap((row) => Object.keys(row)), ...Object.keys(DEFAULTS)]);
    const columns = [...given].filter((name) => names.includes(name));
    const [schema = '', name = ''] = table.split('.');
    const cells = rows.map((row) =>
      Object.fromEntries(
        columns.map((column) => [column, column in row ? row[column] : (DEFAULTS[column] ?? null)]),
      ),
    );
    await connection.appendRows({ schema, table: name, rows: cells });
    isChanged = true;
  };
  const rowsOf: World['rows'] = async (sql) => {
    if (isChanged) await connection.run(ASKED_DAYS);
    isChanged = false;
    return await connection.rows(sql);
  };
  const given = { sync_day: syncDay, lookback_days: String(lookbackDays) };
  if (syncDay !== undefined)
    await insert(
      'meta.settings',
      Object.entries(given).map(([name, value]) => ({ name, value })),
    );
  return {
    connection,
    insert,
    daily: (table, dates, of) =>
      insert(
        table,
        dates.map((date, index) => ({ date, ...of(index, date) })),
      ),
    run: async (sql) => {
      await connection.run(sql);
      isChanged = true;
    },
    rows: rowsOf,
    gives: async (sql, rows) => {
      const found = (await rowsOf(sql)).map((row) => Object.values(row));
      expect(found, sql).toEqual(rows);
    },
    [Symbol.asyncDispose]: async () => {
      await database[Symbol.asyncDispose]();
      scratch[Symbol.dispose]();
    },
  };
}

/** A ledger entry: loaded, whole project, by day, unless said otherwise; `span` is `<first day>..<last day>`. */
export function slice(endpoint: string, span: string, more: Cells = {}): Cells {
  const [start, end] = span.split('..');
  return {
    endpoint,
    grain: endpoint === 'events' ? null : 'day',
    window_start: start,
    window_end: end,
    sync_day: end,
    status: 'loaded',
    fetched_at: `${end}T06:00:00Z`,
    ...more,
  };
}

/** `count` days from `start` on. */
export function days(start: string, count: number): Day[] {
  return Array.from({ length: count }, (_, index) => addDays(toDay(start), index));
}

/** The columns of a window, `span` is `<first day>..<last day>`. */
export function window(kind: string, span: string): Cells {
  const [window_start, window_end] = span.split('..');
  return { window_kind: kind, window_start, window_end };
}

/** The goals of project `p`, as the configuration says them. */
export async function setTargets(world: World, by: string, goals: Record<string, number>): Promise<void> {
  const targets = Object.entries(goals).map(([measure, goal]) => ({ project: 'p', measure, goal, by }));
  await world.insert('meta.settings', [{ name: 'targets', value: JSON.stringify(targets) }]);
}

/** A completed action. */
export function action(id: string, date: string, more: Cells = {}): Cells {
  return {
    event_id: `action:${id}`,
    date,
    type: 'action',
    occurred_at: `${date}T10:00:00Z`,
    action_id: id,
    action_type: 'CONTENT_GAP',
    action_status: 'done',
    action_title: `Action ${id}`,
    ...more,
  };
}

/** A group of prompts created or deleted on one day. */
export function prompts(type: 'prompts_created' | 'prompts_deleted', date: string, count: number): Cells {
  return {
    event_id: `${type}:${date}:m`,
    date,
    type,
    occurred_at: `${date}T09:00:00Z`,
    monitor_id: 'm',
    monitor_name: 'Shoes',
    prompt_count: count,
  };
}

/** What the planner knows of endpoints. */
export async function coverageOf(
  connection: Connection,
  endpoints: readonly string[],
  { askedWith, ...asking }: { today: Day; lookbackDays: number; askedWith: string },
): Promise<Coverage> {
  const asked = endpoints.map((name) => {
    return { ...byDefault(name), askedWith, limit: null };
  });
  const range = { start: asking.today, end: asking.today };
  const named = { range, asksForOld: false, chain: [], chainOnly: false, asked };
  return await readCoverage(connection, { ...asking, ...named });
}

/** An endpoint of the whole project `p`, as the planner names it. */
export function ofProject(endpoint: string): SliceTarget {
  return { endpoint, projectId: 'p', scope: 'project', scopeId: 'p' };
}
