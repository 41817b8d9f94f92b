import { type Connection, transaction } from '../warehouse/connection.ts';
import { writeSettings } from '../warehouse/settings.ts';
import { quoteIdentifier } from '../warehouse/sql.ts';
import { countRows } from '../warehouse/tables.ts';
import { releaseCache, withinMemory } from '../warehouse/memory-limit.ts';
import {
  CHANGED_CHECKS_MEMORY,
  CHANGES_MEMORY,
  CHECK_MEMORY,
  LITTLE_MEMORY,
  SMALL_FILE_MEMORY,
  checksOfAll,
  checksOfChanges,
  hasFewRows,
  type Check,
  runChecks,
} from './checks.ts';
import { withAttached } from '../warehouse/attached.ts';
import { type Changes, replacePartitions, requireSame } from './compare.ts';
import { createViews, viewsDigest } from './views.ts';
import { CATALOGS, copyDatabase } from '../warehouse/file-names.ts';

/** The name of the file while it is built. */
const ALIAS = CATALOGS.publishing;

export interface Building {
  connection: Connection;
  /** What changed since the file of the last publish, of which a copy is changed; null: the whole file is built. */
  changes: Changes | null;
  /** Where it is built. */
  path: string;
  /** The file of the last publish. */
  target: string;
  storageVersion: string;
  now: number;
  onStep: (step: 'begun' | 'filled' | 'checked') => void;
}

export interface Built {
  /** Rows by table, for example `core.visibility`. */
  tables: Record<string, number>;
  checks: string[];
}

/** Builds a file, checks it, and leaves it closed. @throws WarehouseError, AnswerlakeError */
export async function build(building: Building): Promise<Built> {
  const { changes } = building;
  return changes === null ? await buildWhole(building) : await buildFromLast(building, changes);
}

/** A copy of the last file, in which what changed is replaced. */
async function buildFromLast(building: Building, changes: Changes): Promise<Built> {
  const { connection, onStep, path, target } = building;
  copyDatabase(target, path);
  return await attached(building, async (home) => {
    // All of it is rolled back when it fails.
    await withinMemory(connection, CHANGES_MEMORY, () => applyChanges(building, changes, home));
    await connection.run(`use ${ALIAS}`);
    onStep('filled');
    using other = await connection.another();
    await other.run(`use ${ALIAS}`);
    const checks = checksOfChanges(changes);
    await writeOut(connection);
    // The first connection takes it: temporary tables of the comparison belong to that one.
    const first = (): Promise<void> =>
      requireSame(
        connection,
        { tables: changes.compared, catalog: ALIAS },
        (names) => `after the changes, ${names} still differ from the working file`,
      );
    await runChecks([connection, other], { checks, first, memory: CHANGED_CHECKS_MEMORY });
    await releaseCache(connection);
    onStep('checked');
    return await finish(connection, checks);
  });
}

async function attached<T>(building: Building, work: (home: string) => Promise<T>): Promise<T> {
  const { connection, path, storageVersion, onStep } = building;
  return await withAttached(connection, { path, alias: ALIAS, storageVersion }, async (home) => {
    onStep('begun');
    return await work(home);
  });
}

/** Tables and rows come from the working file, views from the program. */
async function buildWhole(building: Building): Promise<Built> {
  const { connection, onStep } = building;
  return await attached(building, async (home) => {
    await withinMemory(connection, LITTLE_MEMORY, async () => {
      await connection.run(`copy from database ${quoteIdentifier(home)} to ${ALIAS}`);
    });
    await writePublishSettings(building);
    onStep('filled');
    using other = (await hasFewRows(connection, home)) ? await connection.another() : null;
    const connections = other === null ? [connection] : [connection, other];
    for (const one of connections) await one.run(`use ${ALIAS}`);
    await createViews(connection);
    const checks = checksOfAll();
    const memory = other === null ? CHECK_MEMORY : SMALL_FILE_MEMORY;
    await runChecks(connections, { checks, first: writeOut, memory });
    onStep('checked');
    return await finish(connection, checks);
  });
}

/** What was copied goes to the file, and out of memory. */
async function writeOut(connection: Connection): Promise<void> {
  await connection.run(`checkpoint ${ALIAS}`);
}

async function finish(connection: Connection, checks: readonly Check[]): Promise<Built> {
  const tables = await countRows(connection, ALIAS);
  await writeOut(connection);
  return { tables, checks: checks.map(({ name }) => name) };
}

async function applyChanges(building: Building, { tables }: Changes, home: string): Promise<void> {
  const { connection } = building;
  // The settings too: a second commit would write a second checkpoint after a large first one.
  await transaction(connection, async () => {
    await replacePartitions(connection, { tables, from: home, to: ALIAS });
    await writePublishSettings(building);
  });
}

async function writePublishSettings({ connection, storageVersion, now }: Building): Promise<void> {
  const settings = `${ALIAS}.meta.settings`;
  await connection.run(`delete from ${settings} where starts_with(name, 'published')`);
  const values = {
    published_at: new Date(now).toISOString(),
    published_storage_version: storageVersion,
    published_views: viewsDigest(),
  };
  await writeSettings(connection, values, settings);
}
