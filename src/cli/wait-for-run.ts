import { AnswerlakeError } from '../errors.ts';
import type { QueuedJob } from '../queue/jobs.ts';
import type { CommandContext } from './context.ts';

const POLL_MS = 500;
const LOOK_MS = 10_000;
/** So long a database may be away: a restart, a failover. */
const PATIENCE_MS = 300_000;

export interface WaitParts {
  /** @throws AnswerlakeError (storage) while PostgreSQL is away */
  find: () => Promise<QueuedJob | null>;
  /** What keeps the queue from working, a sentence each. */
  problems: () => Promise<string[]>;
  context: Pick<CommandContext, 'effects' | 'note' | 'signal'>;
}

/**
 * What a queued run ended with. Says once what keeps it from going on, and waits for a database that is away for some minutes.
 * @throws AnswerlakeError (storage, transient)
 */
export async function waitForRun({ find, problems, context }: WaitParts): Promise<unknown> {
  const { effects, signal } = context;
  const told = new Set<string>();
  const tell = (problem: string): void => {
    if (!told.has(problem)) context.note(`Waiting: ${problem}.`);
    told.add(problem);
  };
  let seenAt = effects.now();
  let lookedAt = seenAt;
  for (;;) {
    try {
      const job = await find();
      seenAt = effects.now();
      if (job === null || job.state === 'failed' || job.state === 'cancelled') {
        throw new AnswerlakeError('The run was given up: see answerlake queue status.', {
          class: 'transient',
        });
      }
      if (job.state === 'completed') return job.output;
      if (seenAt - lookedAt >= LOOK_MS) {
        lookedAt = seenAt;
        for (const problem of await problems()) tell(problem);
      }
    } catch (error) {
      const isAway = error instanceof AnswerlakeError && error.class === 'storage';
      if (!isAway || effects.now() - seenAt >= PATIENCE_MS) throw error;
      tell('PostgreSQL does not serve the queue');
    }
    await effects.sleep(POLL_MS, signal);
  }
}
