import type { Effects } from '../effects.ts';
import type { Log } from '../log.ts';
import type { Connection } from '../warehouse/connection.ts';
import { publishNeeded } from './needed.ts';
import { setMode } from './put-in-place.ts';
import { publish, type PublishReport } from './publish.ts';

export interface PublishContext {
  config: { warehouse: { path: string; storageVersion: string; mode: number } };
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
  const { path: targetPath, storageVersion, mode } = config.warehouse;
  const reason = await publishNeeded({ connection, targetPath, storageVersion });
  if (reason === undefined) {
    setMode(targetPath, mode);
    log.info('publish.skipped', { path: targetPath, reason: 'nothing changed' });
    return null;
  }
  const report = await publish({ connection, targetPath, storageVersion, mode, now: effects.now() });
  log.info('publish.done', {
    path: report.path,
    bytes: report.bytes,
    duration_ms: Math.round(report.durationMs),
    reason,
  });
  return report;
}
