import { z } from 'zod';
import { AnswerlakeError } from '../../errors.ts';
import type { Secret } from '../../secret.ts';
import type { TargetStatus } from '../target.ts';
import type { TargetSession } from './session.ts';

/** The schemas of the published file, and of the target. */
export const SCHEMAS = ['core', 'meta', 'main'] as const;

const OLDEST_VERSION = 150_000;

/** The settings in a target; empty if it is new. */
export type TargetSettings = ReadonlyMap<string, string | null>;

const serverRow = z.object({
  number: z.coerce.number(),
  version: z.string(),
  encoding: z.string(),
  has_icu: z.boolean(),
  is_standby: z.boolean(),
});

/** The version of the server. @throws AnswerlakeError (configuration) when it cannot be a target */
export async function requireServer(session: TargetSession, { origin }: Secret): Promise<string> {
  const [server] = await session.rows(
    serverRow,
    `select current_setting('server_version_num') as number, current_setting('server_version') as version,
       current_setting('server_encoding') as encoding, pg_is_in_recovery() as is_standby,
       exists (select from pg_catalog.pg_collation where collname = 'und-x-icu') as has_icu`,
  );
  const problem = server === undefined ? 'does not say its version' : problemOf(server);
  if (problem === undefined) return server?.version ?? '';
  throw new AnswerlakeError(`warehouse.url (${origin}): the server ${problem}`, { class: 'configuration' });
}

function problemOf({
  number,
  version,
  encoding,
  has_icu: hasIcu,
  is_standby: isStandby,
}: z.output<typeof serverRow>) {
  if (number < OLDEST_VERSION) return `is PostgreSQL ${version}: 15 or newer is needed`;
  if (encoding !== 'UTF8') return `has the database in ${encoding}: create one with encoding UTF8`;
  if (isStandby) return 'is a standby, which is only read: name the primary server';
  return hasIcu ? undefined : 'was built without ICU, which lower case in all languages needs';
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

/** Checks that a publish could write the database. @throws AnswerlakeError (configuration, storage) */
export async function inspect(session: TargetSession, url: Secret): Promise<TargetStatus> {
  const version = await requireServer(session, url);
  const settings = await readTarget(session);
  const missing = await missingRights(session);
  if (missing.length > 0) {
    throw new AnswerlakeError(
      `warehouse.url (${url.origin}): the user lacks the right to ${missing.join(' and to ')}: grant it, or make the user owner of the schemas core, meta and main`,
      { class: 'storage' },
    );
  }
  return { what: `PostgreSQL ${version}`, publishedAt: settings.get('published_at') ?? null };
}

async function missingRights(session: TargetSession): Promise<string[]> {
  const rows = await session.rows(
    z.object({ what: z.string() }),
    `select 'create in schema ' || s as what from unnest($1::text[]) as s
     where to_regnamespace(s) is not null and not has_schema_privilege(s, 'create')
     union all
     select 'create schemas' where not has_database_privilege(current_database(), 'create')
       and exists (select from unnest($1::text[]) as s where to_regnamespace(s) is null)
     union all
     select 'write: default_transaction_read_only is on' where current_setting('transaction_read_only') = 'on'`,
    [SCHEMAS],
  );
  return rows.map(({ what }) => what);
}
