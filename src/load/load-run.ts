import { type Day, dayOf } from '../day.ts';
import type { AnsweredRun } from '../slice.ts';
import { randomBytes, randomUUID } from 'node:crypto';
import { quoteLiteral } from '../warehouse/sql.ts';
import type { Connection } from '../warehouse/connection.ts';
import { readSetting, writeSettings } from '../warehouse/tables.ts';

/** The run that writes rows and ledger entries. */
export interface LoadRun extends AnsweredRun {
  /** Number of the run in its warehouse. */
  sequence: number;
  /** Id of the warehouse. */
  warehouse: string;
  /** `lookback_days` of the configuration. */
  lookbackDays: number;
  /** False for a job that looks back less than the configuration: it adds and changes rows, but removes none whose day is over. */
  isWitness: boolean;
  /** The day on which the run began, by the more credible clock; left out: by `startedAt`. */
  clockDay?: Day;
  /** Answers that its file had and that were dropped with their endpoint. */
  dropped?: number;
}

const RUN_ID = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z-[0-9a-f]{8}$/;

/** A unique run id that sorts by time. */
export function newRunId(startedAt: number): string {
  const instant = new Date(startedAt).toISOString().replaceAll(/[-:]/g, '').slice(0, 15);
  return `${instant}Z-${randomBytes(4).toString('hex')}`;
}

/** The start of a run in milliseconds since the epoch; undefined for a text that is not from `newRunId`. */
export function startOfRun(runId: string): number | undefined {
  const [, year = '', month = '', day = '', hour = '', minute = '', second = ''] = RUN_ID.exec(runId) ?? [];
  const instant = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  return Number.isNaN(instant) ? undefined : instant;
}

/** The audit columns of changed rows, as SQL. */
export type AuditColumns = ReturnType<typeof auditColumnsOf>;

export function auditColumnsOf({ runId, startedAt }: LoadRun) {
  const instant = new Date(startedAt).toISOString();
  return { run: quoteLiteral(runId), instant: `cast(${quoteLiteral(instant)} as timestamp)` };
}

/** The part of the configuration that the views need. */
interface ViewedConfig {
  api: { baseUrl: string };
  sync: { startDate: string; lookbackDays: number; timezone: string };
  targets: readonly object[];
}

/** The settings that views read. */
export function viewSettings(
  { api, sync, targets }: ViewedConfig,
  run: Pick<LoadRun, 'syncDay' | 'startedAt' | 'clockDay'> | undefined,
): Record<string, string> {
  return {
    start_date: sync.startDate,
    lookback_days: String(sync.lookbackDays),
    timezone: sync.timezone,
    timezone_lag_days: String(run === undefined ? 0 : lagDays(sync.timezone, run.startedAt)),
    base_url: api.baseUrl,
    targets: JSON.stringify(targets),
    sync_day: run?.syncDay ?? '',
    clock_day: run === undefined ? '' : (run.clockDay ?? dayOf(run.startedAt)),
  };
}

/** Days by which the date in a zone is behind UTC: 0 or 1. */
export function lagDays(timezone: string, now: number): number {
  if (timezone === 'UTC') return 0;
  const local = new Intl.DateTimeFormat('en-CA', { timeZone: timezone }).format(now);
  return local < dayOf(now) ? 1 : 0;
}

const WAREHOUSE_ID = 'warehouse_id';

/** The id of the warehouse; null before its first run. */
export async function readWarehouseId(connection: Connection): Promise<string | null> {
  return await readSetting(connection, WAREHOUSE_ID);
}

/** The id of the warehouse, assigned by its first run. */
export async function warehouseId(connection: Connection): Promise<string> {
  const known = await readWarehouseId(connection);
  if (known !== null) return known;
  const id = randomUUID();
  await writeSettings(connection, { [WAREHOUSE_ID]: id });
  return id;
}
