import { AnswerlakeError, messageOf } from '../errors.ts';
import type { Log } from '../log.ts';
import type { Connection } from '../warehouse/connection.ts';
import { inspectPublished, PUBLISHED, resolveTarget } from './inspect.ts';
import { openTarget, type TargetSettings } from './open-target.ts';
import type { PublishReport } from './publish.ts';
import { TargetError, type TargetReport } from './target.ts';

export interface TargetContext {
  config: { warehouse: TargetSettings & { path: string } };
  log: Log;
}

/**
 * Brings the target, where there is one, up to the published file, also when a publish that changed nothing left that as it was:
 * the target may have missed an earlier one.
 * @throws TargetError; the published file stays in place
 */
export async function bringTargetUpToDate(
  connection: Connection,
  { config, log }: TargetContext,
  published: PublishReport | null,
): Promise<TargetReport | null> {
  const target = await openTarget(config.warehouse);
  if (target === null) return null;
  const { name } = target;
  const started = performance.now();
  try {
    const report = await inspectPublished(connection, resolveTarget(config.warehouse.path), (found) =>
      target.bringUpToDate({ connection, catalog: PUBLISHED, ...found }),
    );
    if (report === undefined || report === null) {
      log.info('target.skipped', { target: name, reason: 'nothing changed' });
      return null;
    }
    const { parts, rows, warnings } = report;
    for (const warning of warnings) log.warn('target.warning', { target: name, warning });
    log.info('target.done', {
      target: name,
      parts,
      rows,
      duration_ms: Math.round(performance.now() - started),
    });
    return report;
  } catch (error) {
    log.error('target.failed', { target: name, error });
    if (error instanceof AnswerlakeError) throw new TargetError(error, published);
    const why = `the target ${name} could not be brought up to date: ${messageOf(error)}`;
    throw new TargetError(new AnswerlakeError(why, { class: 'storage', cause: error }), published);
  }
}
