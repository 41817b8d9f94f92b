import type { Effects } from '../effects.ts';
import type { Log } from '../log.ts';
import type { Connection } from '../warehouse/connection.ts';
import { AnswerlakeError, messageOf, storageError } from '../errors.ts';
import { whyPublish } from '../publish/compare.ts';
import { inspectPublished, PUBLISHED, resolveTarget } from '../warehouse/published.ts';
import { withMoreMemory } from '../warehouse/memory.ts';
import { removeLeftovers } from '../warehouse/database-files.ts';
import { setMode, publish } from '../publish/publish.ts';
import { leftOutText, noteLeftOut } from '../publish/own-views.ts';
import type { PublishOptions, PublishReport, PublishStep } from '../publish/publish.ts';
import { TargetError, type PublishTarget } from './target.ts';
import type { Secret } from '../secret.ts';
import type { LakePlace } from './ducklake/with-lake.ts';

interface PublishContext extends Pick<PublishOptions, 'onLeftOut'> {
  config: { warehouse: TargetSettings & { path: string; storageVersion: string }; viewsDir?: string };
  effects: Effects;
  log: Log;
  /** Aborted when another process may have taken over: after that, the published file is not replaced. */
  lossSignal?: AbortSignal | undefined;
}

/**
 * Publishes the working file if it differs from the published one, and brings the target up to date.
 * @throws AnswerlakeError (storage); the published file is then unchanged
 * @throws TargetError; the published file is then in place, and the target unchanged
 */
export async function publishChanged(
  connection: Connection,
  context: PublishContext,
): Promise<PublishReport | null> {
  const published = await withMoreMemory(connection, () => publishFile(connection, context));
  context.lossSignal?.throwIfAborted();
  await withTarget(connection, context, published);
  return published;
}

/** Publishes the working file unconditionally, and updates the target. @throws as `publishChanged` */
export async function publishAnew(connection: Connection, context: PublishContext): Promise<PublishReport> {
  const published = await withMoreMemory(connection, () => writeFile(connection, context));
  const warnings = await withTarget(connection, context, published);
  return { ...published, warnings: [...published.warnings, ...warnings] };
}

async function publishFile(connection: Connection, context: PublishContext): Promise<PublishReport | null> {
  const { config, log, lossSignal } = context;
  const { path, storageVersion, mode } = config.warehouse;
  lossSignal?.throwIfAborted();
  const reason = await whyPublish(connection, { path, storageVersion, viewsDir: config.viewsDir });
  if (reason === undefined) {
    setMode(path, mode);
    removeLeftovers(resolveTarget(path));
    log.info('publish.skipped', { path, reason: 'nothing changed' });
    return null;
  }
  const made = await writeFile(connection, context);
  const { bytes, durationMs } = made;
  log.info('publish.done', { path: made.path, bytes, duration_ms: Math.round(durationMs), reason });
  return made;
}

async function writeFile(
  connection: Connection,
  { config, effects, log, lossSignal, onLeftOut }: PublishContext,
): Promise<PublishReport> {
  const { path: targetPath, storageVersion, mode } = config.warehouse;
  const onStep = (step: PublishStep): void => {
    lossSignal?.throwIfAborted();
    log.debug('publish.step', { step });
  };
  const file = { targetPath, storageVersion, mode, viewsDir: config.viewsDir, now: effects.now() };
  const made = await publish({ connection, ...file, onStep, onLeftOut });
  for (const warning of made.warnings) log.warn('publish.warning', { path: made.path, warning });
  return made;
}

/**
 * Updates the target from the published file, even after a publish without changes: the target may have missed an earlier one.
 * Returns warnings.
 * @throws TargetError; the published file stays in place
 */
async function withTarget(
  connection: Connection,
  { config, log }: Pick<PublishContext, 'config' | 'log'>,
  published: PublishReport | null,
): Promise<string[]> {
  const target = await openTarget(config.warehouse);
  if (target === null) return [];
  const { name } = target;
  const started = performance.now();
  try {
    const report = await withMoreMemory(connection, () =>
      inspectPublished(connection, resolveTarget(config.warehouse.path), (found) =>
        target.bringUpToDate({ connection, catalog: PUBLISHED, ...found }),
      ),
    );
    if (report === undefined || report === null) {
      log.info('target.skipped', { target: name, reason: 'nothing changed' });
      return [];
    }
    const { parts, rows, computed, leftOut: failures } = report;
    const leftOut = await noteLeftOut(connection, { target: name, failures, folder: config.viewsDir });
    const warnings = leftOut.map(leftOutText);
    for (const warning of warnings) log.warn('target.warning', { target: name, warning });
    const durationMs = Math.round(performance.now() - started);
    log.info('target.done', { target: name, parts, rows, computed, duration_ms: durationMs });
    return warnings;
  } catch (error) {
    log.error('target.failed', { target: name, error });
    if (error instanceof AnswerlakeError) throw new TargetError(error, published);
    const why = `the target ${name} could not be updated: ${messageOf(error)}`;
    throw new TargetError(storageError(why, error), published);
  }
}

/** The settings that choose a target. */
interface TargetSettings {
  url: Secret | null;
  lake: LakePlace | null;
  mode: number;
}

/** The target in addition to the published file; null without one. Its code is loaded only if used. */
export async function openTarget({ url, lake, mode }: TargetSettings): Promise<PublishTarget | null> {
  if (url !== null) return (await import('./postgres/target.ts')).postgresTarget(url);
  if (lake !== null) return (await import('./ducklake/duck-lake.ts')).openDuckLake({ ...lake, mode });
  return null;
}
