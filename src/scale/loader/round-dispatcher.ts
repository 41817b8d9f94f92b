import { z } from 'zod';
import type { Effects } from '../../effects.ts';
import { runFolder } from '../landing/part.ts';
import type { Jobs, QueuedJob } from '../queue/jobs.ts';
import { roundEndSchema, type RoundEnd, type RoundJson } from '../queue/round.ts';
import { ROUND_QUEUE } from '../queue/schema.ts';
import { takenNothing, type Intake, type Taken } from './intake.ts';
import type { Log } from '../../log.ts';
import type { Clients } from '../../extract/clients.ts';
import type { QuotaSnapshot } from '../../extract/quota-state.ts';
import type { Quota } from '../../extract/quota.ts';

/** The clients of the workers, as their rounds reported them. */
export interface RemoteClients extends Pick<Clients, 'of' | 'quotas' | 'totals'> {
  warnings(): string[];
  /** The quota of one organization, as it is seen from time to time. */
  quotasOf(organization: string): Clients['quotas'];
  record(report: {
    requests: number;
    retries: number;
    warnings?: readonly string[];
    quotas?: readonly (readonly [organization: string, seen: QuotaSnapshot])[];
  }): void;
}

/** The loader only validates the keys and asks for the lists of the run: what workers ask is added to what its own clients count. */
export function remoteClients(own: Pick<Clients, 'of' | 'quotas' | 'totals'>): RemoteClients {
  const quotas = new Map(own.quotas);
  const byOrganization = new Map<string, Map<string, Pick<Quota, 'snapshot'>>>();
  const quotasOf = (organization: string): Map<string, Pick<Quota, 'snapshot'>> => {
    const seen = quotas.get(organization);
    const known =
      byOrganization.get(organization) ?? new Map(seen === undefined ? [] : [[organization, seen]]);
    byOrganization.set(organization, known);
    return known;
  };
  const asked = { requests: 0, retries: 0 };
  const warnings = new Set<string>();
  return {
    of: own.of,
    quotas,
    totals: () => {
      const { requests, retries } = own.totals();
      return { requests: requests + asked.requests, retries: retries + asked.retries };
    },
    warnings: () => [...warnings],
    quotasOf,
    record: (report) => {
      asked.requests += report.requests;
      asked.retries += report.retries;
      for (const warning of report.warnings ?? []) warnings.add(warning);
      for (const [id, quota] of report.quotas ?? []) {
        const seen = { snapshot: () => quota };
        quotas.set(id, seen);
        quotasOf(id).set(id, seen);
      }
    },
  };
}

const POLL_MS = 250;
/** What all organizations have landed since is loaded together: a transaction costs 0.2 s of processor time, however little it loads. */
const LOAD_EVERY_MS = { perRound: 150, min: 1_000, max: 8_000 };

export interface RoundDispatcherOptions {
  jobs: Jobs;
  intake: Intake;
  clients: RemoteClients;
  effects: Effects;
  log: Log;
  signal: AbortSignal;
}

interface Ended {
  /** Null if it was given up, or if the loader stops. */
  end: RoundEnd | null;
  /** Why it was given up. */
  reason: string | null;
}

/** The end of a round, and the answers that it brought. */
export interface Round extends Ended {
  taken: Taken;
}

interface OpenRound {
  round: RoundJson;
  taken: Taken;
  ended: Ended | null;
  settle: (ended: Ended) => void;
  fail: (error: unknown) => void;
}

/** Sends the rounds of one run, waits for them and loads their parts. */
export class RoundDispatcher {
  readonly #options: RoundDispatcherOptions;
  /** By the id of their job. */
  readonly #open = new Map<string, OpenRound>();
  #isWatching = false;
  #sent = 0;

  constructor(options: RoundDispatcherOptions) {
    this.#options = options;
  }

