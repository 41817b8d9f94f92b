import { mkdirSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import pLimit, { type LimitFunction } from 'p-limit';
import { z } from 'zod';
import type { Config } from '../../config/config.ts';
import { dayOf, addDays } from '../../day.ts';
import type { Catalogue } from '../../endpoints/catalogue.ts';
import { messageOf, storageError } from '../../errors.ts';
import { freshAnswers } from '../../load/ledger.ts';
import { Loader } from '../../load/loader.ts';
import type { Answered } from '../../load/prepare-answer.ts';
import { archivePartPath } from '../../load/raw-archive.ts';
import { replaceFile } from '../../files.ts';
import { resultOf, type SliceResult } from '../../run/outcome.ts';
import { enterKnownRun } from '../../run/run-record.ts';
import type { Surroundings } from '../../run/sync-request.ts';
import type { Slice } from '../../slice.ts';
import type { Connection } from '../../warehouse/connection.ts';
import * as landed from '../landing/part.ts';
import type { Zone } from '../landing/zone.ts';

/** Parallel requests to a bucket, for all organizations. */
const CONCURRENCY = 16;
/** Loaded parts are in the raw archive too; the landing zone keeps them for a look at what went wrong. */
const MAX_KEPT_DAYS = 7;
/** Manifests that are in memory at once. */
const MAX_MANIFESTS = 256;
/** Compressed bytes and parts of one transaction: its answers are in memory at once. */
const MAX_BATCH_BYTES = 2_097_152;
const MAX_BATCH_PARTS = 64;

interface IntakeRequest extends Surroundings {
  config: Config;
  zone: Zone;
  connection: Connection;
  limitWrites: LimitFunction;
}

/** What was loaded of a round. */
export type Taken = ReturnType<typeof takenNothing>;

export function takenNothing() {
  const results: SliceResult[] = [];
  const answered: Slice[] = [];
  const damages: landed.DamagedPartError[] = [];
  return { results, answered, damages, requests: 0, retries: 0 };
}

type TakenBy = (round: string) => Taken;

export type Intake = ReturnType<typeof openIntake>;

/** Loads parts into the working file, each once. */
export function openIntake(request: IntakeRequest) {
  const { config, effects, log, zone, connection, limitWrites, signal } = request;
  const reading = pLimit(CONCURRENCY);
  /** Reported as damaged. */
  const refused = new Set<string>();
  /** Their content was loaded under another name. */
  const repeated = new Set<string>();
  /** Found in the landing zone and not loaded yet. */
  let waiting = 0;

  const notLoaded = async (start: string): Promise<string[]> => {
    const listed = await landed.listParts(zone, start);
    const fresh = listed.filter((name) => !refused.has(name) && !repeated.has(name));
    if (fresh.length === 0) return fresh;
    const sql = 'select name from meta.parts where starts_with(name, $1)';
    const known = new Set(await limitWrites(() => connection.values(z.string(), sql, [start])));
    const contents = new Set([...known].map(landed.contentOf));
    for (const name of fresh)
      if (!known.has(name) && contents.has(landed.contentOf(name))) repeated.add(name);
    return fresh.filter((name) => !contents.has(landed.contentOf(name)));
  };
  /** Reads each; leaves damaged parts out and reports them, each once. */
  const readEach = async <One, Read>(
    all: readonly One[],
    takenBy: TakenBy,
    read: (one: One) => Promise<Read>,
  ): Promise<Read[]> => {
    const found = await reading.map(all, async (one) => {
      try {
        return [await read(one)];
      } catch (error) {
        if (!(error instanceof landed.DamagedPartError)) throw error;
        const { part, damage } = error;
        refused.add(part);
        takenBy(landed.roundOf(part)).damages.push(error);
        log.error('part.refused', { part, what: damage });
        return [];
      }
    });
    return found.flat();
  };
  const load = async (batch: readonly landed.FoundPart[], takenBy: TakenBy): Promise<void> => {
    const parts = await readEach(batch, takenBy, (one) => landed.readPart(zone, one, config.catalogue));
    for (const part of parts) archivePart(part, config.raw.dir);
    const entries = await limitWrites(() => loadParts(parts, connection, { ...config, now: effects.now() }));
    const results = new Map(entries.map((entry) => [landed.sliceName(entry.slice), resultOf(entry)]));
    for (const { name, manifest, answers } of parts) {
      const { run, round, slices, requests, retries, bytes } = manifest;
      const taken = takenBy(round);
      taken.results.push(...slices.flatMap((slice) => results.get(slice) ?? []));
      taken.answered.push(...answers.map(({ slice }) => slice));
      taken.requests += requests;
      taken.retries += retries;
      log.info('part.loaded', { run, part: name, answers: answers.length, bytes });
    }
  };
  return {
    /** What `queue status` and the metrics show. */
    counts: (): Readonly<Record<string, number>> => ({
      parts_waiting: waiting,
      parts_repeated: repeated.size,
      parts_refused: refused.size,
    }),
    /** Loads the parts whose name begins with `start` and that are not loaded yet, the oldest run first. @param takenBy to what the parts of a round are added @throws AnswerlakeError (storage, locked) */
    take: async (start: string, takenBy: TakenBy): Promise<void> => {
      // Days are listed one by one.
      const starts = start === '' ? (await zone.folders()).map((day) => `${day}/`) : [start];
      const found = (await reading.map(starts, notLoaded)).flat();
      // Runs sort by their start, and rounds in the order of sending.
      const withoutDay = (name: string): string => name.slice(name.indexOf('/') + 1);
      const fresh = found.sort((a, b) => (withoutDay(a) < withoutDay(b) ? -1 : 1));
      waiting = fresh.length;
      try {
        while (fresh.length > 0) {
          const names = fresh.splice(0, MAX_MANIFESTS);
          const read = await readEach(names, takenBy, (name) => landed.readManifest(zone, name));
          for (const batch of batchesOf(read)) {
            if (signal.aborted) return;
            await load(batch, takenBy);
            waiting -= batch.length;
          }
        }
      } finally {
        waiting = 0;
      }
    },
    /** Removes parts that were loaded a week ago; refused ones, which no archive has, are kept as long as the raw archive keeps answers. */
    prune: async (): Promise<void> => {
      // By the clock, as in the raw archive: a run may use another day as today.
      const today = dayOf(effects.now());
      const oldest = addDays(today, -Math.min(MAX_KEPT_DAYS, config.raw.keepDays));
      const sql = 'from meta.parts where loaded_at < cast($1 as timestamp)';
      const oldestRefused = addDays(today, -config.raw.keepDays);
      const old = [...refused].filter((name) => name < oldestRefused);
      for (const name of old) refused.delete(name);
      old.push(...(await connection.values(z.string(), `select name ${sql} order by name`, [oldest])));
      if (old.length === 0) return;
      await reading.map(old, (name) => landed.removePart(zone, name));
      await connection.run(`delete ${sql}`, [oldest]);
      log.info('landing.pruned', { parts: old.length });
    },
  };
}

/** Parts that one transaction may load: of one run, without a common slice, and bounded in size. */
export function batchesOf(found: readonly landed.FoundPart[]): landed.FoundPart[][] {
  const batches: landed.FoundPart[][] = [];
  let batch: landed.FoundPart[] = [];
  let bytes = 0;
  let slices = new Set<string>();
  for (const one of found) {
    const { manifest } = one;
    const isFull = batch.length >= MAX_BATCH_PARTS || bytes + manifest.bytes > MAX_BATCH_BYTES;
    const isOther = batch[0]?.manifest.run !== manifest.run;
    if (isFull || isOther || manifest.slices.some((slice) => slices.has(slice))) {
      batches.push((batch = []));
      [bytes, slices] = [0, new Set()];
    }
    batch.push(one);
    bytes += manifest.bytes;
    for (const slice of manifest.slices) slices.add(slice);
  }
  return batches;
}

/** Each part is a file of its own in the raw archive, so writing it twice is harmless. */
function archivePart({ name, run, body }: landed.LandedPart, rawDir: string): void {
  const path = archivePartPath(rawDir, run, basename(name));
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    replaceFile(path, body, 0o600);
  } catch (error) {
    const todo = 'free some disk space or fix the permissions of the folder';
    throw storageError([`${path}: the raw archive cannot be written (${messageOf(error)});`, todo], error);
  }
}

