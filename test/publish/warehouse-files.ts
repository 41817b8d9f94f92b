import { cpSync } from 'node:fs';
import { realEffects } from '../../src/effects.ts';
import { silentLog } from '../../src/log.ts';
import { publish } from '../../src/publish/publish.ts';
import type { PublishOptions, PublishReport } from '../../src/publish/publish.ts';
import { publishChanged } from '../../src/targets/publish-changed.ts';
import type { Connection } from '../../src/warehouse/connection.ts';
import { openDatabase } from '../../src/warehouse/database.ts';
import { workingPath } from '../../src/warehouse/working-file.ts';
import { madeOnce, prepareWorkingFile } from '../support/made-once.ts';
import { Scratch } from '../support/folder.ts';

export const NOW = Date.UTC(2025, 5, 5, 6);

const TARGET = 'answers.duckdb';

/** A working file with a little data, and the target next to it. */
export interface WarehouseFiles {
  scratch: Scratch;
  target: string;
  connection: Connection;
  publish: (options?: Partial<PublishOptions>) => Promise<PublishReport>;
  /** Adds one day of visibility; `value` may differ. */
  addDay: (date: string, value?: number) => Promise<void>;
}

export async function withWorkingFile(test: (files: WarehouseFiles) => Promise<void>): Promise<void> {
  using scratch = new Scratch();
  const target = scratch.path(TARGET);
  prepareWorkingFile(target);
  await openedIn(scratch, async (files) => {
    await files.addDay('2025-06-01');
    await test(files);
  });
}

/** The same, once what `sql` added is published; made once and copied. */
export async function withPublished(sql: string, test: (files: WarehouseFiles) => Promise<void>) {
  const made = await madeOnce(`published with ${sql}`, (folder) =>
    withWorkingFile(async (files) => {
      await files.connection.run(sql);
      await files.publish();
      await files.connection.run('checkpoint');
      cpSync(files.scratch.folder, folder, { recursive: true });
    }),
  );
  using scratch = new Scratch();
  cpSync(made, scratch.folder, { recursive: true, preserveTimestamps: true });
  await openedIn(scratch, test);
}

async function openedIn(scratch: Scratch, test: (files: WarehouseFiles) => Promise<void>): Promise<void> {
  const target = scratch.path(TARGET);
  // As the build or a test left it: opening it as a run does would look for upgrades.
  await using database = await openDatabase({ path: workingPath(target) });
  const connection = await database.connect();
  await test({
    scratch,
    target,
    connection,
    publish: async (options) => await publish({ connection, targetPath: target, now: NOW, ...options }),
    addDay: async (date, value = 1) => {
      await connection.run(
        `insert into core.visibility values ('p', 'day', '${date}', 'project', 'p', ${String(value)}, 'run-1', epoch_ms(${String(NOW)}))`,
      );
    },
  });
}

/** What a run does at its end, with a published file of this mode. */
export async function publishAtEnd(connection: Connection, path: string, mode = 0o444) {
  const place = { target: 'duckdb', url: null, lake: null } as const;
  const warehouse = { ...place, path, storageVersion: 'v1.0.0', mode };
  const effects = { ...realEffects, now: () => NOW };
  return await publishChanged(connection, { config: { warehouse }, effects, log: silentLog });
}
