import { existsSync, renameSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { textOf, toRun } from '../errors.ts';
import * as published from '../warehouse/published.ts';
import { type Connection } from '../warehouse/connection.ts';
import { explainFailure, isOfMemory, WarehouseError } from '../warehouse/failure.ts';
import * as fileNames from '../warehouse/database-files.ts';
import { writeSettings, countRows } from '../warehouse/tables.ts';
import { quoteIdentifier, quoteLiteral, readSql } from '../warehouse/sql.ts';
import { isDamaged } from './compare.ts';
import { createViews } from './published-file.ts';
import * as ownViews from './own-views.ts';
import { z } from 'zod';

/** The name of the file during construction. */
const ALIAS = fileNames.CATALOGS.publishing;

const DAMAGED =
  'the published file was damaged (the disk, or another program wrote into it): it was written again from the working file';

export interface PublishOptions {
  /** A connection to the working file; its current database is published. */
  connection: Connection;
  /** The file for readers. */
  targetPath: string;
  /** The oldest DuckDB that can read the file. Default: `v1.0.0` (DuckDB 1.1 and newer). */
  storageVersion?: string;
  /** Permissions of the file. Default: 0444, everybody. */
  mode?: number;
  /** The folder of the user's own views; left out: none. */
  viewsDir?: string | undefined;
  /** Called with the number of left-out views and a connection to the file to be published. */
  onLeftOut?: ((file: Connection, count: number) => Promise<void>) | undefined;
  /** Milliseconds since the epoch. */
  now: number;
  /** Called after each step. */
  onStep?: (step: PublishStep) => void;
}

export type PublishStep = 'begun' | 'filled' | 'checked' | 'closed' | 'recorded' | 'placed';

export type PublishReport = Awaited<ReturnType<typeof publish>>;

/**
 * Copies the working file to the target, completely or not at all, after all checks. Readers of the old file keep reading it.
 * @throws AnswerlakeError `storage` (exit 7) if the target cannot be replaced or a check fails; the target is then unchanged
 */
export async function publish(options: PublishOptions) {
  const started = performance.now();
  const { connection, now, mode = 0o444, onStep } = options;
  try {
    const path = published.resolveTarget(options.targetPath);
    fileNames.removeLeftovers(path);
    /** Notices about the replaced file and the user's own views. */
    const warnings: string[] = [];
    await published
      .inspectPublished(connection, path, () => Promise.resolve())
      .catch(async (error: unknown) => {
        if (!(await isDamaged(connection, error))) throw error;
        warnings.push(DAMAGED);
      });
    const views = ownViews.readOwnViews(options.viewsDir);
    await writeSettings(connection, {
      [ownViews.OWN_VIEWS_SETTING]: ownViews.ownViewsDigest(views),
      ...ownViews.leftOutSetting([]),
    });
    const temporary = fileNames.temporaryName(path);
    try {
      const built = await build(temporary, options);
      const leftOut = await ownViews.createOwnViews(temporary, views, options.onLeftOut);
      warnings.push(...leftOut.map(ownViews.leftOutText));
      const bytes = statSync(temporary).size;
      onStep?.('closed');
      await writeSettings(connection, {
        published_at: new Date(now).toISOString(),
        [published.PUBLISHED_FILE]: published.fileMark(temporary),
        ...ownViews.leftOutSetting(leftOut),
      });
      onStep?.('recorded');
      putInPlace(temporary, path, { now, mode });
      onStep?.('placed');
      return { path, bytes, durationMs: performance.now() - started, warnings, ...built };
    } finally {
      fileNames.removeDatabase(temporary);
    }
  } catch (error) {
    throw explainPublish(error, resolve(options.targetPath));
  }
}

/** Builds and checks a file, and leaves it closed. @throws WarehouseError */
async function build(path: string, options: PublishOptions) {
  const { connection, storageVersion = 'v1.0.0', now, onStep } = options;
  await createViews(connection);
  return await published.withAttached(connection, { path, alias: ALIAS, storageVersion }, async (home) => {
    onStep?.('begun');
    await connection.run(`copy from database ${quoteIdentifier(home)} to ${ALIAS}`);
    await connection.run(`use ${ALIAS}`);
    await writeSettings(connection, {
      published_at: new Date(now).toISOString(),
      published_storage_version: storageVersion,
    });
    onStep?.('filled');
    // Flushes the copied rows to the file, to free memory.
    await connection.run(`checkpoint ${ALIAS}`);
    await runChecks(connection);
    onStep?.('checked');
    /** Rows by table, for example `core.visibility`. */
    return { tables: await countRows(connection, ALIAS) };
  });
}

function explainPublish(error: unknown, target: string): unknown {
  const explained = explainFailure(error, target);
  // For the published file, `inspectPublished` reports it itself.
  if (!(explained instanceof WarehouseError) || ['foreign', 'corrupt'].includes(explained.problem))
    return explained;
  const { problem, reason } = explained;
  const [what = '', ...todo] = reason;
  const told = [`not published, left unchanged: ${textOf([what])}`, ...todo];
  return new WarehouseError(told, { problem, path: target, cause: explained });
}

/** Moves a finished file to the target, atomically for readers and safe against a power cut. */
export function putInPlace(temporary: string, target: string, file: { now: number; mode: number }): void {
  if (existsSync(`${temporary}.wal`))
    throw new Error(`${temporary}.wal is still there, so the file is not complete`);
  // Opened before it becomes read-only.
  fileNames.syncToDisk(temporary, 'r+', () => fileNames.setRights(temporary, file.mode));
  // Storage v1.3.0 and older would silently replay a log into the new file next to it.
  const log = `${target}.wal`;
  if (existsSync(log)) renameSync(log, fileNames.asideName(log, 'parked', file.now));
  renameSync(temporary, target);
  fileNames.syncFolder(dirname(target));
}

/** Sets the configured permissions of a published file. */
export function setMode(path: string, mode: number): void {
  if ((statSync(path).mode & 0o777) !== mode) fileNames.setRights(path, mode);
}

const MAX_OFFENDERS = 5;

const offenceRow = z.object({ place: z.string(), offender: z.string() });

/**
 * Proves in the current database of a connection that the keys of each table are unique, two tables at a time. With unique keys, no
 * view holds a row twice: tests prove that. That each view can be read is proven when it is created.
 * @throws WarehouseError (storage) that names the first table with doubled keys and up to 5 of them
 */
async function runChecks(connection: Connection): Promise<void> {
  const declared = await connection.rowsAs(declaredKey, 'from meta.tables');
  // Separate queries, because a single one would hold the memory of all at once.
  const all = [...declared.map(doubledKeys), readSql('publish/unique-meta-keys')];
  const left = all.values();
  const problems = new Map<string, unknown>();
  const runFrom = async (own: Connection): Promise<void> => {
    for (const query of left)
      await runCheck(own, query).catch((error: unknown) => problems.set(query, error));
  };
  using other = await connection.another();
  await other.run(`use ${quoteIdentifier(await connection.currentDatabase())}`);
  await Promise.all([connection, other].map(runFrom));
  for (const query of all.filter((one) => problems.has(one))) {
    const problem = problems.get(query);
    // Two at a time may exceed the memory.
    if (!isOfMemory(problem)) throw problem;
    await runCheck(connection, query);
  }
}

async function runCheck(connection: Connection, query: string): Promise<void> {
  const sql = `select * from (${query}\n) limit ${MAX_OFFENDERS}`;
  const offences = await connection.rowsAs(offenceRow, sql);
  if (offences.length === 0) return;
  const list = offences.map(({ place, offender }) => `${place}: ${offender}`).join('; ');
  const todo = toRun`run ${'answerlake replay'}, which builds the working file again`;
  const details = { problem: 'check failed', path: connection.path } as const;
  throw new WarehouseError([`keys are not unique: ${list};`, todo], details);
}

const declaredKey = z.object({ schema_name: z.string(), table_name: z.string(), key: z.array(z.string()) });

/** The query of keys that occur twice in a table. Nothing else enforces unique keys: the tables have no index. */
function doubledKeys({ schema_name: schema, table_name: table, key }: z.output<typeof declaredKey>): string {
  // Views join the rows of a whole project without looking at their scope_id.
  const columns = key
    .map((name) =>
      name === 'scope_id' ? "if(scope = 'project', project_id, scope_id)" : quoteIdentifier(name),
    )
    .join(', ');
  const name = `${quoteIdentifier(schema)}.${quoteIdentifier(table)}`;
  // Hashes first: the keys themselves take 50 MiB more with 48 projects.
  return (
    `select ${quoteLiteral(`${schema}.${table}`)} as place, concat_ws(' | ', ${columns}) as offender from ${name} ` +
    `where hash(${columns}) in (select hash(${columns}) from ${name} group by 1 having count(*) > 1) group by ${columns} having count(*) > 1`
  );
}
