import { copyFileSync, existsSync, rmSync } from 'node:fs';
import { z } from 'zod';
import { catalogue, coreKeys } from '../support/catalogue.ts';
import { nameRow } from '../../src/warehouse/connection.ts';
import { openDatabase } from '../../src/warehouse/database.ts';

/** Column → value as JSON. */
export type Cells = Readonly<Record<string, string>>;
/** Key → cells, of one table. */
export type Rows = ReadonlyMap<string, Cells>;

/** What a working file holds. */
export interface Content {
  tables: ReadonlyMap<string, Rows>;
  /** Table and key of each row that one answer contradicted. */
  vanishing: ReadonlySet<string>;
  /** Keys that are there more than once. */
  doubledKeys: readonly string[];
}

export const EMPTY: Content = {
  tables: new Map(),
  vanishing: new Set(),
  doubledKeys: [],
};

/** They change with every call. */
const MOVING: Readonly<Record<string, string>> = {
  api_keys: ', last_used_at',
  prompts: ', updated_at',
  prompt_snapshots: ', seen_at',
};

export function tablesOf(endpoint: string): string[] {
  const found = catalogue.find(({ name }) => name === endpoint);
  return found?.outputs.map(({ table }) => table) ?? [];
}

const keyRow = z.object({ table_name: z.string(), key: z.string() });

/** @param endpoints whose tables are read; null: all */
export async function contentOf(path: string, endpoints: readonly string[] | null): Promise<Content> {
  if (!existsSync(path)) return EMPTY;
  await using database = await openDatabase({ path, readOnly: true });
  const connection = await database.connect();
  const tables = new Map<string, Rows>();
  const doubled: string[] = [];
  const wanted = new Set((endpoints ?? catalogue.map(({ name }) => name)).flatMap(tablesOf));
  for (const [table, key] of [...coreKeys].filter(([name]) => wanted.has(name))) {
    const removed = table === 'prompts' ? ' replace (removed_at is not null as removed_at)' : '';
    const rows = await connection.rows(
      `select * exclude (_run_id, _changed_at${MOVING[table] ?? ''})${removed} from core."${table}"`,
    );
    const byKey = new Map<string, Cells>();
    for (const row of rows) {
      const name = keyText(key.map((column) => row[column]));
      if (byKey.has(name)) doubled.push(`${table} ${name}`);
      byKey.set(name, cellsOf(row));
    }
    tables.set(table, byKey);
  }
  const vanishing = await connection.rowsAs(keyRow, 'select table_name, key from meta.vanishing');
  return {
    tables,
    vanishing: new Set(
      vanishing
        .filter(({ table_name: table }) => wanted.has(table))
        .map(({ table_name: table, key }) => `${table} ${vanishingKey(table, key)}`),
    ),
    doubledKeys: doubled,
  };
}

/** The key of an entry of `meta.vanishing`, as the rows of its table have it. */
function vanishingKey(table: string, key: string): string {
  const values = z.record(z.string(), z.unknown()).parse(JSON.parse(key));
  return keyText((coreKeys.get(table) ?? []).map((column) => values[column]));
}

const alarmRow = z.object({
  endpoint: z.string(),
  project_id: z.string(),
  scope_id: z.string(),
  reason: z.string(),
  is_known: z.boolean(),
});

const gapRow = z.object({ gap: z.string(), status: z.string() });

/** What the warehouse itself says is not settled. */
export interface Pending {
  /** Periods and windows that are unconfirmed or refused: endpoint, project, scope id and first day. */
  asked: ReadonlySet<string>;
  alarms: readonly z.output<typeof alarmRow>[];
  gaps: readonly z.output<typeof gapRow>[];
  /** Periods of series that are not covered, or not confirmed: endpoint, project, scope id, grain and date. */
  periods: ReadonlySet<string>;
}

export const NOTHING_PENDING: Pending = { asked: new Set(), alarms: [], gaps: [], periods: new Set() };

export async function pendingOf(path: string): Promise<Pending> {
  const copy = `${path}.looked-at`;
  copyFileSync(path, copy);
  try {
    await using database = await openDatabase({ path: copy });
    const connection = await database.connect();
    const names = async (sql: string): Promise<Set<string>> =>
      new Set((await connection.rowsAs(nameRow, sql)).map(({ name }) => name));
    const period = "concat_ws(' ', endpoint, project_id, scope_id, grain, date)";
    return {
      asked: await names(
        `select concat_ws(' ', endpoint, project_id, scope_id, date) as name
         from meta.asked_days where state in ('unconfirmed', 'refused')`,
      ),
      alarms: await connection.rowsAs(
        alarmRow,
        'select endpoint, project_id, scope_id, reason, known_since is not null as is_known from meta.alarms',
      ),
      gaps: await connection.rowsAs(gapRow, `select ${period} as gap, status from detail.sync_gaps`),
      periods: await names(
        `select ${period} as name from detail.sync_series_coverage
         where not is_covered or status in ('unconfirmed', 'not_available')`,
      ),
    };
  } finally {
    rmSync(copy);
  }
}

/** A period of a series, or a window, by its first day. */
export interface Period {
  endpoint: string;
  projectId: string;
  scopeId: string;
  grain: string;
  first: string;
}

/** An alarm of what a period belongs to. */
export function hasAlarm(
  { alarms }: Pending,
  { endpoint, projectId, scopeId }: Pick<Period, 'endpoint' | 'projectId' | 'scopeId'>,
): boolean {
  return alarms.some(
    (alarm) =>
      alarm.endpoint === endpoint &&
      ['', projectId].includes(alarm.project_id) &&
      ['', scopeId].includes(alarm.scope_id),
  );
}

/** The warehouse itself says that a period is not settled. */
export function isUnsettled(pending: Pending, period: Period): boolean {
  const { endpoint, projectId, scopeId, grain, first } = period;
  const series = [endpoint, projectId, scopeId];
  return (
    hasAlarm(pending, period) ||
    pending.asked.has([...series, first].join(' ')) ||
    pending.periods.has([...series, grain, first].join(' '))
  );
}

/** Rows of one project; null: rows that belong to none. */
export function rowsOf(picture: Content | undefined, table: string, projectId: string | null): Rows {
  const rows = picture?.tables.get(table) ?? new Map<string, Cells>();
  const wanted = projectId === null ? undefined : JSON.stringify(projectId);
  return new Map([...rows].filter(([, cells]) => cells['project_id'] === wanted));
}

const keyText = (values: readonly unknown[]): string => JSON.stringify(values.map(roundedValue));

function cellsOf(row: Record<string, unknown>): Cells {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, JSON.stringify(roundedValue(value)) ?? 'null']),
  );
}

/** The last digit of a mean and the Unicode form of a name are no difference. */
export function roundedValue(value: unknown): unknown {
  if (typeof value === 'number') return Number(value.toPrecision(9));
  return typeof value === 'string' ? value.normalize('NFC') : value;
}
