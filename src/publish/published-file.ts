import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { z } from 'zod';
import { AnswerlakeError, type Message, messageOf, toRun, usageError } from '../errors.ts';
import { type Cell, type QueryResult, type ResultStream, streamOf } from '../warehouse/query-result.ts';
import { type Database, openDatabase } from '../warehouse/database.ts';
import { explainFailure, explainOutdatedViews, isOfNames, outdatedFile } from '../warehouse/failure.ts';
import { versionRefusal } from '../warehouse/migrate.ts';
import { readSetting, writeSettings } from '../warehouse/tables.ts';
import { countStatements, quoteIdentifier, readSqlFiles, type SqlFile } from '../warehouse/sql.ts';
import { interruptOn, type Connection, transaction } from '../warehouse/connection.ts';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { PACKAGE_ROOT } from '../files.ts';

/** The published file, open for reading. */
export type PublishedFile = Awaited<ReturnType<typeof openPublishedFile>>;

/** Options for opening the published file. */
export interface OpenOptions {
  /** Interrupts a query. */
  signal?: AbortSignal;
  /** Left out: DuckDB's default. */
  threads?: number;
  /** Also opens a file from another version of the program, for readers that need no particular view. */
  isAnyVersion?: boolean;
}

/**
 * Opens the published file for reading; queries reach no other file and no network. Close it soon: an open file stays the old one
 * after a new publish.
 * @throws AnswerlakeError 'configuration' if it does not exist; 'storage' if it needs its first publish after an upgrade, or this program cannot read it
 */
export async function openPublishedFile(path: string, options: OpenOptions = {}) {
  if (!existsSync(path)) throw noPublishedFile(path);
  const { signal, threads, isAnyVersion = false } = options;
  const shared = await share(path, threads);
  const connection = await shared.database.connect();
  const { raw } = connection;
  const interruption = interruptOn(signal, raw);
  const close = (): void => {
    interruption[Symbol.dispose]();
    connection.close();
    shared[Symbol.dispose]();
  };
  let outdated: AnswerlakeError | null;
  try {
    const refusal = await versionRefusal(connection);
    const isReadable = refusal === null || refusal.problem === 'newer format';
    if (!isReadable) throw refusal;
    const isOurs = refusal === null && (await readSetting(connection, VIEWS_SETTING)) === viewsDigest();
    outdated = isOurs ? null : (refusal ?? outdatedFile());
    if (outdated !== null && !isAnyVersion) throw outdated;
  } catch (error) {
    close();
    throw error;
  }
  const explained = async <Result>(asked: Promise<Result>): Promise<Result> =>
    await asked.catch((error: unknown) => {
      throw explainOutdatedViews(error);
    });
  const stream = async (sql: string): Promise<ResultStream> => {
    signal?.throwIfAborted();
    try {
      requireOneStatement(sql);
      return streamOf(await raw.run(sql), signal);
    } catch (error) {
      if (signal?.aborted === true) throw signal.reason;
      const failure = explainFailure(error, path);
      if (failure instanceof AnswerlakeError) throw failure;
      // Another version has other views and columns, and the same syntax.
      const hint = outdated !== null && isOfNames(error) ? `\n${outdated.message}` : '';
      throw usageError(explainQuery(messageOf(error), hint), error);
    }
  };
  return {
    /** The same as `query` for any number of rows: DuckDB computes all of them before the first is read, so nothing fails in between. @throws as `query` */
    stream,
    /**
     * Runs a person's single statement; `maxRows` bounds the rows that are read.
     * @throws AnswerlakeError 'configuration' with DuckDB's own message if the SQL is wrong
     */
    query: async (sql: string, maxRows = Number.POSITIVE_INFINITY): Promise<QueryResult> => {
      const { parts, ...result } = await stream(sql);
      const rows: Cell[][] = [];
      for await (const part of parts) {
        rows.push(...part.slice(0, maxRows - rows.length));
        if (rows.length >= maxRows) break;
      }
      return { ...result, rows };
    },
    /** The warning if its views are from another version of the program, as after an upgrade until the next publish; null: they are ours. */
    outdated,
    /** Runs one of our own queries, with a schema for its rows. @throws WarehouseError (storage) */
    rowsAs: <Read>(row: z.ZodType<Read>, sql: string): Promise<Read[]> =>
      explained(connection.rowsAs(row, sql)),
    /** The first value of each row. @throws as `rowsAs` */
    values: <Read>(schema: z.ZodType<Read>, sql: string): Promise<Read[]> =>
      explained(connection.values(schema, sql)),
    /** Runs one or several of our own statements. @throws WarehouseError (storage) */
    run: async (sql: string): Promise<void> => void (await explained(connection.run(sql))),
    [Symbol.asyncDispose]: (): Promise<void> => Promise.resolve(close()),
  };
}

const openFiles = new Map<string, { opening: Promise<Database>; users: number }>();

/** Overlapping queries share one open file, with its memory and threads; a newly published file is opened separately. */
async function share(path: string, threads: number | undefined) {
  const { ino, mtimeMs } = statSync(path);
  const key = [path, ino, mtimeMs, threads].join('|');
  const file = openFiles.get(key) ?? { opening: openLocked(path, threads), users: 0 };
  openFiles.set(key, file);
  file.users += 1;
  let database: Database | undefined;
  const release = (): void => {
    file.users -= 1;
    if (file.users > 0) return;
    openFiles.delete(key);
    database?.close();
  };
  try {
    database = await file.opening;
    return { database, [Symbol.dispose]: release };
  } catch (error) {
    release();
    throw error;
  }
}

