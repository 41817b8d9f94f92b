import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Connection } from '../../warehouse/connection.ts';

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

/** Remembers the id of a lake that is about to be made: a lake that nobody remembers is somebody else's. */
export async function newLakeId(connection: Connection): Promise<string> {
  const id = randomUUID();
  await connection.run(
    `merge into meta.settings s using (select $1 as name, $2 as value) n on s.name = n.name
     when matched then update set value = n.value when not matched then insert (name, value) values (n.name, n.value)`,
    [SETTING, id],
  );
  return id;
}
