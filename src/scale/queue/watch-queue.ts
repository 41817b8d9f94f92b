import type { Secret } from '../../secret.ts';
import { openPostgres } from './postgres.ts';
import { readQueueState, type QueueState } from './queue-state.ts';
import { requireQueue } from './schema.ts';

/** What the queue does now. @throws AnswerlakeError storage when PostgreSQL is away, configuration when the queue is not set up */
export async function watchQueue(url: Secret): Promise<QueueState> {
  await using postgres = openPostgres(url);
  await requireQueue(postgres);
  return await readQueueState(postgres);
}
