import { z } from 'zod';
import { hasEndpoint } from '../endpoints/catalogue.ts';
import type { QuotaSnapshot } from '../hourly-quota.ts';
import type { Connection } from '../warehouse/connection.ts';

/** What the server taught about itself, kept across runs in `meta.limits`. */
export interface Learned {
  /** By endpoint; what has expired is left out. */
  windows: Map<string, LearnedWindow>;
  /** Endpoint → whether its `endDate` counts. */
  endDays: Map<string, boolean>;
  /** Organization id → quota as last seen. */
  quotas: Map<string, QuotaSnapshot>;
}

/** How long a window of an endpoint may be. */
export interface LearnedWindow {
  /** Longest window that was answered where a longer one was refused; null when none was. */
  maxDays: number | null;
  /** Shortest window that was refused as too long; null when none was. */
  refusedDays: number | null;
}

/** A lesson about windows is tried again after a week. */
const WINDOW_LESSON_MS = 7 * 86_400_000;

/** The server that taught something, and when. */
export interface LearnedFrom {
  baseUrl: string;
  /** Milliseconds since the epoch. */
  startedAt: number;
}

const learnedRow = z.object({
  endpoint: z.string(),
  organization_id: z.string(),
  max_window_days: z.number().nullable(),
  refused_days: z.number().nullable(),
  expires_at: z.string().nullable(),
  end_inclusive: z.boolean().nullable(),
  quota_limit: z.number().nullable(),
  quota_remaining: z.number().nullable(),
  quota_reset_at: z.string().nullable(),
});

/** @param now milliseconds since the epoch */
export async function readLearned(connection: Connection, baseUrl: string, now: number): Promise<Learned> {
  const rows = await connection.rowsAs(learnedRow, 'select * from meta.limits where base_url = $1', [
    baseUrl,
  ]);
  const learned: Learned = { windows: new Map(), endDays: new Map(), quotas: new Map() };
  for (const row of rows) {
    const { max_window_days: maxDays, refused_days: refusedDays } = row;
    const isWindow = maxDays !== null || refusedDays !== null;
    if (isWindow && isFresh(row.expires_at, now)) learned.windows.set(row.endpoint, { maxDays, refusedDays });
    if (row.end_inclusive !== null && hasEndpoint(row.endpoint))
      learned.endDays.set(row.endpoint, row.end_inclusive);
    if (row.quota_limit !== null && row.quota_remaining !== null && row.quota_reset_at !== null) {
      learned.quotas.set(row.organization_id, {
        limit: row.quota_limit,
        remaining: row.quota_remaining,
        resetAt: Date.parse(row.quota_reset_at),
      });
    }
  }
  return learned;
}

/** A lesson from a clock that was ahead is not believed for longer than any other. */
function isFresh(expiresAt: string | null, now: number): boolean {
  if (expiresAt === null) return false;
  const leftMs = Date.parse(expiresAt) - now;
  return leftMs > 0 && leftMs <= WINDOW_LESSON_MS;
}

/** Learns whether `endDate` counts, for all endpoints of a path, and says anew which days stored answers cover. */
export async function learnEndDays(
  connection: Connection,
  source: LearnedFrom,
  { endpoints, isCounted }: { endpoints: readonly string[]; isCounted: boolean },
): Promise<void> {
  if (endpoints.length === 0) return;
  const names = [...new Set(endpoints)];
  await learn(connection, {
    ...source,
    endpoints: names,
    organizationId: '',
    set: { end_inclusive: isCounted },
  });
  const ofSeries = 'endpoint in (select unnest($1::varchar[])) and window_kind is null';
  await connection.run(
    isCounted
      ? `update meta.slices set covered_end = window_end where ${ofSeries} and covered_end < window_end`
      : // Days were taken for left out until now; weeks and months were not.
        `update meta.slices set covered_end = least(window_end, asked_end - 1)
         where ${ofSeries} and grain in ('week', 'month') and asked_end is not null and window_end < sync_day`,
    [names],
  );
}

export async function learnWindow(
  connection: Connection,
  source: LearnedFrom,
  learned: LearnedWindow & { endpoint: string },
): Promise<void> {
  await learn(connection, {
    ...source,
    endpoints: [learned.endpoint],
    organizationId: '',
    set: {
      max_window_days: learned.maxDays,
      refused_days: learned.refusedDays,
      expires_at: new Date(source.startedAt + WINDOW_LESSON_MS).toISOString(),
    },
  });
}

export async function learnQuota(
  connection: Connection,
  source: LearnedFrom,
  learned: { organizationId: string; quota: QuotaSnapshot },
): Promise<void> {
  await learn(connection, {
    ...source,
    endpoints: ['*'],
    organizationId: learned.organizationId,
    set: {
      quota_limit: learned.quota.limit,
      quota_remaining: learned.quota.remaining,
      quota_reset_at: new Date(learned.quota.resetAt).toISOString(),
      expires_at: new Date(learned.quota.resetAt).toISOString(),
    },
  });
}

interface Lesson extends LearnedFrom {
  endpoints: readonly string[];
  organizationId: string;
  set: Readonly<Record<string, string | number | boolean | null>>;
}

const CASTS: Readonly<Record<string, string>> = {
  quota_reset_at: 'timestamp',
  expires_at: 'timestamp',
};

async function learn(connection: Connection, { set, ...lesson }: Lesson): Promise<void> {
  const names = Object.keys(set);
  const given = names.map((name, index) => {
    const cast = CASTS[name];
    const value = `$${String(index + 5)}`;
    return `${cast === undefined ? value : `cast(${value} as ${cast})`} as ${name}`;
  });
  await connection.run(
    `merge into meta.limits l
     using (select $1 as base_url, unnest($2::varchar[]) as endpoint, $3 as organization_id, cast($4 as timestamp) as learned_at, ${given.join(', ')}) n
     on l.base_url = n.base_url and l.endpoint = n.endpoint and l.organization_id = n.organization_id
     when matched and (${names.map((name) => `l.${name} is distinct from n.${name}`).join(' or ')})
       then update set ${[...names, 'learned_at'].map((name) => `${name} = n.${name}`).join(', ')}
     when not matched then insert by name`,
    [
      lesson.baseUrl,
      lesson.endpoints,
      lesson.organizationId,
      new Date(lesson.startedAt).toISOString(),
      ...Object.values(set),
    ],
  );
}
