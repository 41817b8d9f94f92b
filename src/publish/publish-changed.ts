import type { Effects } from '../effects.ts';
import type { Log } from '../log.ts';
import type { Connection } from '../warehouse/connection.ts';
import { dropParts } from './changes.ts';
import { publishNeeded } from './needed.ts';
import { setMode } from './put-in-place.ts';
import { publish, type PublishReport, type PublishStep } from './publish.ts';

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
  const started = performance.now();
  try {
    const need = await publishNeeded({ connection, targetPath, storageVersion });
    if (need === undefined) {
      setMode(targetPath, mode);
      log.info('publish.skipped', { path: targetPath, reason: 'nothing changed' });
      return null;
    }
    const { reason, changes } = need;
    const onStep = (step: PublishStep): void => log.debug('publish.step', { step });
    const made = await publish({
      connection,
      targetPath,
      storageVersion,
      mode,
      now: effects.now(),
      changes,
      onStep,
    });
    const report = { ...made, durationMs: performance.now() - started };
    const { path, bytes, way, why, warning } = report;
    if (warning !== null) log.warn('publish.anew', { path, warning });
    log.info('publish.done', { path, bytes, duration_ms: Math.round(report.durationMs), reason, way, why });
    return report;
  } finally {
    await dropParts(connection);
  }
}
