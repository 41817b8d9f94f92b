import { z } from 'zod';
import type { RunClients } from '../../run/run-context.ts';
import type { Surroundings } from '../../run/sync-request.ts';
import { runFolder } from '../landing/part.ts';
import type { Jobs, QueuedJob } from '../queue/jobs.ts';
import { roundEndSchema, type RoundEnd, type RoundJson } from '../queue/round.ts';
import { ROUND_QUEUE } from '../queue/schema.ts';
import { takenNothing, type Intake, type Taken } from './intake.ts';

const POLL_MS = 250;
/** What all organizations have landed since is loaded together: a transaction costs 0.2 s of processor time, however little it loads. */
const LOAD_EVERY_MS = { perRound: 150, min: 1_000, max: 8_000 };

interface DispatcherRequest extends Surroundings {
  jobs: Pick<Jobs, 'send' | 'find' | 'cancel'>;
  intake: Pick<Intake, 'take'>;
  /** Those with which the loader itself validates the keys and asks for the lists of the run. */
  clients: RunClients;
}

/** A round that has ended: neither with an end nor with a reason if the loader stops. */
export interface SentRound {
  end: RoundEnd | null;
  /** Why it was abandoned. */
  reason: string | null;
  taken: Taken;
}
type Ended = Omit<SentRound, 'taken'>;

interface OpenRound {
  round: RoundJson;
  taken: Taken;
  ended: Ended | null;
}

export type RoundDispatcher = ReturnType<typeof openRoundDispatcher>;

/** Sends the rounds of one run, waits for them and loads their parts. */
export function openRoundDispatcher({ jobs, intake, clients, effects, log, signal }: DispatcherRequest) {
  /** Rounds that have not ended, or have parts that are not loaded, by their jobs. */
  const open = new Map<string, OpenRound>();
  const warnings = new Set<string>();
  const asked = { requests: 0, retries: 0 };
  let looking: Promise<void> | null = null;
  let loadedAt = effects.now();
  let sent = 0;

  const count = ({ requests, retries }: Pick<Taken, 'requests' | 'retries'>): void => {
    asked.requests += requests;
    asked.retries += retries;
  };
  const learn = (end: RoundEnd): void => {
    count(end);
    for (const warning of end.warnings) warnings.add(warning);
    for (const [organization, seen] of end.quotas) {
      const quota = { snapshot: () => seen, isConfirmed: true, hasSent: true };
      clients.quotas.get(organization)?.takeOver(quota);
    }
  };
  const load = async (): Promise<void> => {
    const rounds = [...open.values()];
    const [first] = rounds;
    if (first === undefined) return;
    const late = takenNothing();
    await intake.take(
      runFolder(first.round.run),
      (name) => rounds.find(({ round }) => round.round === name)?.taken ?? late,
    );
    count(late);
    loadedAt = effects.now();
  };
  /** Looks at all rounds that are open, in one query and one transaction. */
  const look = async (): Promise<void> => {
    await effects.sleep(POLL_MS, signal).catch(() => undefined);
    if (signal.aborted) return;
    const waiting = [...open].filter(([, { ended }]) => ended === null);
    const ids = waiting.map(([id]) => id);
    const found = new Map((await jobs.find(ROUND_QUEUE, ids)).map((job) => [job.id, job]));
    for (const [id, round] of waiting) {
      round.ended = endOf(found.get(id));
      if (round.ended?.end) learn(round.ended.end);
    }
    const ended = [...open].filter(([, round]) => round.ended !== null);
    // With few organizations, workers would wait for the answers of their last round to be loaded.
    const { perRound, min, max } = LOAD_EVERY_MS;
    const everyMs = Math.min(max, Math.max(min, perRound * open.size));
    if (ended.length < open.size && effects.now() - loadedAt < everyMs) return;
    await load();
    for (const [id] of ended) open.delete(id);
  };
  return {
    warnings: (): string[] => [...warnings],
    /** What the loader and the workers have sent. */
    totals: (): { requests: number; retries: number } => {
      const { requests, retries } = clients.totals();
      return { requests: requests + asked.requests, retries: retries + asked.retries };
    },
    /** Sends a round and loads the parts that its worker lands, while it runs and afterwards. @param afterMs how long the round waits in the queue, by PostgreSQL's clock @throws AnswerlakeError (storage, locked) */
    dispatch: async (content: Omit<RoundJson, 'round'>, afterMs: number): Promise<SentRound> => {
      const { organization } = content;
      if (afterMs > 0) {
        const until = new Date(effects.now() + afterMs).toISOString();
        log.info('organization.parked', { organization, until });
      }
      // Names sort in the order of sending.
      const round = { ...content, round: String((sent += 1)).padStart(6, '0') };
      const taken = takenNothing();
      const options = { singletonKey: organization, startAfter: afterMs / 1_000 };
      const id = await jobs.send(ROUND_QUEUE, round, options);
      if (id === null) return { end: null, reason: 'the queue took no round', taken };
      const own: OpenRound = { round, taken, ended: null };
      open.set(id, own);
      while (open.has(id) && !signal.aborted) await (looking ??= look().finally(() => (looking = null)));
      count(taken);
      if (!open.delete(id)) return { end: null, reason: null, ...own.ended, taken };
      await jobs.cancel(ROUND_QUEUE, id).catch(() => undefined);
      return { end: null, reason: null, taken };
    },
  };
}

/** Null while the round is open. */
function endOf(job: QueuedJob | undefined): Ended | null {
  switch (job?.state) {
    case 'created':
    case 'retry':
    case 'active':
      return null;
    case 'completed': {
      const report = roundEndSchema.safeParse(job.output);
      if (report.success) return { end: report.data, reason: null };
      return { end: null, reason: `the worker's report cannot be read: ${z.prettifyError(report.error)}` };
    }
    default: {
      const output = z.object({ message: z.string() }).safeParse(job?.output);
      return { end: null, reason: output.success ? output.data.message : 'the job is gone' };
    }
  }
}
