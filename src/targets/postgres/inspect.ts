import { z } from 'zod';
import { AnswerlakeError } from '../../errors.ts';
import type { Secret } from '../../secret.ts';
import type { TargetSession } from './session.ts';
import { SCHEMAS } from './tables.ts';

const OLDEST_VERSION = 150_000;

/** The settings in a target; empty if it is new. */
export type TargetSettings = ReadonlyMap<string, string | null>;

const serverRow = z.object({
  number: z.number(),
  version: z.string(),
  encoding: z.string(),
});

/** The version of the server. @throws AnswerlakeError (configuration) when it cannot be a target */
export async function requireServer(session: TargetSession, { origin }: Secret): Promise<string> {
  const [server] = await session.rows(
    serverRow,
    `select current_setting('server_version_num')::int as number, current_setting('server_version') as version,
       current_setting('server_encoding') as encoding`,
  );
  const { number = 0, version = 'of an unknown version', encoding = '' } = server ?? {};
  if (number >= OLDEST_VERSION && encoding === 'UTF8') return version;
  const problem =
    number < OLDEST_VERSION
      ? `the server is PostgreSQL ${version}: 15 or newer is needed`
      : `the database is in ${encoding}: create one with encoding UTF8`;
  throw new AnswerlakeError(`warehouse.url (${origin}): ${problem}`, { class: 'configuration' });
}

/**
 * Reads the settings of the database.
 * @throws AnswerlakeError (configuration) if another program made a schema of ours
 */
export async function readTarget(session: TargetSession): Promise<TargetSettings> {
  const schemas = await session.rows(
    z.object({ name: z.string(), is_used: z.boolean(), is_ours: z.boolean() }),
    `select nspname as name, exists (select from pg_catalog.pg_class where relnamespace = n.oid) as is_used,
       to_regclass('meta.target_settings') is not null as is_ours
     from pg_catalog.pg_namespace n where nspname = any($1)`,
    [SCHEMAS],
  );
  if (schemas.some(({ is_ours: isOurs }) => isOurs)) {
    const settings = await session.rows(
      z.object({ name: z.string(), value: z.string().nullable() }),
      'select name, value from meta.target_settings',
    );
    return new Map(settings.map(({ name, value }) => [name, value]));
  }
  const taken = schemas.filter(({ is_used: isUsed }) => isUsed).map(({ name }) => name);
  if (taken.length === 0) return new Map();
  throw new AnswerlakeError(
    `warehouse.url: the database has a schema ${taken.join(', ')} that answerlake did not make: name a database of its own, or rename the schema`,
    { class: 'configuration' },
  );
}
