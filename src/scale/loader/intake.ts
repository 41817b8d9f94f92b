import pLimit, { type LimitFunction } from 'p-limit';
import type { Config } from '../../config/config.ts';
import { dayOf, addDays } from '../../day.ts';
import type { Effects } from '../../effects.ts';
import { hasEndpoint } from '../../endpoints/catalogue.ts';
import type { Log } from '../../log.ts';
import { resultOf, type SliceResult } from '../../run/outcome.ts';
import type { Slice } from '../../slice.ts';
import type { Connection } from '../../warehouse/connection.ts';
import { nameRow } from '../../warehouse/values.ts';
import {
  contentOf,
  DamagedPartError,
  type FoundPart,
  listParts,
  MANIFEST_END,
  type Part,
  PART_END,
  readManifest,
  readPart,
  roundOf,
  sliceName,
} from '../landing/part.ts';
import type { Zone } from '../landing/zone.ts';
import { loadParts } from './load-part.ts';

/** Parallel requests to a bucket, for all organizations. */
const CONCURRENCY = 16;
/** Loaded parts are in the raw archive too; the landing zone keeps them for a look at what went wrong. */
const MAX_KEPT_DAYS = 7;
/** Manifests that are in memory at once. */
const MAX_MANIFESTS = 256;
/** Compressed bytes and parts of one transaction: its answers are in memory at once. */
const MAX_BATCH_BYTES = 2_097_152;
const MAX_BATCH_PARTS = 64;

export interface IntakeOptions {
  config: Config;
  effects: Effects;
  log: Log;
  zone: Zone;
  connection: Connection;
  limitWrites: LimitFunction;
  signal: AbortSignal;
}

/** What the parts of a round brought. */
export interface Taken {
  results: SliceResult[];
  answered: Slice[];
  damages: DamagedPartError[];
  requests: number;
  retries: number;
}

export function takenNothing(): Taken {
  return { results: [], answered: [], damages: [], requests: 0, retries: 0 };
}

type TakenBy = (round: string) => Taken;

/** Loads parts into the working file, each once. */
export class Intake {
  readonly #options: IntakeOptions;
  readonly #reading = pLimit(CONCURRENCY);
  /** Reported as damaged. */
  readonly #refused = new Set<string>();
  /** Their content was loaded under another name. */
  readonly #repeated = new Set<string>();
  /** Found in the landing zone and not loaded yet. */
  #waiting = 0;

  constructor(options: IntakeOptions) {
    this.#options = options;
  }

  /** What `queue status` and the metrics show. */
  counts(): Readonly<Record<string, number>> {
    return {
      parts_waiting: this.#waiting,
      parts_repeated: this.#repeated.size,
      parts_refused: this.#refused.size,
    };
  }

  /**
   * Loads the parts whose name begins with `start` and that are not loaded yet, the oldest run first.
   * @param takenBy to what the parts of a round are added
   * @throws AnswerlakeError (storage, locked)
   */
  async take(start: string, takenBy: TakenBy): Promise<void> {
    const { zone, signal } = this.#options;
    const fresh = await this.#fresh(start);
    this.#waiting = fresh.length;
    try {
      while (fresh.length > 0) {
        const names = fresh.splice(0, MAX_MANIFESTS);
        const read = await this.#reading.map(names, (name) => readManifest(zone, name));
        for (const batch of batchesOf(this.#undamaged(read, takenBy))) {
          if (signal.aborted) return;
          await this.#load(batch, takenBy);
          this.#waiting -= batch.length;
        }
      }
    } finally {
      this.#waiting = 0;
    }
  }

  /** Removes parts that were loaded a week ago; refused ones, which no archive has, are kept as long as the raw archive keeps answers. */
  async prune(): Promise<void> {
    const { zone, config, connection, effects, log } = this.#options;
    // By the clock, as in the raw archive: a run may use another day as today.
    const today = dayOf(effects.now());
    const oldest = addDays(today, -Math.min(MAX_KEPT_DAYS, config.raw.keepDays));
    const loaded = await connection.rowsAs(
      nameRow,
      'select name from meta.parts where loaded_at < cast($1 as timestamp) order by name',
      [oldest],
    );
    const oldestRefused = addDays(today, -config.raw.keepDays);
    const refused = [...this.#refused].filter((name) => name < oldestRefused);
    const old = [...loaded.map(({ name }) => name), ...refused];
    if (old.length === 0) return;
    await this.#reading.map(old, async (name) => {
      await zone.remove(name + MANIFEST_END);
      await zone.remove(name + PART_END);
    });
    await connection.run('delete from meta.parts where loaded_at < cast($1 as timestamp)', [oldest]);
    for (const name of refused) this.#refused.delete(name);
    log.info('landing.pruned', { parts: old.length });
  }

