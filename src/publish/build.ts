import { chmodSync, constants, copyFileSync } from 'node:fs';
import { z } from 'zod';
import { AnswerlakeError } from '../errors.ts';
import type { Connection } from '../warehouse/connection.ts';
import { nameRow } from '../warehouse/name-row.ts';
import { quoteIdentifier, quoteLiteral } from '../warehouse/quote.ts';
import { releaseCache, returnFreed, whereItGrows, withinMemory } from '../warehouse/less-memory.ts';
import { sideBySide, type Work } from '../warehouse/side-by-side.ts';
import { transaction } from '../warehouse/transaction.ts';
import { withAttached } from './attach.ts';
import { findChanges, type Changes } from './changes.ts';
import { checksOfAll, checksOfChanges, workOfChecks, type Check } from './checks.ts';
import { inspectPublished, PUBLISHED } from './inspect.ts';
import { nameOf } from './parts.ts';
import { replaceParts } from './replace-parts.ts';
import { createViews, viewsDigest } from './views.ts';
import type { Way } from './way.ts';

/** The name of the file while it is built. */
const ALIAS = 'publishing';
/** A copy takes what it may have and is as fast with less (measured: 1.2 million rows; 32 MiB are too few for some); so are checks of a small file. */
const SOME_MEMORY = '128MiB';
/** Up to so many rows, the checks of two connections fit into memory at once (70 MiB more with 600,000 rows). */
const FEW_ROWS = 250_000;

export interface Building {
  connection: Connection;
  way: Way;
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

/** Builds a file in one of three ways, checks it, and leaves it closed. @throws WarehouseError, AnswerlakeError */
export async function build(building: Building): Promise<Built> {
  const { connection, way, changes, path, storageVersion, onStep } = building;
  if (way === 'changed') copyLast(building);
  return await withAttached(connection, { path, alias: ALIAS, storageVersion }, async (home) => {
    onStep('begun');
    if (way === 'changed') await applyChanges(building, home);
    else if (way === 'rewritten') await copyRows(building, home);
    else return await buildAnew(building, home);
    await connection.run(`use ${ALIAS}`);
    if (way !== 'changed') await stamp(building);
    onStep('filled');
    const checks = changes === null ? checksOfAll().tables : checksOfChanges(changes);
    await prove([connection], checks);
    // Last, because it takes the place of the changed parts that the checks look at.
    if (way === 'changed') await proveSame(building);
    onStep('checked');
    return await finish(connection, checks);
  });
}

/** Tables and rows come from the working file, views from `sql/`. */
async function buildAnew(building: Building, home: string): Promise<Built> {
  const { connection, onStep } = building;
  await withinMemory(connection, SOME_MEMORY, async () => {
    await connection.run(`copy from database ${quoteIdentifier(home)} to ${ALIAS}`);
  });
  using other = (await rowsOf(connection, home)) <= FEW_ROWS ? await connection.another() : null;
  const connections = other === null ? [connection] : [connection, other];
  for (const one of connections) await one.run(`use ${ALIAS}`);
  await stamp(building);
  const { tables, views } = checksOfAll();
  // The keys of tables can be proven while the views are created.
  await prove(connections, tables, createViews);
  onStep('filled');
  await prove(connections, views);
  onStep('checked');
  return await finish(connection, [...tables, ...views]);
}

/** Runs `first` and checks, on all connections at once. @throws WarehouseError (storage) */
async function prove(
  connections: readonly Connection[],
  checks: readonly Check[],
  first: Work = () => Promise.resolve(),
): Promise<void> {
  const [connection, ...others] = connections;
  if (connection === undefined) return;
  if (others.length > 0) {
    let isFirstDone = false;
    const begin: Work = async (free) => {
      if (!isFirstDone) await first(free);
      isFirstDone = true;
    };
    const giveBack = whereItGrows(returnFreed);
    const work = [begin, ...workOfChecks(checks)].map((one): Work => async (free) => {
      await giveBack(free);
      await one(free);
    });
    return await withinMemory(connection, SOME_MEMORY, () => sideBySide(connections, work));
  }
  await first(connection);
  const giveBack = whereItGrows(releaseCache);
  for (const one of workOfChecks(checks)) {
    await giveBack(connection);
    await one(connection);
  }
}

async function finish(connection: Connection, checks: readonly Check[]): Promise<Built> {
  const tables = await countRows(connection);
  await connection.run(`checkpoint ${ALIAS}`);
  return { tables, checks: checks.map(({ name }) => name) };
}

async function copyData(connection: Connection, home: string): Promise<void> {
  await withinMemory(connection, SOME_MEMORY, async () => {
    await connection.run(`copy from database ${quoteIdentifier(home)} to ${ALIAS} (data)`);
  });
}

/** Tables and views with their comments come from the last file: creating the views takes longer than copying a small warehouse. */
async function copyRows({ connection, target }: Building, home: string): Promise<void> {
  await inspectPublished(connection, target, async () => {
    await connection.run(`copy from database ${PUBLISHED} to ${ALIAS} (schema)`);
  });
  await copyData(connection, home);
}

function copyLast({ target, path }: Building): void {
  copyFileSync(target, path, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
  chmodSync(path, 0o600);
}

async function applyChanges(building: Building, home: string): Promise<void> {
  const { connection, changes } = building;
  // The stamp too: a second commit would write a second checkpoint after a large first one.
  await transaction(connection, async () => {
    await replaceParts(connection, { tables: changes?.tables ?? [], from: home, to: ALIAS });
    await stamp(building);
  });
}

/** @throws AnswerlakeError when the file does not hold exactly what the working file holds */
async function proveSame({ connection, changes }: Building): Promise<void> {
  if (changes === null) return;
  const left = await findChanges(connection, changes.compared, ALIAS);
  if (left.tables.length === 0) return;
  throw new AnswerlakeError(
    `after the changes, ${left.tables.map(nameOf).join(', ')} still differ from the working file`,
    { class: 'storage' },
  );
}

async function stamp({ connection, storageVersion, now }: Building): Promise<void> {
  await connection.run(`delete from ${ALIAS}.meta.settings where starts_with(name, 'published')`);
  await connection.appendRows({
    catalog: ALIAS,
    schema: 'meta',
    table: 'settings',
    columns: ['name', 'value'],
    rows: [
      ['published_at', new Date(now).toISOString()],
      ['published_storage_version', storageVersion],
      ['published_views', viewsDigest()],
    ],
  });
}

async function rowsOf(connection: Connection, catalog: string): Promise<number> {
  const [all] = await connection.rowsAs(
    z.object({ rows: z.number() }),
    'select coalesce(cast(sum(estimated_size) as bigint), 0) as rows from duckdb_tables() where database_name = $1',
    [catalog],
  );
  return all?.rows ?? 0;
}

const countRow = z.object({ name: z.string(), found: z.number() });

async function countRows(connection: Connection): Promise<Record<string, number>> {
  const tables = await connection.rowsAs(
    nameRow,
    `select schema_name || '.' || table_name as name from duckdb_tables()
     where database_name = current_database() and not internal order by name`,
  );
  const counts = tables.map(
    ({ name }) => `select ${quoteLiteral(name)} as name, count(*) as found from ${name}`,
  );
  const rows = await connection.rowsAs(countRow, counts.join(' union all '));
  return Object.fromEntries(rows.map(({ name, found }) => [name, found]));
}
