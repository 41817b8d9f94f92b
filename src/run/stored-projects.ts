import { z } from 'zod';
import { isAskedFor } from '../config/choice.ts';
import type { Config } from '../config/config.ts';
import { oneLine } from '../errors.ts';
import { projectLabels } from '../project-names.ts';
import { named } from '../quantity.ts';
import type { Connection } from '../warehouse/connection.ts';
import { LISTED } from './run-record.ts';

/** SQL: a key listed this row of `core.projects` at the last validation. */
const IS_LISTED = `(not exists (from meta.settings where starts_with(name, '${LISTED}')) or exists (from meta.settings where name = '${LISTED}' || project_id))`;

const storedProject = z.object({
  id: z.string(),
  name: z.string().nullable(),
  slug: z.string().nullable(),
  isListed: z.boolean(),
});

/** The projects of earlier runs, and whether a key listed each at the last validation. */
export async function readStoredProjects(connection: Pick<Connection, 'rowsAs'>) {
  return await connection.rowsAs(
    storedProject,
    `select project_id as id, name, slug, ${IS_LISTED} as "isListed" from core.projects order by id`,
  );
}

/** Validated keys: the organization of each account, and the ids of all projects that they list, null if unknown. */
interface ValidatedKeys {
  organizations: readonly { account: string; id: string | null }[];
  listed: ReadonlySet<string> | null;
}

/**
 * Warns of keys of an organization that is new in the warehouse if stored projects are no longer listed at the same time: such a key
 * was probably put in by mistake. A new client adds an organization and takes no project away.
 */
export async function warnOfOtherKeys(
  connection: Pick<Connection, 'rowsAs'>,
  { accounts }: Pick<Config, 'accounts'>,
  { organizations, listed }: ValidatedKeys,
): Promise<string[]> {
  const stored = await readStoredProjects(connection);
  const known = await connection.rowsAs(z.object({ id: z.string() }), KNOWN_ORGANIZATIONS);
  const isAsked = isAskedFor(accounts, stored);
  const gone = stored.filter(
    ({ id, isListed }) => isListed && listed !== null && !listed.has(id) && isAsked(id),
  );
  if (gone.length === 0) return [];
  const labels = projectLabels(stored);
  const names = named(
    gone.map(({ id }) => oneLine(labels.get(id) ?? id)),
    MAX_NAMED,
  );
  return organizations
    .filter(({ id }) => id !== null && known.every((one) => one.id !== id))
    .map(
      ({ account }) =>
        `account ${account}: its key belongs to an organization that is new in this warehouse, and no key lists ${names} any more: if it was put in by mistake, correct it, because a sync loads the projects of both into one file`,
    );
}

const KNOWN_ORGANIZATIONS = 'select organization_id as id from core.organizations';
const MAX_NAMED = 5;

/** As `projectLabels`. */
export async function readProjectNames(connection: Connection): Promise<ReadonlyMap<string, string>> {
  return projectLabels(await readStoredProjects(connection));
}
