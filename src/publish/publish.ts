import { existsSync, closeSync, fsyncSync, openSync, renameSync, statSync, createReadStream } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { codeOf, messageOf } from '../errors.ts';
import { readVersion } from '../package.ts';
import type { Connection } from '../warehouse/connection.ts';
import * as duckdb from '@duckdb/node-api';
import { explainFailure, WarehouseError } from '../warehouse/failure.ts';
import {
  asideName,
  removeDatabase,
  removeLeftovers,
  setRights,
  temporaryName,
} from '../warehouse/file-names.ts';
import { build, type Building, type Built } from './build.ts';
import { isDamaged, type Changes, RECORDS_SETTING } from './compare.ts';
import { inspectPublished, resolveTarget } from '../warehouse/published.ts';
import { createHash } from 'node:crypto';
import { pipeline } from 'node:stream/promises';
import { z } from 'zod';
import { readSetting, writeSettings } from '../warehouse/settings.ts';

export interface PublishOptions {
  /** A connection to the working file; its current database is published. */
  connection: Connection;
  /** The file for readers. */
  targetPath: string;
  /** The oldest DuckDB that can read the file. Default: `v1.0.0` (DuckDB 1.1 and newer). */
  storageVersion?: string;
  /** Who may read the file. Default: 0444, everybody. */
  mode?: number;
  /** Milliseconds since the epoch. */
  now: number;
  /** How the published file differs from the working one; without it, the whole file is built again. */
  changes?: Changes | null;
  /** Told of every step that is done. */
  onStep?: (step: PublishStep) => void;
}

export type PublishStep = 'begun' | 'filled' | 'checked' | 'closed' | 'recorded' | 'placed';

export interface PublishReport {
  path: string;
  bytes: number;
  durationMs: number;
  /** Rows by table, for example `core.visibility`. */
  tables: Record<string, number>;
  checks: string[];
  strategy: Strategy;
  /** Why it was made in this strategy. */
  why: string;
  /** What people should know of how it was made. */
  warning: string | null;
}

export const DEFAULT_STORAGE_VERSION = 'v1.0.0';

/**
 * Copies the working file to the target, as a whole or not at all, after all checks. Readers of the old file keep reading it.
 * @throws AnswerlakeError `storage` (exit 7) when the target cannot be replaced or a check fails; the target is then unchanged
 */
export async function publish(options: PublishOptions): Promise<PublishReport> {
  const started = performance.now();
  const { connection, now, changes = null, onStep = () => undefined } = options;
  const { storageVersion = DEFAULT_STORAGE_VERSION, mode = DEFAULT_MODE } = options;
  try {
    const target = resolveTarget(options.targetPath);
    removeLeftovers(target);
    if (changes === null) await requireOwn(connection, target);
    const temporary = temporaryName(target);
    try {
      const isThere = existsSync(target);
      const records = await readRecords(connection);
      const program = `answerlake ${readVersion()}, DuckDB ${duckdb.version()}`;
      const choice = chooseStrategy({
        changes,
        records,
        sha256: isThere && changes !== null ? await digestOfFile(target) : null,
        bytes: isThere ? statSync(target).size : 0,
        now,
        program,
      });
      const building = {
        connection,
        changes: choice.strategy === 'changed' ? changes : null,
        path: temporary,
        target,
        storageVersion,
        now,
        onStep,
      };
      const { last, ...built } = await buildOrRebuild(building, choice);
      const bytes = statSync(temporary).size;
      onStep('closed');
      const sha256 = await digestOfFile(temporary);
      const proven = last ?? { provenAt: now, compactBytes: bytes };
      const kept = [{ ...proven, sha256, program }, ...records].slice(0, KEPT);
      await writeSettings(connection, { [RECORDS_SETTING]: JSON.stringify(kept) });
      onStep('recorded');
      putInPlace(temporary, target, { now, mode });
      onStep('placed');
      const { why } = choice;
      return { path: target, bytes, durationMs: performance.now() - started, why, ...built };
    } finally {
      removeDatabase(temporary);
    }
  } catch (error) {
    throw explainPublish(error, resolve(options.targetPath));
  }
}

/** @throws WarehouseError (storage) when something else than a published file, sound or damaged, is at the target */
async function requireOwn(connection: Connection, target: string): Promise<void> {
  try {
    await inspectPublished(connection, target, () => Promise.resolve());
  } catch (error) {
    if (!(await isDamaged(connection, error))) throw error;
  }
}

/** If the file cannot be made from the last one, builds all of it and reports why. */
async function buildOrRebuild(
  building: Building,
  { strategy, warning, last }: Choice,
): Promise<Built & Omit<Choice, 'why'>> {
  try {
    return { ...(await build(building)), strategy, warning, last };
  } catch (error) {
    if (building.changes === null) throw error;
    removeDatabase(building.path);
    return {
      ...(await build({ ...building, changes: null })),
      strategy: 'full',
      last: null,
      warning: `the published file could not be brought up to date and was rewritten: ${messageOf(error)}`,
    };
  }
}

