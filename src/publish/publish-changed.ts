import type { Effects } from '../effects.ts';
import type { Log } from '../log.ts';
import type { Connection } from '../warehouse/connection.ts';
import { publishNeeded } from './needed.ts';
import { publish, type PublishReport } from './publish.ts';

export interface PublishContext {
  config: { warehouse: { path: string; storageVersion: string } };
  effects: Effects;
  log: Log;
}

/**
 * Publishes the working file when it says something that the published one does not.
 * @throws AnswerlakeError (storage); the published file is then as it was
 */
export async function publishChanged(
  connection: Connection,
  { config, effects, log }: PublishContext,
): Promise<PublishReport | null> {
  const { path: targetPath, storageVersion } = config.warehouse;
  const reason = await publishNeeded({ connection, targetPath, storageVersion });
  if (reason === undefined) {
    log.info('publish.skipped', { path: targetPath, reason: 'nothing changed' });
    return null;
  }
  const report = await publish({ connection, targetPath, storageVersion, now: effects.now() });
  log.info('publish.done', {
    path: report.path,
    bytes: report.bytes,
    duration_ms: Math.round(report.durationMs),
    reason,
  });
  return report;
}
