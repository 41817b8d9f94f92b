import type { Secret } from '../secret.ts';
import type { QueueState } from '../queue/queue-state.ts';
import type { CommandContext } from './context.ts';

/** Prints what the queue does. @throws AnswerlakeError storage, configuration */
export async function showQueue(url: Secret, context: CommandContext): Promise<void> {
  const { watchQueue } = await import('../queue/watch-queue.ts');
  const { queueLines } = await import('../queue/queue-text.ts');
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
