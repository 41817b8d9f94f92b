import { z } from 'zod';
import type { Account } from '../extract/validate-account.ts';
import { writeSettings } from '../load/settings.ts';
import type { Connection } from '../warehouse/connection.ts';

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
