import { existsSync } from 'node:fs';
import { usageError, type AnswerlakeError } from '../../errors.ts';
import { readWarehouseId, warehouseId } from '../../load/load-run.ts';
import type { Postgres } from '../queue/postgres.ts';
import { readSetting, writeSetting } from '../queue/schema.ts';
import type { Connection } from '../../warehouse/connection.ts';
import { workingPath } from '../../warehouse/working-file.ts';

/** Requires the working file that this queue is loaded into; the first one becomes it. Another one would replace what readers and targets have. @throws AnswerlakeError (configuration) */
export async function requireSameWarehouse(
  connection: Connection,
  postgres: Postgres,
  publish: () => Promise<void>,
): Promise<void> {
  const own = await readWarehouseId(connection);
  const queue = await readSetting(postgres, 'warehouse');
  if (queue !== null && queue !== own) throw otherWarehouse(connection.path);
  const id = await warehouseId(connection);
  // A lost working file is made from the published one, which must have the id before the queue requires it.
  if (queue === null) await publish();
  await writeSetting(postgres, 'warehouse', id);
}

/** Requires that some working file exists, before it is opened: a standby must share the disk of the loader. @throws AnswerlakeError (configuration) */
export async function requireSomeWarehouse(publishedPath: string, postgres: Postgres): Promise<void> {
  const path = workingPath(publishedPath);
  if (existsSync(path) || existsSync(publishedPath)) return;
  if ((await readSetting(postgres, 'warehouse')) !== null) throw otherWarehouse(path);
}

function otherWarehouse(path: string): AnswerlakeError {
  return usageError(
    `${path} is not the working file that this queue is loaded into: loader and standby must share its disk. Mount that disk, or bring the file back; where it is lost for good, run answerlake queue init --new-warehouse, and this one is filled instead.`,
  );
}
