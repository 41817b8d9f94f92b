import type { Jobs } from './jobs.ts';
import { requestSchema, type QueuedRequest } from './request.ts';
import { RUNS } from './schema.ts';

/**
 * Asks for a run. Null: the same one was asked for in this minute already, by a schedule on another host.
 * @throws AnswerlakeError (storage)
 */
export async function enqueueRun(
  jobs: Jobs,
  request: { readonly [Name in keyof QueuedRequest]: unknown },
  { onceAMinute = null }: { onceAMinute?: string | null },
): Promise<string | null> {
  const data = requestSchema.parse(request);
  const options = onceAMinute === null ? {} : { key: onceAMinute, onceInSeconds: 60 };
  return await jobs.send(RUNS, data, options);
}