/** Loads parts of one run that have no slice in common, and enters them afterwards: to load a part twice changes nothing. */
async function loadParts(
  parts: readonly landed.LandedPart[],
  connection: Connection,
  { catalogue, now }: { catalogue: Catalogue; now: number },
) {
  const [first] = parts;
  if (first === undefined) return [];
  const { run, manifest } = first;
  const answers = parts.flatMap((part) => part.answers);
  const fresh = new Set(await freshAnswers(connection, answers, run));
  const message = 'loaded from the landing zone';
  await enterKnownRun(connection, run, { status: 'failed', version: manifest.version, message });
  const loader = new Loader({ connection, run, archive: null });
  const outcomes = [...fresh].map((answer): Answered => {
    return { kind: 'answered', endpoint: catalogue.named(answer.slice.endpoint), answer };
  });
  const entries = await loader.load(outcomes);
  const rows = parts.map(({ name, manifest, answers: own }) => {
    const { sha256, rows: lines, bytes, requests, version: by, landed_at: landedAt } = manifest;
    const left = own.filter((answer) => !fresh.has(answer)).length;
    const counts = { answers: own.length, superseded: left, rows: lines, bytes, requests };
    return { name, sha256, run_id: run.runId, ...counts, version: by, landed_at: landedAt, loaded_at: now };
  });
  await connection.appendRows({ schema: 'meta', table: 'parts', rows });
  return entries;
}
