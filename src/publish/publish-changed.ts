import type { Effects } from '../effects.ts';
import type { Log } from '../log.ts';
import type { Connection } from '../warehouse/connection.ts';
import { bringTargetUpToDate, type TargetContext } from './bring-up-to-date.ts';
import { dropParts } from './changes.ts';
import { publishNeeded } from './needed.ts';
import { resolveTarget } from './inspect.ts';
import { removeLeftovers } from '../warehouse/publish-names.ts';
import { setMode } from './put-in-place.ts';
import { publish, type PublishReport, type PublishStep } from './publish.ts';

export interface PublishContext extends TargetContext {
  config: { warehouse: TargetContext['config']['warehouse'] & { storageVersion: string; mode: number } };
  effects: Effects;
  log: Log;
  /** Aborted when another process may have taken over: nothing takes the place of the published file any more. */
  lost?: AbortSignal | undefined;
}

/**
 * Publishes the working file when it says something that the published one does not, and brings the target up to date.
 * @throws AnswerlakeError (storage); the published file is then as it was
 * @throws TargetError; the published file is then in place, and the target as it was
 */
export async function publishChanged(
  connection: Connection,
  context: PublishContext,
): Promise<PublishReport | null> {
  const published = await publishFile(connection, context);
  context.lost?.throwIfAborted();
  return await withTarget(connection, context, published);
}

/** The report of a publish whose file is in place, with what the target has to say. @throws TargetError */
export async function withTarget<Report extends PublishReport | null>(
  connection: Connection,
  context: TargetContext,
  published: Report,
): Promise<Report> {
  const target = await bringTargetUpToDate(connection, context, published);
  if (published === null || target === null) return published;
  const warnings = [...(published.warning === null ? [] : [published.warning]), ...target.warnings];
  return { ...published, warning: warnings.length === 0 ? null : warnings.join('; ') };
}

async function publishFile(
  connection: Connection,
  { config, effects, log, lost }: PublishContext,
): Promise<PublishReport | null> {
  const { path: targetPath, storageVersion, mode } = config.warehouse;
  const started = performance.now();
  lost?.throwIfAborted();
  try {
    const need = await publishNeeded({ connection, targetPath, storageVersion });
    if (need === undefined) {
      setMode(targetPath, mode);
      removeLeftovers(resolveTarget(targetPath), effects.now());
      log.info('publish.skipped', { path: targetPath, reason: 'nothing changed' });
      return null;
    }
    const { reason, changes } = need;
    const onStep = (step: PublishStep): void => {
      lost?.throwIfAborted();
      log.debug('publish.step', { step });
    };
    const made = await publish({
      connection,
      targetPath,
      storageVersion,
      mode,
      now: effects.now(),
      changes,
      onStep,
    });
    const report = {
      ...made,
      warning: made.warning ?? need.warning ?? null,
      durationMs: performance.now() - started,
    };
    const { path, bytes, way, why, warning } = report;
    if (warning !== null) log.warn('publish.anew', { path, warning });
    log.info('publish.done', { path, bytes, duration_ms: Math.round(report.durationMs), reason, way, why });
    return report;
  } finally {
    await dropParts(connection);
  }
}