function explainPublish(error: unknown, target: string): unknown {
  const explained = explainFailure(error, target);
  // Of the published file, `inspectPublished` says it itself.
  if (!(explained instanceof WarehouseError) || ['foreign', 'corrupt'].includes(explained.problem))
    return explained;
  return new WarehouseError(`not published, left as it was: ${explained.reason}`, {
    problem: explained.problem,
    path: target,
    cause: explained,
  });
}

/** For everybody, read-only. */
const DEFAULT_MODE = 0o444;

/** Moves a finished file to the target. Readers see one step, and a power cut does no harm. */
export function putInPlace(
  temporary: string,
  target: string,
  { now, mode }: { now: number; mode: number },
): void {
  if (existsSync(`${temporary}.wal`))
    throw new Error(`${temporary}.wal is still there, so the file is not complete`);
  makeReadOnlyOnDisk(temporary, mode);
  parkWriteAheadLog(target, now);
  renameSync(temporary, target);
  syncFolder(dirname(target));
}

/** Gives a published file the configured rights. */
export function setMode(path: string, mode: number): void {
  if ((statSync(path).mode & 0o777) !== mode) setRights(path, mode);
}

// Storage v1.3.0 and older would silently replay a log into the new file next to it.
function parkWriteAheadLog(target: string, now: number): void {
  const log = `${target}.wal`;
  if (existsSync(log)) renameSync(log, asideName(log, 'parked', now));
}

// Windows syncs only a file that is open for writing, so it is opened before it becomes read-only.
function makeReadOnlyOnDisk(path: string, mode: number): void {
  const file = openSync(path, 'r+');
  try {
    setRights(path, mode);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

function syncFolder(path: string): void {
  try {
    const folder = openSync(path, 'r');
    try {
      fsyncSync(folder);
    } finally {
      closeSync(folder);
    }
  } catch (error) {
    // Some systems (Windows, some network mounts) cannot sync a folder.
    if (!['EPERM', 'EISDIR', 'EINVAL', 'EACCES'].includes(codeOf(error) ?? '')) throw error;
  }
}

/** How a published file is made: `full` copies all rows and proves everything; `changed` replaces what differs in a copy of the last file. */
type Strategy = 'full' | 'changed';

interface Choice {
  strategy: Strategy;
  why: string;
  /** Something is odd, and people should know of it. */
  warning: string | null;
  /** The published file that the next one starts from; null in the strategy `full`. */
  last: PublishedRecord | null;
}

export interface Found {
  changes: Changes | null;
  records: readonly PublishedRecord[];
  /** Of the published file; null when it does not exist. */
  sha256: string | null;
  bytes: number;
  /** Milliseconds since the epoch. */
  now: number;
  program: string;
}

const WEEK_MS = 7 * 86_400_000;
const MAX_GROWTH = 4 / 3;
const MAX_CHANGED_SHARE = 1 / 3;

/** Chooses how to make the next published file. */
export function chooseStrategy(found: Found): Choice {
  const { changes, records, sha256, bytes, now, program } = found;
  const full = (why: string, warning: string | null = null): Choice => ({
    strategy: 'full',
    why,
    warning,
    last: null,
  });
  if (changes === null || sha256 === null) return full('nothing can be taken over');
  if (records.length === 0) return full('the working file has not published yet');
  const last = records.find((record) => record.sha256 === sha256);
  if (last === undefined) {
    return full(
      'it is another file',
      'the published file was not the one that answerlake wrote last (another program changed, restored or replaced it): it was rewritten from the working file',
    );
  }
  if (last.program !== program) return full('another version wrote it');
  const ageMs = now - last.provenAt;
  if (ageMs < 0 || ageMs >= WEEK_MS) return full('everything is proven once a week');
  if (bytes > last.compactBytes * MAX_GROWTH) return full('it grew by a third');
  if (changes.rows > changes.rowsInAll * MAX_CHANGED_SHARE) return full('a third of all rows changed');
  return { strategy: 'changed', why: 'part of it changed', warning: null, last };
}

/** What the working file remembers of a file that it published. */
const recordSchema = z.strictObject({
  sha256: z.string(),
  /** Milliseconds since the epoch when all views were created and all rows checked. */
  provenAt: z.number(),
  /** Size in bytes when all rows were last written. */
  compactBytes: z.number(),
  /** Program and database that wrote it. */
  program: z.string(),
});
type PublishedRecord = z.output<typeof recordSchema>;

/** A kill can leave the file before the newest in place. */
const KEPT = 2;

/** The files that were published last, newest first. */
async function readRecords(connection: Connection): Promise<PublishedRecord[]> {
  try {
    return z.array(recordSchema).parse(JSON.parse((await readSetting(connection, RECORDS_SETTING)) ?? '[]'));
  } catch {
    // Another version wrote it: its files are not known.
    return [];
  }
}

/** Takes 35 ms for a file of 40 MB; pieces of 64 KiB take 85 (measured). */
const READ_BYTES = 1024 * 1024;

async function digestOfFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path, { highWaterMark: READ_BYTES }), hash);
  return hash.digest('hex');
}
