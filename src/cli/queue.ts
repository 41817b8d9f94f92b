import type { Command } from 'commander';
import { z } from 'zod';
import { defined, type CommandContext, type CommandHost } from './host.ts';
import { noFlags, switchFlag } from './flags.ts';
import { AnswerlakeError, type ErrorClass, type ExitCode } from '../errors.ts';
import { enqueueRun, openJobs, type QueuedJob } from '../scale/queue/jobs.ts';
import { openPostgres } from '../scale/queue/postgres.ts';
import {
  forgetDeadLetters,
  queueLines,
  queueProblems,
  readQueueState,
  watchQueue,
} from '../scale/queue/queue-state.ts';
import { forgetSetting, initQueue, requireQueue, RUN_QUEUE, writeSetting } from '../scale/queue/schema.ts';
import type { RunReport } from '../run/run-to-end.ts';
import { syncRequest } from '../run/sync-request.ts';
import { runFlags, syncRequestOf } from './selection-flags.ts';
import { showRun } from './sync.ts';
import { queueUrl } from './serving.ts';
import { queueJson } from './status.ts';

/** `answerlake queue …`: the queue commands for people. */
export function define(command: Command, host: CommandHost): void {
  for (const [name, description, defineOne] of SUBCOMMANDS)
    defineOne(command.command(name).description(description), host);
}

const initFlags = z.strictObject({
  newLanding: switchFlag('the landing zone is lost: use that of the next loader'),
  newWarehouse: switchFlag('the working file is lost: fill that of the next loader'),
});

const defineInit = defined({ flags: initFlags }, async (context, { newLanding, newWarehouse }) => {
  const url = queueUrl(context.loadConfig());
  await initQueue(url);
  await using postgres = openPostgres(url);
  if (newLanding) await forgetSetting(postgres, 'zone');
  if (newWarehouse) await forgetSetting(postgres, 'warehouse');
  say(context, 'The queue is ready: start answerlake loader and answerlake worker.');
});

const defineStatus = defined({ flags: noFlags }, async (context) => {
  const state = await watchQueue(queueUrl(context.loadConfig()));
  context.printResult(queueJson(state), () => queueLines(state).join('\n'));
});

const defineSwitch = (isPaused: boolean) =>
  defined({ flags: noFlags }, async (context) => {
    await using postgres = openPostgres(queueUrl(context.loadConfig()));
    await requireQueue(postgres);
    await writeSetting(postgres, 'paused', String(isPaused));
    say(context, isPaused ? 'Paused: to continue, run answerlake queue resume.' : 'Resumed.');
  });

const defineRetry = defined({ flags: noFlags }, async (context) => {
  await using jobs = await openJobs(queueUrl(context.loadConfig()));
  const letters = await forgetDeadLetters(jobs.postgres);
  if (letters === 0) return say(context, 'There are no dead letters.');
  await enqueueRun(jobs, syncRequest({}));
  const told = letters === 1 ? '1 dead letter is being' : `${letters} dead letters are being`;
  say(context, `${told} retried: a run of everything that is owed is queued.`);
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
  await using jobs = await openJobs(queueUrl(config));
  const id = (await enqueueRun(jobs, request)).id ?? '';
  if (!wait) {
    context.printChange({ id }, () => 'The run is queued: answerlake queue status shows its progress.');
    return 0;
  }
  const output = await waitForRun({
    find: async () => (await jobs.find(RUN_QUEUE, [id]))[0],
    // Dead letters may belong to any run.
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
  ['pause', 'Hand out nothing more; work under way is finished', defineSwitch(true)],
  ['resume', 'Hand out again', defineSwitch(false)],
  ['retry', 'Retry dead letters: a run of everything that is owed', defineRetry],
] as const;

const ended = z.union([
  z.object({
    exit_code: z.custom<ExitCode>(),
    class: z.custom<ErrorClass>(),
    message: z.string(),
    parts: z.array(z.union([z.string(), z.object({ text: z.string(), command: z.string() })])).optional(),
  }),
  z.object({ report: z.custom<RunReport>() }),
]);

const POLL_MS = 500;
const LOOK_MS = 10_000;
/** How long a database may be unavailable: a restart, a failover. */
const PATIENCE_MS = 300_000;

interface WaitParts {
  /** @throws AnswerlakeError (storage) while PostgreSQL is unavailable */
  find: () => Promise<QueuedJob | undefined>;
  /** Reasons why the queue does not progress, a sentence each. */
  problems: () => Promise<string[]>;
  context: Pick<CommandContext, 'effects' | 'note' | 'signal'>;
}

/**
 * The result of a queued run. Reports each obstacle once, and tolerates an unavailable database for some minutes.
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
        const message = 'The run was abandoned: see answerlake queue status.';
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
