import type { Command } from 'commander';
import { z } from 'zod';
import { AnswerlakeError, type ErrorClass, type ExitCode } from '../errors.ts';
import type { QueuedJob } from '../scale/queue/jobs.ts';
import type { RunReport } from '../run/sync-request.ts';
import type { CommandContext } from './context.ts';
import { switchFlag } from './flag-values.ts';
import type { CommandHost } from './host.ts';
import { queueUrl } from './queue-access.ts';
import { addSelectionFlags, syncFlags, syncRequestOf } from './sync-flags.ts';
import { summariseRun } from './sync-summary.ts';

const flags = syncFlags.omit({ dryRun: true }).extend({ wait: switchFlag });

/** `answerlake queue run`: one run through the workers now. */
export function defineQueueRun(command: Command, host: CommandHost): void {
  addSelectionFlags(command)
    .description('One run through the workers now')
    .option('--max-wait <duration>', 'longest wait for the hourly quota (default: 2h)')
    .option('--accept-shrink', 'accept answers that have lost most of their rows')
    .option('--strict', 'exit 3 on any refused row or drift')
    .option('--wait', 'return when its answers are loaded and published')
    .addHelpText('after', '\nWith --wait, the exit codes are those of answerlake sync.');
  host.handle(command, flags, async (context, { wait, ...selection }) => {
    const config = context.loadConfig(selection.today === undefined ? {} : { today: selection.today });
    const request = syncRequestOf({ ...selection, dryRun: false }, config);
    const { openJobs } = await import('../scale/queue/jobs.ts');
    const { enqueueRun } = await import('../scale/queue/enqueue-run.ts');
    await using jobs = await openJobs(queueUrl(config));
    const id = (await enqueueRun(jobs, request, {})) ?? '';
    if (!wait) {
      if (context.flags.json) context.printJson({ ok: true, exit_code: 0, id });
      else context.print('The run is queued: answerlake queue status shows how far it is.');
      return 0;
    }
    const { RUNS } = await import('../scale/queue/schema.ts');
    const { queueProblems } = await import('../scale/queue/queue-state.ts');
    const { readQueueState } = await import('../scale/queue/queue-state.ts');
    const output = await waitForRun({
      find: () => jobs.find(RUNS, id),
      // Dead letters may be of any run.
      problems: async () => queueProblems({ ...(await readQueueState(jobs.postgres)), deadLetters: [] }),
      context,
    });
    return show(output, context);
  });
}

const ended = z.union([
  z.object({ report: z.custom<RunReport>((value) => typeof value === 'object' && value !== null) }),
  z.object({ exit_code: z.custom<ExitCode>((value) => typeof value === 'number'), message: z.string() }),
]);

const CLASSES: Partial<Record<ExitCode, ErrorClass>> = {
  2: 'configuration',
  3: 'partial',
  4: 'auth',
  5: 'transient',
  6: 'locked',
  7: 'storage',
};

function show(output: unknown, context: CommandContext): ExitCode {
  const end = ended.parse(output);
  if ('message' in end) {
    throw new AnswerlakeError(end.message, {
      class: CLASSES[end.exit_code] ?? 'bug',
      exitCode: end.exit_code,
    });
  }
  const { report } = end;
  if (context.flags.json) context.printJson({ ok: report.exit_code === 0, ...report });
  else context.print(summariseRun(report));
  return report.exit_code;
}

const POLL_MS = 500;
const LOOK_MS = 10_000;
/** So long a database may be away: a restart, a failover. */
const PATIENCE_MS = 300_000;

interface WaitParts {
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
