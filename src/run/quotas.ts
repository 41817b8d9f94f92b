import { z } from 'zod';
import type { Clients } from '../extract/clients.ts';
import { hourOnly, type QuotaSnapshot } from '../extract/quota-state.ts';
import type { Connection } from '../warehouse/connection.ts';
import type { Account } from '../extract/reach-projects.ts';
import { writeSettings } from '../load/load-run.ts';

const quotaRow = z.object({
  organization_id: z.string(),
  quota_limit: z.number(),
  quota_remaining: z.number(),
  quota_reset_at: z.string(),
});

/** Organization id → its hourly quota as last seen. */
export async function readSeenQuotas(
  connection: Connection,
  baseUrl: string,
): Promise<Map<string, QuotaSnapshot>> {
  const rows = await connection.rowsAs(
    quotaRow,
    `select organization_id, quota_limit, quota_remaining, quota_reset_at from meta.quotas
     where base_url = $1 and quota_remaining is not null and quota_reset_at is not null`,
    [baseUrl],
  );
  return new Map(
    rows.map((row) => [
      row.organization_id,
      { limit: row.quota_limit, remaining: row.quota_remaining, resetAt: Date.parse(row.quota_reset_at) },
    ]),
  );
}

/** Keeps the remaining quotas for later runs. @param now milliseconds since the epoch */
export async function keepSeenQuotas(
  connection: Connection,
  quotas: Clients['quotas'],
  { baseUrl, now }: { baseUrl: string; now: number },
): Promise<void> {
  const seen = [...quotas].flatMap(([organization, quota]) => {
    const known = hourOnly(quota.snapshot());
    return known === null
      ? []
      : [[organization, known.limit, known.remaining, new Date(known.resetAt).toISOString()]];
  });
  for (const [organization, limit, remaining, resetAt] of seen) {
    await connection.run(
      `merge into meta.quotas q using (select $1 as base_url, $2 as organization_id, cast($3 as bigint) as quota_limit,
         cast($4 as bigint) as quota_remaining, cast($5 as timestamp) as quota_reset_at, cast($6 as timestamp) as seen_at) n
       on q.base_url = n.base_url and q.organization_id = n.organization_id
       when matched and (q.quota_limit, q.quota_remaining, q.quota_reset_at) is distinct from (n.quota_limit, n.quota_remaining, n.quota_reset_at)
         then update set quota_limit = n.quota_limit, quota_remaining = n.quota_remaining, quota_reset_at = n.quota_reset_at, seen_at = n.seen_at
       when not matched then insert by name`,
      [
        baseUrl,
        organization ?? '',
        limit ?? null,
        remaining ?? null,
        resetAt ?? null,
        new Date(now).toISOString(),
      ],
    );
  }
}

const PREFIX = 'organization_of_account:';

/** Account name → organization id, as earlier runs learned it: the keys of an organization share one quota. */
export async function readOrganizations(connection: Connection): Promise<Map<string, string>> {
  const rows = await connection.rowsAs(
    z.object({ name: z.string(), value: z.string() }),
    'select name, value from meta.settings where starts_with(name, $1) and value is not null',
    [PREFIX],
  );
  return new Map(rows.map(({ name, value }) => [name.slice(PREFIX.length), value]));
}

export async function rememberOrganizations(
  connection: Connection,
  accounts: readonly Account[],
): Promise<void> {
  const known = accounts.flatMap(({ config, organizationId }) =>
    organizationId === null ? [] : [[`${PREFIX}${config.name}`, organizationId] as const],
  );
  await writeSettings(connection, Object.fromEntries(known));
}
