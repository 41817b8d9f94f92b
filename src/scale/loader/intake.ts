import pLimit, { type LimitFunction } from 'p-limit';
import type { Config } from '../../config/config.ts';
import type { Effects } from '../../effects.ts';
import { dayOf, addDays } from '../../day.ts';
import {
  MANIFEST_END,
  PART_END,
  listParts,
  readManifest,
  readPart,
  contentOf,
  roundOf,
  sliceName,
  type Damage,
  type SoundManifest,
  type SoundPart,
} from '../landing/part.ts';
import type { Zone } from '../landing/zone.ts';
import type { Log } from '../../log.ts';
import { hasEndpoint } from '../../endpoints/catalogue.ts';
import { resultOf, type SliceResult } from '../../run/outcome.ts';
import type { Slice } from '../../slice.ts';
import { type Connection, nameRow } from '../../warehouse/connection.ts';
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

/** What parts brought. */
export interface Taken {
  results: SliceResult[];
  answered: Slice[];
  damages: Damage[];
  requests: number;
  retries: number;
}

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
  async take(start: string, takenBy: (round: string) => Taken): Promise<void> {
    const fresh = await this.#fresh(start);
    this.#waiting = fresh.length;
    try {
      while (fresh.length > 0) {
        const manifests = await this.#readManifests(fresh.splice(0, MAX_MANIFESTS), takenBy);
        for (const batch of batchesOf(manifests)) {
          if (this.#options.signal.aborted) return;
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

  async #readManifests(
    names: readonly string[],
    takenBy: (round: string) => Taken,
  ): Promise<SoundManifest[]> {
    const found = await this.#reading.map(names, (name) => readManifest(this.#options.zone, name));
    for (const one of found) if (one.kind === 'damaged') this.#refuse(one, takenBy(roundOf(one.name)));
    return found.flatMap((one) => (one.kind === 'sound' ? [one] : []));
  }

  async #load(batch: readonly SoundManifest[], takenBy: (round: string) => Taken): Promise<void> {
    const { config, effects, log, zone, connection, limitWrites } = this.#options;
    const read = await this.#reading.map(batch, (one) => readPart(zone, one));
    const parts: SoundPart[] = [];
    for (const part of read.map(refuseUnknown)) {
      if (part.kind === 'sound') parts.push(part);
      else this.#refuse(part, takenBy(roundOf(part.name)));
    }
    const rounds = new Map<string, string>();
    for (const { manifest } of parts) for (const slice of manifest.slices) rounds.set(slice, manifest.round);
    const entries = await limitWrites(() =>
      loadParts(parts, { connection, rawDir: config.raw.dir, now: effects.now() }),
    );
    for (const entry of entries) {
      takenBy(rounds.get(sliceName(entry.slice)) ?? '').results.push(resultOf(entry));
    }
    for (const { name, manifest, answers } of parts) {
      const taken = takenBy(manifest.round);
      taken.answered.push(...answers.map(({ slice }) => slice));
      taken.requests += manifest.requests;
      taken.retries += manifest.retries;
      log.info('part.loaded', {
        run: manifest.run,
        part: name,
        answers: manifest.answers,
        bytes: manifest.bytes,
      });
    }
  }

  #refuse(damage: Damage, taken: Taken): void {
    this.#refused.add(damage.name);
    taken.damages.push(damage);
    this.#options.log.error('part.refused', { part: damage.name, what: damage.what });
  }
}

/** Refuses a part with answers of an endpoint that only a newer program has. */
function refuseUnknown(part: SoundPart | Damage): SoundPart | Damage {
  if (part.kind === 'damaged') return part;
  const unknown = part.answers.find(({ slice }) => !hasEndpoint(slice.endpoint))?.slice.endpoint;
  if (unknown === undefined) return part;
  const what = `answerlake ${part.manifest.version} wrote answers of ${unknown}, an endpoint that this program does not know: upgrade the loader`;
  return { kind: 'damaged', name: part.name, what };
}

/** Parts that one transaction may load: of one run, without a common slice, and bounded in size. */
export function batchesOf(found: readonly SoundManifest[]): SoundManifest[][] {
  const batches: SoundManifest[][] = [];
  let batch: SoundManifest[] = [];
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

export function takenNothing(): Taken {
  return { results: [], answered: [], damages: [], requests: 0, retries: 0 };
}
