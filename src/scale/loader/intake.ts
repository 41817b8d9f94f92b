import type { Config } from '../../config/config.ts';
import type { Effects } from '../../effects.ts';
import { dayOf, addDays } from '../../day.ts';
import {
  MANIFEST_END,
  PART_END,
  runOf,
  listParts,
  readManifest,
  readPart,
  type Damage,
  type SoundManifest,
} from '../landing/part.ts';
import type { Zone } from '../landing/zone.ts';
import { SameAnswers } from '../../believe/same-answers.ts';
import type { PreparedAnswer } from '../../load/prepare-answer.ts';
import type { Log } from '../../log.ts';
import { resultOf, type SliceResult } from '../../run/outcome.ts';
import type { Slice } from '../../slice.ts';
import type { Connection } from '../../warehouse/connection.ts';
import { nameRow } from '../../warehouse/values.ts';
import { loadPart } from './load-part.ts';
import type { ConnectionLock } from './connection-lock.ts';

/** Parallel requests to a bucket. */
const CONCURRENCY = 16;

export interface IntakeOptions {
  config: Config;
  effects: Effects;
  log: Log;
  zone: Zone;
  connection: Connection;
  connectionLock: ConnectionLock;
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
  /** Loaded since the last pruning; `meta.parts` has all of them, too many to keep in memory. */
  readonly #loaded = new Set<string>();
  /** Reported as damaged. */
  readonly #refused = new Set<string>();
  waiting = 0;

  constructor(options: IntakeOptions) {
    this.#options = options;
  }

  /**
   * Loads the parts whose name begins with `start` and that are not loaded yet, the oldest run first.
   * @param same the answers of the run under way; null for parts of earlier runs
   * @throws AnswerlakeError (storage, locked)
   */
  async take(start: string, same: SameAnswers<PreparedAnswer> | null): Promise<Taken> {
    const taken: Taken = { results: [], answered: [], damages: [], requests: 0, retries: 0 };
    const { zone, signal } = this.#options;
    const fresh = await this.#notLoaded(start, await listParts(zone, start));
    this.waiting = fresh.length;
    const found = await Promise.all(fresh.map(async (name) => await readManifest(zone, name)));
    const sound = found.flatMap((one) => (one.kind === 'sound' ? [one] : []));
    for (const one of found) if (one.kind === 'damaged') this.#refuse(one, taken);
    sound.sort((a, b) =>
      a.manifest.run < b.manifest.run ? -1 : a.manifest.run > b.manifest.run ? 1 : a.name < b.name ? -1 : 1,
    );
    for (const one of sound) {
      if (signal.aborted) break;
      await this.#takeOne(one, same ?? new SameAnswers(), taken);
      this.waiting -= 1;
    }
    return taken;
  }

  /** Removes parts that were loaded, or refused, longer ago than the raw archive keeps answers. */
  async prune(): Promise<void> {
    const { zone, config, connection, effects, log } = this.#options;
    // By the clock, as in the raw archive: a run may use another day as today.
    const oldest = addDays(dayOf(effects.now()), -config.raw.keepDays);
    const loaded = await connection.rowsAs(
      nameRow,
      'select name from meta.parts where loaded_at < cast($1 as timestamp) order by name',
      [oldest],
    );
    const refused = [...this.#refused].filter((name) => name < oldest);
    const old = [...loaded.map(({ name }) => name), ...refused];
    for (let first = 0; first < old.length; first += CONCURRENCY) {
      await Promise.all(
        old.slice(first, first + CONCURRENCY).map(async (name) => {
          await zone.remove(name + MANIFEST_END);
          await zone.remove(name + PART_END);
        }),
      );
    }
    if (loaded.length > 0) {
      await connection.run('delete from meta.parts where loaded_at < cast($1 as timestamp)', [oldest]);
    }
    for (const name of refused) this.#refused.delete(name);
    this.#loaded.clear();
    if (old.length > 0) log.info('landing.pruned', { parts: old.length });
  }

  async #notLoaded(start: string, names: readonly string[]): Promise<string[]> {
    const { connection, connectionLock } = this.#options;
    const fresh = names.filter((name) => !this.#loaded.has(name) && !this.#refused.has(name));
    if (fresh.length === 0) return fresh;
    const known = await connectionLock.during(() =>
      connection.rowsAs(nameRow, 'select name from meta.parts where starts_with(name, $1)', [start]),
    );
    for (const { name } of known) this.#loaded.add(name);
    return fresh.filter((name) => !this.#loaded.has(name));
  }

  async #takeOne(found: SoundManifest, same: SameAnswers<PreparedAnswer>, taken: Taken): Promise<void> {
    const { config, effects, log, zone, connection, connectionLock } = this.#options;
    const { name, manifest } = found;
    if (await this.#hasContent(manifest.sha256)) {
      this.#loaded.add(name);
      log.warn('part.repeated', { part: name });
      return;
    }
    const part = await readPart(zone, found);
    if (part.kind === 'damaged') {
      this.#refuse(part, taken);
      return;
    }
    const entries = await connectionLock.during(async () => {
      const now = effects.now();
      return await loadPart(part, {
        connection,
        rawDir: config.raw.dir,
        same,
        now,
      });
    });
    if ('kind' in entries) {
      this.#refuse(entries, taken);
      return;
    }
    this.#loaded.add(name);
    taken.results.push(...entries.map(resultOf));
    taken.answered.push(...part.answers.map(({ slice }) => slice));
    taken.requests += manifest.requests;
    taken.retries += manifest.retries;
    log.info('part.loaded', {
      run: runOf(manifest).runId,
      part: name,
      answers: manifest.answers,
      bytes: manifest.bytes,
    });
  }

  async #hasContent(sha256: string): Promise<boolean> {
    const { connection, connectionLock } = this.#options;
    const sql = 'select name from meta.parts where sha256 = $1 limit 1';
    return (await connectionLock.during(() => connection.rowsAs(nameRow, sql, [sha256]))).length > 0;
  }

  #refuse(damage: Damage, taken: Taken): void {
    this.#refused.add(damage.name);
    taken.damages.push(damage);
    this.#options.log.error('part.refused', { part: damage.name, what: damage.what });
  }
}
