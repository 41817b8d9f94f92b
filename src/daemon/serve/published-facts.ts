import { statSync } from 'node:fs';
import type { Day } from '../../day.ts';
import { openDatabase } from '../../warehouse/database.ts';

/** How far the stored answers of one endpoint reach. */
export interface Freshness {
  /** `''` for what is not about a project. */
  projectId: string;
  projectName: string | null;
  endpoint: string;
  status: string;
  /** ISO instant. */
  lastSuccessAt: string | null;
  lastCoveredDay: Day | null;
  /** Milliseconds since the epoch. */
  lastSuccessMs: number | null;
  lastError: string | null;
  /** True for a series that the configuration still asks for. */
  isExpected: boolean;
}

export interface HourlyQuota {
  organization: string;
  limit: number;
  remaining: number | null;
  resetMs: number | null;
}

/** A run as the published file knows it. */
export interface PublishedRun {
  run_id: string;
  job: string | null;
  status: string;
  exit_code: number;
  started_at: string;
  finished_at: string;
}

/** What the published file says of its own making. */
export interface PublishedFacts {
  /** Milliseconds since the epoch. */
  publishedMs: number;
  bytes: number;
  lookbackDays: number | null;
  freshness: Freshness[];
  quotas: HourlyQuota[];
  slices: { status: string; slices: number }[];
  /** The newest two finished runs of each job. */
  runs: PublishedRun[];
}

/**
 * Opens the published file read-only, asks and closes it at once: an open instance would stay on the old file.
 * Null when nothing is published yet.
 * @throws WarehouseError (storage) when it cannot be read
 */
export async function readPublishedFacts(path: string): Promise<PublishedFacts | null> {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return null;
  await using database = await openDatabase({ path, readOnly: true, threads: 1 });
  const connection = await database.connect();
  const [settings] = await connection.rows<{ lookbackDays: number | null }>(
    'select lookback_days as "lookbackDays" from main.sync_settings',
  );
  return {
    publishedMs: stats.mtimeMs,
    bytes: stats.size,
    lookbackDays: settings?.lookbackDays ?? null,
    freshness: await connection.rows<Freshness>(FRESHNESS),
    quotas: await connection.rows<HourlyQuota>(QUOTAS),
    slices: await connection.rows<{ status: string; slices: number }>(SLICES),
    runs: await connection.rows<PublishedRun>(RUNS),
  };
}

const FRESHNESS = `
select coalesce(f.project_id, '') as "projectId", f.project_name as "projectName", f.endpoint, f.status,
  f.last_success_at as "lastSuccessAt", epoch_ms(f.last_success_at) as "lastSuccessMs",
  f.last_covered_date as "lastCoveredDay", f.last_error as "lastError",
  exists (from meta.expected_series e
    where e.endpoint = f.endpoint and e.project_id is not distinct from coalesce(f.project_id, '')) as "isExpected"
from main.sync_freshness f
order by f.project_name nulls first, f.project_id nulls first, f.endpoint`;

const QUOTAS = `
select x.organization_id as organization, max(x.quota_limit) as "limit",
  arg_max(x.quota_remaining, x.learned_at) as remaining,
  epoch_ms(arg_max(x.quota_reset_at, x.learned_at)) as "resetMs"
from meta.limits x
where x.quota_limit is not null and x.base_url = (select base_url from main.sync_settings)
group by x.organization_id order by 1`;

const SLICES = 'select status, count(*) as slices from meta.slices group by status order by status';

const RUNS = `
select run_id, job, status, exit_code, started_at, finished_at
from meta.runs where finished_at is not null and exit_code is not null
qualify row_number() over (partition by job order by started_at desc) <= 2
order by started_at desc`;
