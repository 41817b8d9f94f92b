import { seenQuotas } from '../extract/quota.ts';
import { hourOnly, type QuotaSnapshot } from '../extract/quota-state.ts';
import type { KnownQuota } from './journal.ts';
import type { Connection } from '../warehouse/connection.ts';
import type { Account } from '../extract/reach-projects.ts';
import { readSettings, writeSettings } from '../warehouse/tables.ts';
import { readSql } from '../warehouse/sql.ts';
import type { OpenRun } from './run-context.ts';

/** Organization id → its hourly quota, as last seen by runs against this origin. */
export function quotasOf(rows: readonly KnownQuota[], baseUrl: string): Map<string, QuotaSnapshot> {
  return new Map(
    rows.flatMap((row) => {
      const { quota_limit: limit, quota_remaining: remaining, quota_reset_at: resetAt } = row;
      if (row.base_url !== baseUrl || remaining === null || resetAt === null) return [];
      return [[row.organization_id, { limit, remaining, resetAt: Date.parse(resetAt) }]];
    }),
  );
}

/** Stores the remaining quotas for later runs. */
export async function keepSeenQuotas({ connection, clients, run, effects }: OpenRun): Promise<void> {
  const seen = seenQuotas(clients.quotas).filter(([, quota]) => hourOnly(quota) !== null);
  if (seen.length === 0) return;
  // One statement for all: a fleet writes the quotas of all organizations after each round.
  await connection.run(readSql('run/merge-quotas'), [
    run.baseUrl,
    seen.map(([organization]) => organization),
    seen.map(([, { limit }]) => String(limit)),
    seen.map(([, { remaining }]) => String(remaining)),
    seen.map(([, { resetAt }]) => new Date(resetAt).toISOString()),
    new Date(effects.now()).toISOString(),
  ]);
}

const PREFIX = 'organization_of_account:';

/** Account name → organization id from earlier validations: the keys of an organization share one quota. */
export async function readOrganizations(connection: Connection): Promise<Map<string, string>> {
  const named = [...(await readSettings(connection))].filter(([name]) => name.startsWith(PREFIX));
  return new Map(named.map(([name, organization]) => [name.slice(PREFIX.length), organization]));
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