  /** The name of the next round; names sort in the order of sending. */
  nextName(): string {
    this.#sent += 1;
    return String(this.#sent).padStart(6, '0');
  }

  /**
   * Sends a round and loads the parts that its worker lands, while it runs and afterwards.
   * @param afterMs how long the round waits in the queue, by PostgreSQL's clock
   * @throws AnswerlakeError (storage, locked)
   */
  async dispatch(round: RoundJson, afterMs: number): Promise<Round> {
    const { jobs, effects, log } = this.#options;
    if (afterMs > 0) {
      const until = new Date(effects.now() + afterMs).toISOString();
      log.info('organization.parked', { organization: round.organization, until });
    }
    const id = await jobs.send(ROUND_QUEUE, round, { key: round.organization, afterMs });
    const taken = takenNothing();
    if (id === null) return { end: null, reason: 'the queue took no round', taken };
    const ended = new Promise<Ended>((settle, fail) => {
      this.#open.set(id, { round, taken, ended: null, settle, fail });
    });
    if (!this.#isWatching) void this.#watch();
    const end = await ended;
    this.#options.clients.record(taken);
    return { ...end, taken };
  }

  /** Waits for all rounds that are open, in one query and one transaction at a time; never rejects. */
  async #watch(): Promise<void> {
    const { effects, signal } = this.#options;
    this.#isWatching = true;
    let loadedAt = effects.now();
    try {
      while (this.#open.size > 0) {
        await effects.sleep(POLL_MS, signal).catch(() => undefined);
        if (signal.aborted) {
          await this.#cancelAll();
          break;
        }
        await this.#readStates();
        const isOver = [...this.#open.values()].every(({ ended }) => ended !== null);
        if (!isOver && effects.now() - loadedAt < this.#loadEveryMs()) continue;
        await this.#load();
        loadedAt = effects.now();
        for (const [id, { ended, settle }] of this.#open) {
          if (ended === null) continue;
          this.#open.delete(id);
          settle(ended);
        }
      }
    } catch (error) {
      for (const { fail } of this.#open.values()) fail(error);
      this.#open.clear();
    }
    this.#isWatching = false;
  }

  /** With few organizations, workers would wait for the answers of their last round to be loaded. */
  #loadEveryMs(): number {
    const { perRound, min, max } = LOAD_EVERY_MS;
    return Math.min(max, Math.max(min, perRound * this.#open.size));
  }

  async #readStates(): Promise<void> {
    const waiting = [...this.#open].filter(([, { ended }]) => ended === null);
    const ids = waiting.map(([id]) => id);
    const found = new Map((await this.#options.jobs.findAll(ROUND_QUEUE, ids)).map((job) => [job.id, job]));
    for (const [id, open] of waiting) open.ended = this.#endOf(found.get(id));
  }

  /** Null while the round goes on. */
  #endOf(job: QueuedJob | undefined): Ended | null {
    switch (job?.state) {
      case 'created':
      case 'retry':
      case 'active':
        return null;
      case 'completed': {
        const report = roundEndSchema.safeParse(job.output);
        if (report.success) this.#options.clients.record(report.data);
        return report.success
          ? { end: report.data, reason: null }
          : { end: null, reason: `the worker's report cannot be read: ${z.prettifyError(report.error)}` };
      }
      default: {
        const output = z.object({ message: z.string() }).safeParse(job?.output);
        return { end: null, reason: output.success ? output.data.message : 'the job is gone' };
      }
    }
  }

  /** Loads what the workers of all open rounds have landed. */
  async #load(): Promise<void> {
    const open = [...this.#open.values()];
    const [first] = open;
    if (first === undefined) return;
    const { intake, clients } = this.#options;
    const late = takenNothing();
    await intake.take(
      runFolder(first.round.run),
      (name) => open.find(({ round }) => round.round === name)?.taken ?? late,
    );
    clients.record(late);
  }

  async #cancelAll(): Promise<void> {
    for (const [id, { settle }] of this.#open) {
      await this.#options.jobs.cancel(ROUND_QUEUE, id).catch(() => undefined);
      settle({ end: null, reason: null });
    }
    this.#open.clear();
  }
}