  /** Names of the parts that are neither loaded nor refused; days are listed one by one. */
  async #fresh(start: string): Promise<string[]> {
    const { zone } = this.#options;
    const starts = start === '' ? (await zone.folders()).map((day) => `${day}/`) : [start];
    const fresh = await this.#reading.map(starts, async (one) =>
      this.#notLoaded(one, await listParts(zone, one)),
    );
    // Runs sort by their start, and rounds in the order of sending.
    const withoutDay = (name: string): string => name.slice(name.indexOf('/') + 1);
    return fresh.flat().sort((a, b) => (withoutDay(a) < withoutDay(b) ? -1 : 1));
  }

  async #notLoaded(start: string, names: readonly string[]): Promise<string[]> {
    const { connection, limitWrites } = this.#options;
    const fresh = names.filter((name) => !this.#refused.has(name) && !this.#repeated.has(name));
    if (fresh.length === 0) return fresh;
    const loaded = await limitWrites(() =>
      connection.rowsAs(nameRow, 'select name from meta.parts where starts_with(name, $1)', [start]),
    );
    const known = new Set(loaded.map(({ name }) => name));
    const contents = new Set([...known].map(contentOf));
    for (const name of fresh) if (!known.has(name) && contents.has(contentOf(name))) this.#repeated.add(name);
    return fresh.filter((name) => !contents.has(contentOf(name)));
  }

  async #load(batch: readonly FoundPart[], takenBy: TakenBy): Promise<void> {
    const { config, effects, log, zone, connection, limitWrites } = this.#options;
    const read = await this.#reading.map(batch, async (one) =>
      refuseUnknown(zone, await readPart(zone, one)),
    );
    const parts = this.#undamaged(read, takenBy);
    const entries = await limitWrites(() =>
      loadParts(parts, { connection, rawDir: config.raw.dir, now: effects.now() }),
    );
    const results = new Map(entries.map((entry) => [sliceName(entry.slice), resultOf(entry)]));
    for (const { name, manifest, answers } of parts) {
      const { run, round, slices, requests, retries, bytes } = manifest;
      const taken = takenBy(round);
      taken.results.push(...slices.flatMap((slice) => results.get(slice) ?? []));
      taken.answered.push(...answers.map(({ slice }) => slice));
      taken.requests += requests;
      taken.retries += retries;
      log.info('part.loaded', { run, part: name, answers: answers.length, bytes });
    }
  }

  /** Leaves damaged parts out and reports them, each once. */
  #undamaged<Found>(read: readonly (Found | DamagedPartError)[], takenBy: TakenBy): Found[] {
    return read.flatMap((one) => {
      if (!(one instanceof DamagedPartError)) return [one];
      const { part, what } = one;
      this.#refused.add(part);
      takenBy(roundOf(part)).damages.push(one);
      this.#options.log.error('part.refused', { part, what });
      return [];
    });
  }
}

/** Refuses a part with answers of an endpoint that only a newer program has. */
function refuseUnknown(zone: Zone, part: Part | DamagedPartError): Part | DamagedPartError {
  if (part instanceof DamagedPartError) return part;
  const unknown = part.answers.find(({ slice }) => !hasEndpoint(slice.endpoint))?.slice.endpoint;
  if (unknown === undefined) return part;
  const what = `answerlake ${part.manifest.version} wrote answers of ${unknown}, an endpoint that this program does not know: upgrade the loader`;
  return new DamagedPartError(zone, part.name, what);
}

/** Parts that one transaction may load: of one run, without a common slice, and bounded in size. */
export function batchesOf(found: readonly FoundPart[]): FoundPart[][] {
  const batches: FoundPart[][] = [];
  let batch: FoundPart[] = [];
  let bytes = 0;
  let slices = new Set<string>();
  for (const one of found) {
    const { manifest } = one;
    const isFull = batch.length >= MAX_BATCH_PARTS || bytes + manifest.bytes > MAX_BATCH_BYTES;
    const isOther = batch[0]?.manifest.run !== manifest.run;
    if (isFull || isOther || manifest.slices.some((slice) => slices.has(slice))) {
      if (batch.length > 0) batches.push(batch);
      [batch, bytes, slices] = [[], 0, new Set()];
    }
    batch.push(one);
    bytes += manifest.bytes;
    for (const slice of manifest.slices) slices.add(slice);
  }
  return batch.length === 0 ? batches : [...batches, batch];
}
