import type { Command } from 'commander';
import { z } from 'zod';
import type { CommandContext } from './context.ts';
import type { CommandHost } from './host.ts';
import { switchFlag } from './flag-values.ts';
import { queueUrl, showQueue } from './queue-access.ts';
import { defineQueueRun } from './queue-run.ts';

/** `answerlake queue …`: what people do with the queue. */
export function defineQueue(command: Command, host: CommandHost): void {
  command.addHelpText(
    'after',
    `
Examples:
  $ answerlake queue init
  $ answerlake queue run --wait
  $ answerlake queue status`,
  );
  const none = z.strictObject({});
  const init = command
    .command('init')
    .description('Create or update the tables of the queue in PostgreSQL')
    .option('--new-landing', 'the landing zone is lost: take the one that the next loader has')
    .option('--new-warehouse', 'the working file is lost: fill the one that the next loader has');
  const forgotten = z.strictObject({ newLanding: switchFlag, newWarehouse: switchFlag });
  host.handle(init, forgotten, async (context, { newLanding, newWarehouse }) => {
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
  host.handle(status, none, async (context) => {
    await showQueue(queueUrl(context.loadConfig()), context);
    return 0;
  });
  for (const [name, description, paused] of [
    ['pause', 'Hand out nothing more; what is under way ends', 'true'],
    ['resume', 'Hand out again', 'false'],
  ] as const) {
    host.handle(command.command(name).description(description), none, async (context) => {
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
  host.handle(retry, none, async (context) => {
    const url = queueUrl(context.loadConfig());
    const { openJobs } = await import('../scale/queue/jobs.ts');
    const { forgetDeadLetters } = await import('../scale/queue/queue-state.ts');
    const { enqueueRun } = await import('../scale/queue/enqueue-run.ts');
    const { syncRequest } = await import('../run/sync-request.ts');
    await using jobs = await openJobs(url);
    const letters = await forgetDeadLetters(jobs.postgres);
    if (letters === 0) return (say(context, 'There are no dead letters.'), 0);
    await enqueueRun(jobs, syncRequest({}), {});
    say(
      context,
      `${letters === 1 ? '1 dead letter is' : `${letters} dead letters are`} tried again: a run of everything that is owed is queued.`,
    );
    return 0;
  });
}

function say(context: CommandContext, text: string): void {
  if (context.flags.json) context.printJson({ ok: true, exit_code: 0, message: text });
  else context.print(text);
}
