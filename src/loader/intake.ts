import { z } from 'zod';
import type { Config } from '../config/config.ts';
import type { Effects } from '../effects.ts';
import { dayOf, addDays } from '../day.ts';
import { MANIFEST_END, PART_END, runOf } from '../landing/manifest.ts';
import { listParts, readManifest, readPart, type Damage, type SoundManifest } from '../landing/read-part.ts';
import type { Zone } from '../landing/zone.ts';
import { EndDays } from '../load/end-days.ts';
import { readLearned } from '../load/learned.ts';
import type { Log } from '../log.ts';
import { resultOf, type SliceResult } from '../run/slice-result.ts';
import type { Slice } from '../slice.ts';
import type { Connection } from '../warehouse/connection.ts';
import { loadPart } from './load-part.ts';
import type { Turn } from './turn.ts';

export interface IntakeOptions {
  config: Config;
  effects: Effects;
  log: Log;
  zone: Zone;
  connection: Connection;
  turn: Turn;
  signal: AbortSignal;
}

/** What came in. */
export interface Taken {
  results: SliceResult[];
  answered: Slice[];
  damages: Damage[];
  requests: number;
  retries: number;
}

/** Parts on their way into the working file, each once. */
export class Intake {
  readonly #options: IntakeOptions;
  /** Parts that need no look any more: loaded, or told as damaged. */
  readonly #done = new Set<string>();
  readonly #hashes = new Set<string>();
  waiting = 0;

  private constructor(options: IntakeOptions) {
    this.#options = options;
  }

  static async open(options: IntakeOptions): Promise<Intake> {
    const intake = new Intake(options);
    const loaded = await options.connection.rowsAs(
      z.object({ name: z.string(), sha256: z.string() }),
      'select name, sha256 from meta.parts',
    );
    for (const { name, sha256 } of loaded) {
      intake.#done.add(name);
      intake.#hashes.add(sha256);
    }
    return intake;
  }

  /**
   * Loads the parts whose name begins with `start` and that are not loaded yet, the oldest run first.
   * @param ends what the run under way knows; null for parts of earlier runs
   * @throws AnswerlakeError (storage, locked)
   */
  async take(start: string, ends: EndDays | null): Promise<Taken> {
    const taken: Taken = { results: [], answered: [], damages: [], requests: 0, retries: 0 };
    const { zone, signal } = this.#options;
    const fresh = (await listParts(zone, start)).filter((name) => !this.#done.has(name));
    this.waiting = fresh.length;
    const found = await Promise.all(fresh.map(async (name) => await readManifest(zone, name)));
    const sound = found.flatMap((one) => (one.kind === 'sound' ? [one] : []));
    for (const one of found) if (one.kind === 'damaged') this.#refuse(one, taken);
    sound.sort((a, b) =>
      a.manifest.run < b.manifest.run ? -1 : a.manifest.run > b.manifest.run ? 1 : a.name < b.name ? -1 : 1,
    );
    for (const one of sound) {
      if (signal.aborted) break;
      await this.#takeOne(one, ends, taken);
      this.waiting -= 1;
    }
    return taken;
  }

  /** Removes loaded parts of runs that are older than the raw archive keeps. */
  async prune(): Promise<void> {
    const { zone, config, effects, log } = this.#options;
    const oldest = addDays(dayOf(effects.now()), -config.raw.keepDays);
    const old = [...this.#done].filter((name) => name < oldest);
    for (const name of old) {
      await zone.remove(name + MANIFEST_END);
      await zone.remove(name + PART_END);
    }
    if (old.length > 0) log.debug('landing.pruned', { parts: old.length });
  }

  async #takeOne(found: SoundManifest, ends: EndDays | null, taken: Taken): Promise<void> {
    const { config, effects, log, zone, connection, turn } = this.#options;
    const { name, manifest } = found;
    if (this.#hashes.has(manifest.sha256)) {
      this.#done.add(name);
      log.warn('part.repeated', { part: name });
      return;
    }
    const part = await readPart(zone, found);
    if (part.kind === 'damaged') {
      this.#refuse(part, taken);
      return;
    }
    const entries = await turn.during(async () => {
      const now = effects.now();
      const known = ends ?? new EndDays((await readLearned(connection, manifest.base_url, now)).endDays);
      return await loadPart(part, { connection, rawDir: config.raw.dir, ends: known, now });
    });
    if ('kind' in entries) {
      this.#refuse(entries, taken);
      return;
    }
    this.#done.add(name);
    this.#hashes.add(manifest.sha256);
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

  #refuse(damage: Damage, taken: Taken): void {
    this.#done.add(damage.name);
    taken.damages.push(damage);
    this.#options.log.error('part.refused', { part: damage.name, what: damage.what });
  }
}
