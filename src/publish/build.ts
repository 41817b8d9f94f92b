import { chmodSync, constants, copyFileSync, rmSync } from 'node:fs';
import { z } from 'zod';
import { AnswerlakeError } from '../errors.ts';
import { type Connection, transaction } from '../warehouse/connection.ts';
import { nameRow } from '../warehouse/values.ts';
import { quoteIdentifier, quoteLiteral } from '../warehouse/sql.ts';
import { releaseCache, withinMemory } from '../warehouse/memory-limit.ts';
import {
  type Work,
  CHANGED_CHECKS_MEMORY,
  CHANGES_MEMORY,
  Connections,
  LITTLE_MEMORY,
  SMALL_FILE_MEMORY,
  checksOfAll,
  checksOfChanges,
  type Check,
  runChecks,
} from './checks.ts';
import { findTemplate } from '../warehouse/template.ts';
import { withAttached } from './inspect.ts';
import { findChanges, haveSameTables, type Changes, nameOf, replacePartitions } from './compare.ts';
import { createViews, publishedTemplate, viewsDigest } from './views.ts';
import type { Strategy } from './strategy.ts';
import { CATALOGS } from '../warehouse/file-names.ts';

/** The name of the file while it is built. */
const ALIAS = CATALOGS.publishing;
const TEMPLATE = CATALOGS.template;

export interface Building {
  connection: Connection;
  strategy: Strategy;
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
  if (building.changes !== null && building.strategy === 'changed')
    return await buildFromLast(building, building.changes);
  return (await buildFromTemplate(building)) ?? (await buildWithoutTemplate(building));
}

/** A copy of the last file, in which what changed is replaced. */
async function buildFromLast(building: Building, changes: Changes): Promise<Built> {
  const { connection, onStep } = building;
  copyLast(building);
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
    const first = (): Promise<void> => checkSame(connection, changes);
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

/** Tables and views come from the build of the program, rows from the working file; null when there is no template of its tables. */
async function buildFromTemplate(building: Building): Promise<Built | null> {
  const { connection, path, storageVersion, onStep } = building;
  const template = findTemplate(publishedTemplate(storageVersion));
  if (template === null) return null;
  const built = await attached(building, async (home) => {
    if (!(await copyStructure(connection, template, home))) return null;
    using connections = await Connections.open(connection, home);
    await copyFrom(connection, home, '(data)');
    await writeSettings(building);
    onStep('filled');
    const { tables, views } = checksOfAll();
    return await checkAndFinish(building, connections.all, [
      { first: writeOut, checks: [...tables, ...views] },
    ]);
  });
  if (built === null) rmSync(path);
  return built;
}

/** Copies tables and views, where the tables are those of `home`. A copy of the file itself would keep what it replaces: 6 free blocks. */
async function copyStructure(connection: Connection, template: string, home: string): Promise<boolean> {
  return await withAttached(connection, { path: template, alias: TEMPLATE }, async () => {
    if (!(await haveSameTables(connection, home, TEMPLATE))) return false;
    await connection.run(`copy from database ${TEMPLATE} to ${ALIAS} (schema)`);
    return true;
  });
}

/** Rows and tables come from the working file, views from `sql/`. */
async function buildWithoutTemplate(building: Building): Promise<Built> {
  const { connection, onStep } = building;
  return await attached(building, async (home) => {
    await copyFrom(connection, home);
    await writeSettings(building);
    onStep('filled');
    using connections = await Connections.open(connection, home);
    const { tables, views } = checksOfAll();
    // The keys of tables can be proven while the views are created.
    const steps = [{ first: createViews, checks: tables }, { checks: views }];
    return await checkAndFinish(building, connections.all, steps);
  });
}

async function copyFrom(connection: Connection, home: string, part: '' | '(data)' = ''): Promise<void> {
  await withinMemory(connection, LITTLE_MEMORY, async () => {
    await connection.run(`copy from database ${quoteIdentifier(home)} to ${ALIAS} ${part}`);
  });
}

/** What was copied goes to the file, and out of memory. */
async function writeOut(connection: Connection): Promise<void> {
  await connection.run(`checkpoint ${ALIAS}`);
}

async function checkAndFinish(
  { connection, onStep }: Building,
  connections: readonly Connection[],
  steps: readonly { first?: Work; checks: readonly Check[] }[],
): Promise<Built> {
  for (const one of connections) await one.run(`use ${ALIAS}`);
  for (const { first, checks } of steps)
    await runChecks(connections, { checks, first, memory: SMALL_FILE_MEMORY });
  onStep('checked');
  return await finish(
    connection,
    steps.flatMap(({ checks }) => checks),
  );
}

async function finish(connection: Connection, checks: readonly Check[]): Promise<Built> {
  const tables = await countRows(connection);
  await writeOut(connection);
  return { tables, checks: checks.map(({ name }) => name) };
}

function copyLast({ target, path }: Building): void {
  copyFileSync(target, path, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
  chmodSync(path, 0o600);
}

async function applyChanges(building: Building, { tables }: Changes, home: string): Promise<void> {
  const { connection } = building;
  // The settings too: a second commit would write a second checkpoint after a large first one.
  await transaction(connection, async () => {
    await replacePartitions(connection, { tables, from: home, to: ALIAS });
    await writeSettings(building);
  });
}

/** @throws AnswerlakeError when the file does not hold exactly what the working file holds */
async function checkSame(connection: Connection, changes: Changes): Promise<void> {
  const left = await findChanges(connection, changes.compared, ALIAS);
  if (left.tables.length === 0) return;
  throw new AnswerlakeError(
    `after the changes, ${left.tables.map(nameOf).join(', ')} still differ from the working file`,
    { class: 'storage' },
  );
}

async function writeSettings({ connection, storageVersion, now }: Building): Promise<void> {
  await connection.run(`delete from ${ALIAS}.meta.settings where starts_with(name, 'published')`);
  await connection.appendRows({
    catalog: ALIAS,
    schema: 'meta',
    table: 'settings',
    rows: [
      { name: 'published_at', value: new Date(now).toISOString() },
      { name: 'published_storage_version', value: storageVersion },
      { name: 'published_views', value: viewsDigest() },
    ],
  });
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