/** Queries reach no other file and no network, and cannot change that. */
async function openLocked(path: string, threads: number | undefined): Promise<Database> {
  const database = await openDatabase({ path, readOnly: true, settings: { threads } });
  using connection = await database.connect();
  await connection.run('set enable_external_access = false; set lock_configuration = true');
  return database;
}

const REFUSALS = /in read-only mode|configuration has been locked|disabled by configuration/;

function explainQuery(message: string, hint: string): Message {
  if (!REFUSALS.test(message)) return `The query failed: ${message}${hint}`;
  return [
    `A query only reads the published file: it changes no row and no setting, and opens no other file; nothing was changed (DuckDB: ${message.split('\n')[0] ?? ''}).`,
    `Write a select, or open the file with DuckDB itself.${hint}`,
  ];
}

/** @throws AnswerlakeError (configuration) unless the text is exactly one statement */
function requireOneStatement(sql: string): void {
  const statements = countStatements(sql);
  if (statements === 0)
    throw usageError(['The SQL is empty.', 'Write a statement, for example "show tables".']);
  if (statements > 1)
    throw usageError([
      `The SQL has ${statements} statements, but query runs exactly one; nothing was run.`,
      'Run them one by one.',
    ]);
}

/** The error of a command that needs a published file. */
export function noPublishedFile(path: string): AnswerlakeError {
  return usageError([
    `There is no published file at ${path} yet.`,
    toRun`Run ${'answerlake sync'}, or name another configuration with --config FILE.`,
  ]);
}

const RENDERED_FOLDER = join(PACKAGE_ROOT, 'dist', 'sql');

/** Where the build writes the views as plain SQL. */
export const VIEWS_FOLDER = join(RENDERED_FOLDER, 'views');

/** The meaning of each column, without the extension: the table and the comments of `meta` as SQL, its rows as JSON. */
export const COLUMNS_FILE = join(RENDERED_FOLDER, 'columns');

/** The views, in order of dependency, with comments. @param answersFrom the value of `ANSWERS_SETTING` */
export function readViewFiles(answersFrom = ''): SqlFile[] {
  const files = readSqlFiles('views', RENDERED_FOLDER);
  if (answersFrom === '') return files;
  const bound = (sql: string): string => sql.replace(/select null::.*where false/, `from ${answersFrom}`);
  return files.map((file) => (file.name === 'own_answers' ? { ...file, sql: bound(file.sql) } : file));
}

/**
 * Creates every view, with comments, in the current database, unless it has them. A copied database includes them, which saves a
 * publish half of its processor time (0.9 s with three projects).
 */
export async function createViews(connection: Connection): Promise<void> {
  const digest = viewsDigest();
  if ((await readSetting(connection, VIEWS_SETTING)) === digest) {
    await bindOwnAnswers(connection);
    return;
  }
  const sql = `select view_name from duckdb_views()
    where database_name = current_database() and schema_name = 'main' and not internal`;
  for (const name of await connection.values(z.string(), sql))
    await connection.run(`drop view main.${quoteIdentifier(name)}`);
  await connection.run('drop schema if exists detail cascade');
  // One transaction per file: each comment copies its view, and a transaction keeps all copies (80 MiB for all views).
  for (const { sql } of readViewFiles()) await transaction(connection, () => connection.run(sql));
  await createColumns(connection);
  await writeSettings(connection, { [VIEWS_SETTING]: digest, [ANSWERS_SETTING]: '' });
  await bindOwnAnswers(connection);
}

/** The setting that keeps what `detail.own_answers` reads: to read the text of one view takes the time to write those of all. */
export const ANSWERS_SETTING = 'published_answers_from';

/** Makes `detail.own_answers` read the user's endpoint that lists answers, if it exists: a view may only name existing tables. */
async function bindOwnAnswers(connection: Connection): Promise<void> {
  const columns = await connection.value(
    z.number(),
    `select count(*) from duckdb_columns()
     where database_name = current_database() and schema_name = 'own' and table_name = 'responses'
       and column_name in ('project_id', 'prompt_id', 'date', 'mentioned_own_brand', 'removed_at')`,
  );
  const from = columns === 5 ? 'own.responses' : '';
  if (((await readSetting(connection, ANSWERS_SETTING)) ?? '') === from) return;
  const sql = readViewFiles(from).find(({ name }) => name === 'own_answers')?.sql ?? '';
  await connection.run(sql.replace('create view', 'create or replace view'));
  await writeSettings(connection, { [ANSWERS_SETTING]: from });
}

/** Creates `meta.columns`, and puts the comments on the tables of `meta`. */
export async function createColumns(connection: Connection): Promise<void> {
  const rows = columnRows.parse(JSON.parse(readFileSync(`${COLUMNS_FILE}.json`, 'utf8')));
  await transaction(connection, async () => {
    await connection.run(readFileSync(`${COLUMNS_FILE}.sql`, 'utf8'));
    await connection.appendRows({ schema: 'meta', table: 'columns', rows });
  });
}

const columnRows = z.array(z.record(z.string(), z.union([z.string(), z.boolean(), z.null()])));

/** The setting with the digest of a file's views. */
export const VIEWS_SETTING = 'published_views';

/** Changes with any view, so a program with other views publishes again although no row changed. */
export function viewsDigest(): string {
  return readFileSync(DIGEST_FILE, 'utf8');
}

const DIGEST_FILE = join(RENDERED_FOLDER, 'digest');

/** Written by the build, because otherwise every start of a reader would read 60 files. */
export function writeViewsDigest(): void {
  const hash = createHash('sha256');
  for (const { sql } of readViewFiles()) hash.update(sql);
  for (const ending of ['sql', 'json']) hash.update(readFileSync(`${COLUMNS_FILE}.${ending}`));
  writeFileSync(DIGEST_FILE, hash.digest('hex'));
}
