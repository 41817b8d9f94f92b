import type { Config } from '../config/config.ts';
import type { CommandContext } from './context.ts';
import { lookAtQueue } from './queue-access.ts';
import { queueJson } from './queue-status.ts';

/** What the queue does, as lines for people; none where no queue is configured. */
export async function queueNotes(config: Config, context: CommandContext): Promise<string[]> {
  const seen = await lookAtQueue(config, context);
  if (seen === null) return [];
  if ('problem' in seen) return ['', `Queue: ${seen.problem}`];
  const { queueLines } = await import('../queue/queue-text.ts');
  const [first = '', ...rest] = queueLines(seen.state);
  return ['', `Queue: ${first}`, ...rest];
}

/** The same for programs. */
export async function queuePart(config: Config, context: CommandContext): Promise<{ queue?: unknown }> {
  const seen = await lookAtQueue(config, context);
  if (seen === null) return {};
  return { queue: 'problem' in seen ? seen : queueJson(seen.state) };
}
