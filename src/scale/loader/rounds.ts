import { z } from 'zod';
import { messageOf } from '../../errors.ts';
import type { Effects } from '../../effects.ts';
import { runFolder } from '../landing/part.ts';
import type { SameAnswers } from '../../believe/same-answers.ts';
import type { PreparedAnswer } from '../../load/prepare-answer.ts';
import type { Jobs } from '../queue/jobs.ts';
import { roundEndSchema, type RoundEnd, type RoundJson, type RoundProblem } from '../queue/round.ts';
import { ROUNDS } from '../queue/schema.ts';
import type { Intake, Taken } from './intake.ts';
import type { Log } from '../../log.ts';
import type { Clients } from '../../extract/clients.ts';
import type { QuotaSnapshot } from '../../extract/quota-state.ts';

/** What workers have told of their clients, as if they were here. */
export interface RemoteClients extends Clients {
  told(said: {
    requests: number;
    retries: number;
    warnings?: readonly string[];
    quotas?: readonly (readonly [organization: string, seen: QuotaSnapshot])[];
  }): void;
}

/** The loader asks nobody: its clients only remember what workers tell. */
export function remoteClients(initial: ReadonlyMap<string, QuotaSnapshot>): RemoteClients {
  const seen = new Map(initial);
  const quotas = new Map([...initial.keys()].map((id) => [id, { snapshot: () => seen.get(id) ?? null }]));
  const totals = { requests: 0, retries: 0 };
  const warnings = new Set<string>();
  return {
    of: (account) => {
      throw new RangeError(`the loader has no client for account ${account}`);
    },
    joinOrganization: () => undefined,
    quotas,
    totals: () => ({ ...totals }),
    warnings: () => [...warnings],
    told: (said) => {
      totals.requests += said.requests;
      totals.retries += said.retries;
      for (const warning of said.warnings ?? []) warnings.add(warning);
      for (const [id, quota] of said.quotas ?? []) {
        seen.set(id, quota);
        quotas.set(id, { snapshot: () => seen.get(id) ?? null });
      }
    },
    [Symbol.asyncDispose]: async () => undefined,
  };
}

/** Rounds that bring nothing, before an organization is given up for this run. */
export const MOST_IDLE_ROUNDS = 3;
/** The hour, or the silence that the server asked for, is over on every clock. */
const AFTER_RESET_MS = 1_000;

/** How long a problem lasts that time alone solves, never negative; null for any other. @param now as for `msToReset` */
export function msToWait(
  { class: problemClass, waitUntilMs }: RoundProblem,
  end: Pick<RoundEnd, 'quotas' | 'at'>,
  now: number,
): number | null {
  if (waitUntilMs !== null) return Math.max(0, waitUntilMs + AFTER_RESET_MS - (end.at ?? now));
  return problemClass === 'quota' ? msToReset(end, now) : null;
}

/** How long it is until the hours that a worker told are over, never negative; null when it told none. @param now for a worker that does not tell its clock */
function msToReset({ quotas, at }: Pick<RoundEnd, 'quotas' | 'at'>, now: number): number | null {
  if (quotas.length === 0) return null;
  const resetAt = Math.max(...quotas.map(([, quota]) => quota.resetAt));
  return Math.max(0, resetAt + AFTER_RESET_MS - (at ?? now));
}

export function logParked(
  { log, effects }: { log: Log; effects: Pick<Effects, 'now'> },
  { organization, afterMs }: { organization: string; afterMs: number },
): void {
  log.info('organization.parked', {
    organization,
    until: new Date(effects.now() + afterMs).toISOString(),
  });
}

const POLL_MS = 250;
/** Parts are looked for while a round is under way, so that loading keeps up with asking. */
const INTAKE_EVERY = 8;

export interface RoundsOptions {
  jobs: Jobs;
  intake: Intake;
  clients: RemoteClients;
  effects: Effects;
  signal: AbortSignal;
}

/** How a round ended, and what it brought. */
export interface Round {
  /** Null when it was given up, or when the loader stops. */
  end: RoundEnd | null;
  /** Why it was given up. */
  reason: string | null;
  taken: Taken;
}

/** Rounds of one run: each is sent, waited for and loaded. */
export class Rounds {
  readonly #options: RoundsOptions;
  #sent = 0;

  constructor(options: RoundsOptions) {
    this.#options = options;
  }

  /** The name of the next round: sorts as it is sent. */
  nextName(): string {
    this.#sent += 1;
    return String(this.#sent).padStart(6, '0');
  }

  /**
   * Sends a round and loads what its worker lands, while it runs and afterwards.
   * @param same the answers of the run so far; null: nothing is loaded, the caller does that later
   * @param afterMs the round waits so long in the queue, by PostgreSQL's clock
   * @throws AnswerlakeError (storage, locked)
   */
  async play(
    round: RoundJson,
    { same, afterMs }: { same: SameAnswers<PreparedAnswer> | null; afterMs: number },
  ): Promise<Round> {
    const { jobs, clients, effects, signal } = this.#options;
    const { organization } = round;
    const id = await jobs.send(ROUNDS, round, { key: organization, afterMs });
    const taken: Taken = { results: [], answered: [], damages: [], requests: 0, retries: 0 };
    if (id === null) return { end: null, reason: 'the queue took no round', taken };
    const prefix =
      round.kind === 'slices'
        ? `${runFolder({ syncDay: round.run.syncDay, runId: round.run.runId })}${round.round}-`
        : null;
    const load = async (): Promise<void> => {
      if (prefix === null || same === null) return;
      const more = await this.#options.intake.take(prefix, same);
      add(taken, more);
      clients.told(more);
    };
    for (let polls = 1; ; polls += 1) {
      await effects.sleep(POLL_MS, signal).catch(() => undefined);
      if (signal.aborted) {
        await jobs.cancel(ROUNDS, id).catch(() => undefined);
        return { end: null, reason: null, taken };
      }
      const job = await jobs.find(ROUNDS, id);
      if (job === null || job.state === 'failed' || job.state === 'cancelled') {
        await load();
        const told = z.object({ message: z.string() }).safeParse(job?.output);
        return { end: null, reason: told.success ? told.data.message : 'the job is gone', taken };
      }
      if (job.state === 'completed') {
        await load();
        return { ...this.#ended(job.output), taken };
      }
      if (polls % INTAKE_EVERY === 0 && job.state === 'active') await load();
    }
  }

  #ended(output: unknown): Pick<Round, 'end' | 'reason'> {
    try {
      const end = roundEndSchema.parse(output);
      this.#options.clients.told(end);
      return { end, reason: null };
    } catch (error) {
      return { end: null, reason: `what the worker told cannot be read: ${messageOf(error)}` };
    }
  }
}

function add(taken: Taken, more: Taken): void {
  taken.results.push(...more.results);
  taken.answered.push(...more.answered);
  taken.damages.push(...more.damages);
  taken.requests += more.requests;
  taken.retries += more.retries;
}
