import { z } from 'zod';
import type { Effects } from '../../effects.ts';
import type { Clients } from '../../extract/clients.ts';
import type { Log } from '../../log.ts';
import { runFolder } from '../landing/part.ts';
import type { Jobs, QueuedJob } from '../queue/jobs.ts';
import { roundEndSchema, type RoundEnd, type RoundJson } from '../queue/round.ts';
import { ROUND_QUEUE } from '../queue/schema.ts';
import { takenNothing, type Intake, type Taken } from './intake.ts';

const POLL_MS = 250;
/** What all organizations have landed since is loaded together: a transaction costs 0.2 s of processor time, however little it loads. */
const LOAD_EVERY_MS = { perRound: 150, min: 1_000, max: 8_000 };

export interface RoundDispatcherOptions {
  jobs: Pick<Jobs, 'send' | 'find' | 'cancel'>;
  intake: Pick<Intake, 'take'>;
  /** Those with which the loader itself validates the keys and asks for the lists of the run. */
  clients: Pick<Clients, 'quotas' | 'totals'>;
  effects: Effects;
  log: Log;
  signal: AbortSignal;
}

/** A round that was sent, and the answers that it has brought. */
export interface SentRound {
  taken: Taken;
  /** How it ended; null if it was given up, or if the loader stops. */
  end: RoundEnd | null;
  /** Why it was given up. */
  reason: string | null;
}

interface OpenRound extends SentRound {
  round: RoundJson;
  /** `ended` in the queue, and `loaded` once its last parts are. */
  state: 'open' | 'ended' | 'loaded';
}

/** Sends the rounds of one run, waits for them and loads their parts. */
export class RoundDispatcher {
  readonly #options: RoundDispatcherOptions;
  /** By the id of their job. */
  readonly #open = new Map<string, OpenRound>();
  #looking: Promise<void> | null = null;
  #loadedAt: number;
  #sent = 0;
  /** By workers. */
  readonly #asked = { requests: 0, retries: 0 };
  readonly #warnings = new Set<string>();

  constructor(options: RoundDispatcherOptions) {
    this.#options = options;
    this.#loadedAt = options.effects.now();
  }

  /** Of workers. */
  readonly warnings = (): string[] => [...this.#warnings];

  /** What the loader and the workers asked. */
  readonly totals = (): { requests: number; retries: number } => {
    const { requests, retries } = this.#options.clients.totals();
    return { requests: requests + this.#asked.requests, retries: retries + this.#asked.retries };
  };

  /**
   * Sends a round and loads the parts that its worker lands, while it runs and afterwards.
   * @param afterMs how long the round waits in the queue, by PostgreSQL's clock
   * @throws AnswerlakeError (storage, locked)
   */
  async dispatch(content: Omit<RoundJson, 'round'>, afterMs: number): Promise<SentRound> {
    const { jobs, effects, log, signal } = this.#options;
    const { organization } = content;
    if (afterMs > 0) {
      const until = new Date(effects.now() + afterMs).toISOString();
      log.info('organization.parked', { organization, until });
    }
    // Names sort in the order of sending.
    const round = { ...content, round: String((this.#sent += 1)).padStart(6, '0') };
    const options = { singletonKey: organization, startAfter: afterMs / 1_000 };
    const id = await jobs.send(ROUND_QUEUE, round, options);
    const open: OpenRound = { round, taken: takenNothing(), end: null, reason: null, state: 'open' };
    if (id === null) return { ...open, reason: 'the queue took no round' };
    this.#open.set(id, open);
    // Set by the look, which may be that of another organization.
    const isLoaded = (): boolean => open.state === 'loaded';
    while (!isLoaded() && !signal.aborted) await this.#look();
    this.#open.delete(id);
    this.#count(open.taken);
    if (isLoaded()) return open;
    await jobs.cancel(ROUND_QUEUE, id).catch(() => undefined);
    return { taken: open.taken, end: null, reason: null };
  }

  #count({ requests, retries }: Pick<Taken, 'requests' | 'retries'>): void {
    this.#asked.requests += requests;
    this.#asked.retries += retries;
  }

  /** Looks at all rounds that are open, in one query and one transaction. */
  #look(): Promise<void> {
    this.#looking ??= this.#lookOnce().finally(() => (this.#looking = null));
    return this.#looking;
  }

  async #lookOnce(): Promise<void> {
    const { jobs, effects, signal } = this.#options;
    await effects.sleep(POLL_MS, signal).catch(() => undefined);
    if (signal.aborted) return;
    const waiting = [...this.#open].filter(([, { state }]) => state === 'open');
    const ids = waiting.map(([id]) => id);
    const found = new Map((await jobs.find(ROUND_QUEUE, ids)).map((job) => [job.id, job]));
    for (const [id, open] of waiting) this.#conclude(open, found.get(id));
    const all = [...this.#open.values()];
    const ended = all.filter(({ state }) => state === 'ended');
    // With few organizations, workers would wait for the answers of their last round to be loaded.
    const { perRound, min, max } = LOAD_EVERY_MS;
    const everyMs = Math.min(max, Math.max(min, perRound * all.length));
    if (ended.length < all.length && effects.now() - this.#loadedAt < everyMs) return;
    await this.#load(all);
    this.#loadedAt = effects.now();
    for (const open of ended) open.state = 'loaded';
  }

  /** Enters how a round ended, if it has. */
  #conclude(open: OpenRound, job: QueuedJob | undefined): void {
    if (job?.state === 'created' || job?.state === 'retry' || job?.state === 'active') return;
    open.state = 'ended';
    if (job?.state !== 'completed') {
      const output = z.object({ message: z.string() }).safeParse(job?.output);
      open.reason = output.success ? output.data.message : 'the job is gone';
      return;
    }
    const report = roundEndSchema.safeParse(job.output);
    if (!report.success) {
      open.reason = `the worker's report cannot be read: ${z.prettifyError(report.error)}`;
      return;
    }
    open.end = report.data;
    this.#count(report.data);
    for (const warning of report.data.warnings) this.#warnings.add(warning);
    for (const [organization, seen] of report.data.quotas) {
      const quota = { snapshot: () => seen, isConfirmed: true, hasSent: true };
      this.#options.clients.quotas.get(organization)?.takeOver(quota);
    }
  }

  /** Loads what the workers have landed. */
  async #load(open: readonly OpenRound[]): Promise<void> {
    const [first] = open;
    if (first === undefined) return;
    const late = takenNothing();
    await this.#options.intake.take(
      runFolder(first.round.run),
      (name) => open.find(({ round }) => round.round === name)?.taken ?? late,
    );
    this.#count(late);
  }
}
