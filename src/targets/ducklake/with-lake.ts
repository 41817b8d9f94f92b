import { randomUUID } from 'node:crypto';
import { chmodSync, constants, copyFileSync, existsSync, mkdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { messageOf } from '../../errors.ts';
import { resolveTarget } from '../../publish/inspect.ts';
import { putInPlace } from '../../publish/put-in-place.ts';
import { CATALOGS } from '../../warehouse/catalog-names.ts';
import type { Connection } from '../../warehouse/connection.ts';
import { withNewFilesFor } from '../../warehouse/private-umask.ts';
import { removeLeftovers, temporaryName } from '../../warehouse/publish-names.ts';
import { quoteLiteral } from '../../warehouse/quote.ts';
import { isBucket, type LakeSettings } from './lake-settings.ts';

/** The name of the lake while it is attached. */
export const LAKE = CATALOGS.lake;

// Rows that DuckLake keeps in its catalog lose the last digit of doubles (measured with 1.5.5).
const NO_INLINING = 'data_inlining_row_limit 0';

/** As DuckDB attaches it; with PostgreSQL, it carries the password. */
export function catalogAddress(catalog: LakeSettings['catalog']): string {
  return `ducklake:${typeof catalog === 'string' ? catalog : `postgres:${catalog.reveal()}`}`;
}

/** Changes a lake; false when it left it as it was. */
type Work = () => Promise<boolean>;

/**
 * Attaches the lake as `LAKE` for `work`, makes one where there is none, and lets readers see the new state at the end: a catalog in
 * PostgreSQL is written in place, because its transactions do that; a catalog file is copied, changed, and put in place whole,
 * because a DuckDB file that one process writes locks out every reader.
 */
export async function withLake(
  connection: Connection,
  settings: LakeSettings & { now: number },
  work: Work,
): Promise<void> {
  const { catalog, now, mode } = settings;
  if (typeof catalog !== 'string') {
    await attached(connection, { address: catalogAddress(catalog), settings, mayExist: true }, work);
    return;
  }
  const target = resolveTarget(catalog);
  await withNewFilesFor(mode, () => Promise.resolve(mkdirSync(dirname(target), { recursive: true })));
  removeLeftovers(target, now);
  const temporary = temporaryName(target);
  try {
    const mayExist = existsSync(target);
    if (mayExist) {
      copyFileSync(target, temporary, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
      chmodSync(temporary, 0o600);
    }
    const isChanged = await attached(
      connection,
      { address: catalogAddress(temporary), settings, mayExist },
      work,
    );
    if (isChanged) putInPlace(temporary, target, { now, mode });
  } finally {
    rmSync(temporary, { force: true });
    rmSync(`${temporary}.wal`, { force: true });
  }
}

interface Attachment {
  address: string;
  settings: LakeSettings;
  mayExist: boolean;
}

async function attached(
  connection: Connection,
  { address, settings, mayExist }: Attachment,
  work: Work,
): Promise<boolean> {
  const attach = async (id: string, options: readonly string[]): Promise<void> => {
    const path = quoteLiteral(dataPath(settings.data, id));
    await connection.run(
      `attach ${quoteLiteral(address)} as ${LAKE} (${[`data_path ${path}`, NO_INLINING, ...options].join(', ')})`,
    );
  };
  let isNew = !mayExist;
  if (mayExist) {
    try {
      // An id that no lake has, so that the lake of another program is refused for its path.
      const id = (await readLakeId(connection)) ?? 'none';
      await attach(id, ['create_if_not_exists false']);
    } catch (error) {
      // A catalog file that is there and holds no lake belongs to another program.
      if (typeof settings.catalog === 'string' || !/explicitly disabled/.test(messageOf(error))) throw error;
      isNew = true;
    }
  }
  if (isNew) await attach(await newLakeId(connection), []);
  let isChanged = false;
  try {
    isChanged = await work();
  } catch (error) {
    await connection.run(`detach ${LAKE}`).catch(() => undefined);
    throw error;
  }
  await connection.run(`detach ${LAKE}`);
  return isChanged;
}

function dataPath(data: string, id: string): string {
  return isBucket(data) ? `${data.replace(/\/+$/, '')}/${id}/` : join(data, id, '/');
}

/** Not one of the `published…` settings, so that it outlives a rebuild of the working file. */
const SETTING = 'lake_id';

/** The id of the lake that this warehouse writes, which names the folder of its files; null before the first. */
export async function readLakeId(connection: Connection): Promise<string | null> {
  const [row] = await connection.rowsAs(
    z.object({ value: z.string().nullable() }),
    'select value from meta.settings where name = $1',
    [SETTING],
  );
  return row?.value ?? null;
}

/** Remembers the id of a lake that is about to be made: a lake without a remembered id belongs to another program. */
export async function newLakeId(connection: Connection): Promise<string> {
  const id = randomUUID();
  await connection.run(
    `merge into meta.settings s using (select $1 as name, $2 as value) n on s.name = n.name
     when matched then update set value = n.value when not matched then insert (name, value) values (n.name, n.value)`,
    [SETTING, id],
  );
  return id;
}
