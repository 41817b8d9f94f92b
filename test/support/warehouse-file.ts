import { copyFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { addDays } from '../../src/day.ts';
import { Loader } from '../../src/load/loader.ts';
import type { LedgerEntry } from '../../src/load/ledger.ts';
import { settleLoad } from '../../src/load/settle.ts';
import type { LoadRun } from '../../src/load/load-run.ts';
import type { RawArchive } from '../../src/load/raw-archive.ts';
import type { ArchivedAnswer } from '../../src/slice.ts';
import type { Connection, PlainRow } from '../../src/warehouse/connection.ts';
import { openDatabase, type Database } from '../../src/warehouse/database.ts';
import { NEW_WORKING_FILE } from '../../src/warehouse/working-file.ts';
import { answered, FIRST, RUN_STARTED_AT, SYNC_DAY } from './answers.ts';
import { CATALOGUE } from './catalogue.ts';
import { makeFolder } from './folder.ts';

export const FIRST_RUN: LoadRun = {
  ...FIRST,
  sequence: 1,
  warehouse: 'warehouse-1',
  lookbackDays: 7,
  isWitness: true,
};

const DAY_MS = 86_400_000;

/** A migrated DuckDB file in a folder of its own; both are gone when it is disposed of. */
export class WarehouseFile implements AsyncDisposable {
  readonly connection: Connection;
  readonly folder: string;
  readonly #database: Database;

  private constructor(folder: string, database: Database, connection: Connection) {
    this.folder = folder;
    this.#database = database;
    this.connection = connection;
  }

  static async open(): Promise<WarehouseFile> {
    const folder = makeFolder();
    const path = join(folder, '.answers.work.duckdb');
    // As the build made it: opening it as a run does would look for upgrades.
    copyFileSync(NEW_WORKING_FILE, path);
    const database = await openDatabase({ path, settings: { threads: 2 } });
    return new WarehouseFile(folder, database, await database.connect());
  }

  /** A loader of a run; `archive`: where it keeps the answers. */
  async loader(run: Partial<LoadRun> = {}, archive: RawArchive | null = null): Promise<Loader> {
    return new Loader({ connection: this.connection, run: { ...FIRST_RUN, ...run }, archive });
  }

  /** Loads the answers as one batch of a run. */
  async load(answers: readonly ArchivedAnswer[], run: Partial<LoadRun> = {}): Promise<LedgerEntry[]> {
    const loader = await this.loader(run);
    return await loader.load(answers.map(answered));
  }

  /** Loads the answers as one batch of the night `number`: the first is night 1, and each has a sync day and a run of its own. */
  async night(number: number, answers: readonly ArchivedAnswer[], run: Partial<LoadRun> = {}) {
    const syncDay = addDays(SYNC_DAY, number - 1);
    const startedAt = RUN_STARTED_AT + (number - 1) * DAY_MS;
    const ofNight = answers.map((answer) => ({ ...answer, syncDay }));
    const changes = { runId: `run-${number}`, sequence: number, syncDay, startedAt, ...run };
    const entries = await this.load(ofNight, changes);
    await settleLoad(this.connection, { ...FIRST_RUN, ...changes }, CATALOGUE.all);
    return entries;
  }

  /** The same of one answer. */
  async answered(number: number, answer: ArchivedAnswer, run: Partial<LoadRun> = {}): Promise<LedgerEntry> {
    const [entry] = await this.night(number, [answer], run);
    if (entry === undefined) throw new Error('nothing was loaded');
    return entry;
  }

  async rows(sql: string): Promise<PlainRow[]> {
    return await this.connection.rows(sql);
  }

  /** The values of the first column. */
  async column(sql: string): Promise<unknown[]> {
    return (await this.rows(sql)).map((row) => Object.values(row)[0]);
  }

  /** All rows of a `core` table as text, in a fixed order. */
  async contents(table: string): Promise<string[]> {
    return (await this.column(`select to_json(t)::varchar from core.${table} t order by 1`)).map(String);
  }

  async coreTables(): Promise<string[]> {
    const tables = "select table_name from duckdb_tables() where schema_name = 'core' order by 1";
    return (await this.column(tables)).map(String);
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.#database.close();
    rmSync(this.folder, { recursive: true, force: true });
    return Promise.resolve();
  }
}
