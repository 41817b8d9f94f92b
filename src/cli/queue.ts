import type { Command } from 'commander';
import { z } from 'zod';
import type { CommandContext, CommandHost } from './host.ts';
import { noFlags, switchFlag } from './flags.ts';
import { AnswerlakeError, type ErrorClass, type ExitCode, usageError } from '../errors.ts';
import type { QueuedJob } from '../scale/queue/jobs.ts';
import type { RunReport } from '../run/sync-request.ts';
import { runFlags, syncRequestOf } from './selection-flags.ts';
import { afterRun, summariseRun } from './sync.ts';
import type { Config } from '../config/config.ts';
import type { Secret } from '../secret.ts';
import { queueJson } from './status.ts';

/** `answerlake queue …`: what people do with the queue. */
export function define(command: Command, host: CommandHost): void {
  command.addHelpText(
    'after',
    `
Examples:
  $ answerlake queue init
  $ answerlake queue run --wait
  $ answerlake queue status`,
  );
  const init = command.command('init').description('Create or update the tables of the queue in PostgreSQL');
  const forgotten = z.strictObject({
    newLanding: switchFlag('the landing zone is lost: take the one that the next loader has'),
    newWarehouse: switchFlag('the working file is lost: fill the one that the next loader has'),
  });
  host.handle({ command: init, flags: forgotten }, async (context, { newLanding, newWarehouse }) => {
    const url = queueUrl(context.loadConfig());
    const { forgetSetting, initQueue } = await import('../scale/queue/schema.ts');
    const { openPostgres } = await import('../scale/queue/postgres.ts');
    await initQueue(url);
    await using postgres = openPostgres(url);
    if (newLanding) await forgetSetting(postgres, 'zone');
    if (newWarehouse) await forgetSetting(postgres, 'warehouse');
    say(context, 'The queue is ready: start answerlake loader and answerlake worker.');
    return 0;
  });
  defineQueueRun(command.command('run'), host);
  const status = command
    .command('status')
    .description('Workers, organizations under way or parked, dead letters');
  host.handle({ command: status, flags: noFlags }, async (context) => {
    const { queueLines, watchQueue } = await import('../scale/queue/queue-state.ts');
    const state = await watchQueue(queueUrl(context.loadConfig()));
    context.printResult(queueJson(state), () => queueLines(state).join('\n'));
    return 0;
  });
  for (const [name, description, paused] of [
    ['pause', 'Hand out nothing more; what is under way ends', 'true'],
    ['resume', 'Hand out again', 'false'],
  ] as const) {
    const setting = command.command(name).description(description);
    host.handle({ command: setting, flags: noFlags }, async (context) => {
      const url = queueUrl(context.loadConfig());
      const { requireQueue, writeSetting } = await import('../scale/queue/schema.ts');
      const { openPostgres } = await import('../scale/queue/postgres.ts');
      await using postgres = openPostgres(url);
      await requireQueue(postgres);
      await writeSetting(postgres, 'paused', paused);
      say(context, paused === 'true' ? 'Paused: answerlake queue resume goes on.' : 'Resumed.');
      return 0;
    });
  }
  const retry = command
    .command('retry')
    .description('Try dead letters again: a run of everything that is owed');
  host.handle({ command: retry, flags: noFlags }, async (context) => {
    const url = queueUrl(context.loadConfig());
    const { openJobs } = await import('../scale/queue/jobs.ts');
    const { forgetDeadLetters } = await import('../scale/queue/queue-state.ts');
    const { enqueueRun } = await import('../scale/queue/run-request.ts');
    const { syncRequest } = await import('../run/sync-request.ts');
    await using jobs = await openJobs(url);
    const letters = await forgetDeadLetters(jobs.postgres);
    if (letters === 0) return (say(context, 'There are no dead letters.'), 0);
    await enqueueRun(jobs, syncRequest({}));
    say(
      context,
      `${letters === 1 ? '1 dead letter is' : `${letters} dead letters are`} tried again: a run of everything that is owed is queued.`,
    );
    return 0;
  });
}

function say(context: CommandContext, text: string): void {
  context.printChange({ message: text }, () => text);
}

const flags = runFlags.extend({ wait: switchFlag('return when its answers are loaded and published') });

/** `answerlake queue run`: one run through the workers now. */
function defineQueueRun(command: Command, host: CommandHost): void {
  command.description('One run through the workers now');
  const help = '  $ answerlake queue run --wait\nWith --wait, the exit codes are those of answerlake sync.';
  host.handle({ command, flags, help }, async (context, { wait, ...selection }) => {
    const config = context.loadConfig({ today: selection.today });
    const request = await syncRequestOf(selection, config);
    const { openJobs } = await import('../scale/queue/jobs.ts');
    const { enqueueRun } = await import('../scale/queue/run-request.ts');
    await using jobs = await openJobs(queueUrl(config));
    const id = (await enqueueRun(jobs, request)).id ?? '';
    if (!wait) {
      context.printChange({ id }, () => 'The run is queued: answerlake queue status shows how far it is.');
      return 0;
    }
    const { RUN_QUEUE } = await import('../scale/queue/schema.ts');
    const { queueProblems, readQueueState } = await import('../scale/queue/queue-state.ts');
    const output = await waitForRun({
      find: async () => (await jobs.find(RUN_QUEUE, [id]))[0],
      // Dead letters may be of any run.
      problems: async () => queueProblems({ ...(await readQueueState(jobs.postgres)), deadLetters: [] }),
      context,
    });
    return show(output, context);
  });
}

const ended = z.union([
  z.object({ exit_code: z.custom<ExitCode>(), class: z.custom<ErrorClass>(), message: z.string() }),
  z.object({ report: z.custom<RunReport>() }),
]);

function show(output: unknown, context: CommandContext): ExitCode {
  const end = ended.parse(output);
  if ('message' in end) {
    throw new AnswerlakeError(end.message, { class: end.class, exitCode: end.exit_code });
  }
  const { report } = end;
  context.printChange(report, () => summariseRun(report));
  context.next(...afterRun(report));
  return report.exit_code;
}

const POLL_MS = 500;
const LOOK_MS = 10_000;
/** So long a database may be away: a restart, a failover. */
const PATIENCE_MS = 300_000;

interface WaitParts {
  /** @throws AnswerlakeError (storage) while PostgreSQL is away */
  find: () => Promise<QueuedJob | undefined>;
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
      if (job === undefined || job.state === 'failed' || job.state === 'cancelled') {
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

/** The address of the queue. @throws AnswerlakeError 'configuration' where none is configured */
export function queueUrl({ path, queue }: Config): Secret {
  if (queue.url !== null) return queue.url;
  throw usageError(
    `${path} configures no queue: set queue.url to env:NAME, where NAME holds the address of PostgreSQL (docs/scale.md). Without a queue, answerlake sync and answerlake schedule do all the work in one process.`,
  );
}
