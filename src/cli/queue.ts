import type { Command } from 'commander';
import { z } from 'zod';
import { defined, type CommandContext, type CommandHost } from './host.ts';
import { noFlags, switchFlag } from './flags.ts';
import { AnswerlakeError, type ErrorClass, type ExitCode, usageError } from '../errors.ts';
import type { QueuedJob } from '../scale/queue/jobs.ts';
import { syncRequest, type RunReport } from '../run/sync-request.ts';
import { runFlags, syncRequestOf } from './selection-flags.ts';
import { showRun } from './sync.ts';
import type { Config } from '../config/config.ts';
import type { Secret } from '../secret.ts';
import { queueJson } from './status.ts';

/** `answerlake queue …`: what people do with the queue. */
export function define(command: Command, host: CommandHost): void {
  for (const [name, description, defineOne] of SUBCOMMANDS)
    defineOne(command.command(name).description(description), host);
}

const initFlags = z.strictObject({
  newLanding: switchFlag('the landing zone is lost: take the one that the next loader has'),
  newWarehouse: switchFlag('the working file is lost: fill the one that the next loader has'),
});

const defineInit = defined({ flags: initFlags }, async (context, { newLanding, newWarehouse }) => {
  const url = queueUrl(context.loadConfig());
  const { forgetSetting, initQueue } = await import('../scale/queue/schema.ts');
  const { openPostgres } = await import('../scale/queue/postgres.ts');
  await initQueue(url);
  await using postgres = openPostgres(url);
  if (newLanding) await forgetSetting(postgres, 'zone');
  if (newWarehouse) await forgetSetting(postgres, 'warehouse');
  say(context, 'The queue is ready: start answerlake loader and answerlake worker.');
});

const defineStatus = defined({ flags: noFlags }, async (context) => {
  const { queueLines, watchQueue } = await import('../scale/queue/queue-state.ts');
  const state = await watchQueue(queueUrl(context.loadConfig()));
  context.printResult(queueJson(state), () => queueLines(state).join('\n'));
});

const defineSwitch = (isPaused: boolean) =>
  defined({ flags: noFlags }, async (context) => {
    const url = queueUrl(context.loadConfig());
    const { requireQueue, writeSetting } = await import('../scale/queue/schema.ts');
    const { openPostgres } = await import('../scale/queue/postgres.ts');
    await using postgres = openPostgres(url);
    await requireQueue(postgres);
    await writeSetting(postgres, 'paused', String(isPaused));
    say(context, isPaused ? 'Paused: answerlake queue resume goes on.' : 'Resumed.');
  });

const defineRetry = defined({ flags: noFlags }, async (context) => {
  const url = queueUrl(context.loadConfig());
  const { enqueueRun, openJobs } = await import('../scale/queue/jobs.ts');
  const { forgetDeadLetters } = await import('../scale/queue/queue-state.ts');
  await using jobs = await openJobs(url);
  const letters = await forgetDeadLetters(jobs.postgres);
  if (letters === 0) return say(context, 'There are no dead letters.');
  await enqueueRun(jobs, syncRequest({}));
  const told = letters === 1 ? '1 dead letter is' : `${letters} dead letters are`;
  say(context, `${told} tried again: a run of everything that is owed is queued.`);
});

function say(context: CommandContext, text: string): void {
  context.printChange({ message: text }, () => text);
}

const queuedFlags = runFlags.extend({
  wait: switchFlag('return when its answers are loaded and published'),
});

const defineRun = defined({ flags: queuedFlags }, async (context, { wait, ...selection }) => {
  const config = context.loadConfig({ today: selection.today });
  const request = await syncRequestOf(selection, config);
  const { enqueueRun, openJobs } = await import('../scale/queue/jobs.ts');
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
  const end = ended.parse(output);
  if ('report' in end) return showRun(end.report, context);
  throw new AnswerlakeError(end.parts ?? end.message, { class: end.class, exitCode: end.exit_code });
});

const SUBCOMMANDS = [
  ['init', 'Create or update the tables of the queue in PostgreSQL', defineInit],
  ['run', 'One run through the workers now', defineRun],
  ['status', 'Workers, organizations under way or parked, dead letters', defineStatus],
  ['pause', 'Hand out nothing more; what is under way ends', defineSwitch(true)],
  ['resume', 'Hand out again', defineSwitch(false)],
  ['retry', 'Try dead letters again: a run of everything that is owed', defineRetry],
] as const;

const ended = z.union([
  z.object({
    exit_code: z.custom<ExitCode>(),
    class: z.custom<ErrorClass>(),
    message: z.string(),
    parts: z.array(z.string()).optional(),
  }),
  z.object({ report: z.custom<RunReport>() }),
]);

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
        const message = 'The run was given up: see answerlake queue status.';
        throw new AnswerlakeError(message, { class: 'transient' });
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
  throw usageError([
    `${path} configures no queue:`,
    'set queue.url to env:NAME, where NAME holds the address of PostgreSQL (docs/scale.md). Without a queue, answerlake sync and answerlake schedule do all the work in one process.',
  ]);
}
