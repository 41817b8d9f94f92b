import type { Config } from '../config/config.ts';
import { usageError } from '../errors.ts';
import type { Secret } from '../secret.ts';

/** The address of the queue. @throws AnswerlakeError 'configuration' where none is configured */
export function queueUrl({ path, queue }: Config): Secret {
  if (queue.url !== null) return queue.url;
  throw usageError(
    `${path} configures no queue: set queue.url to env:NAME, where NAME holds the address of PostgreSQL (docs/scale.md). Without a queue, answerlake sync and answerlake schedule do all the work in one process.`,
  );
}
