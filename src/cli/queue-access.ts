import type { Config } from '../config/config.ts';
import { messageOf, usageError } from '../errors.ts';
import type { QueueState } from '../scale/queue/queue-state.ts';
import { readSecret, type Secret } from '../secret.ts';
import type { CommandContext } from './context.ts';

/** The address of the queue. @throws AnswerlakeError 'configuration' where none is configured */
export function queueUrl({ path, queue }: Config): Secret {
  if (queue.url !== null) return queue.url;
  throw usageError(
    `${path} configures no queue: set queue.url to env:NAME, where NAME holds the address of PostgreSQL (docs/scale.md). Without a queue, answerlake sync and answerlake schedule do all the work in one process.`,
  );
}

/** What the queue does, for commands that need no key; null where none is configured. */
export async function lookAtQueue(
  config: Config,
  context: CommandContext,
): Promise<{ state: QueueState } | { problem: string } | null> {
  if (config.queue.url === null) return null;
  const { env } = context;
  const reading = readSecret(config.queue.url.origin, { env, directory: config.directory });
  if ('problem' in reading) return { problem: `queue.url ${reading.problem}` };
  context.hide([reading.secret]);
  const { watchQueue } = await import('../scale/queue/queue-state.ts');
  try {
    return { state: await watchQueue(reading.secret) };
  } catch (error) {
    return { problem: messageOf(error) };
  }
}

/** Prints what the queue does. @throws AnswerlakeError storage, configuration */
export async function showQueue(url: Secret, context: CommandContext): Promise<void> {
  const { watchQueue } = await import('../scale/queue/queue-state.ts');
  const { queueLines } = await import('../scale/queue/queue-state.ts');
  const state = await watchQueue(url);
  if (context.flags.json) context.printJson({ ok: true, exit_code: 0, ...queueJson(state) });
  else for (const line of queueLines(state)) context.print(line);
}

/** The state of the queue, for programs. */
export function queueJson(state: QueueState): Record<string, unknown> {
  return {
    paused: state.isPaused,
    processes: state.processes,
    runs: state.runs,
    organizations: state.organizations,
    dead_letters: state.deadLetters,
    parts_waiting: state.partsWaiting,
  };
}
