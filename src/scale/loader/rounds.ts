import { z } from 'zod';
import { messageOf } from '../../errors.ts';
import type { Effects } from '../../effects.ts';
import { runFolder } from '../landing/manifest.ts';
import type { SameAnswers } from '../../believe/same-answers.ts';
import type { PreparedAnswer } from '../../load/prepare-answer.ts';
import type { Jobs } from '../queue/jobs.ts';
import { roundEndSchema, type RoundEnd, type RoundJson } from '../queue/round.ts';
import { ROUNDS } from '../queue/schema.ts';
import type { Intake, Taken } from './intake.ts';
import type { RemoteClients } from './remote-clients.ts';

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
