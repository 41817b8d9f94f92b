import { AnswerlakeError, exitCodeOf, messageOf } from '../errors.ts';
import { pruneRawArchive } from '../load/raw-archive.ts';
import type { PublishReport } from '../publish/publish.ts';
import { publishChanged } from '../targets/publish-changed.ts';
import { TargetError } from '../targets/target.ts';
import { writeJournal, writeLostEnd } from './journal.ts';
import { collectWhereLarge, memoryLimit } from './memory.ts';
import type { EnteredRun } from './open-run.ts';
import { addStep, concludeRun, type Outcome, type RunEnd } from './outcome.ts';
import { finishRun } from './run-record.ts';
import { keepSeenQuotas } from './seen-quotas.ts';
import type { RunReport } from './sync-request.ts';
import { withMoreMemory } from '../warehouse/more-memory.ts';

/**
 * Loads what is left, records how the run ended, publishes, and reports.
 * @param memory DuckDB's from publishing on; without it, what it has
 * @throws AnswerlakeError (storage); that is recorded too
 */
export async function closeRun(run: EnteredRun, pulled: Outcome, memory?: string): Promise<RunReport> {
  try {
    return await close(run, pulled, memory);
  } catch (error) {
    if (isBroken(error)) {
      await closeBrokenRun(run, addStep(pulled, { results: [], problems: [{ error }] }), exitCodeOf(error));
    }
    throw error;
  }
}

/** After a storage failure or a bug, nothing that the run does can be trusted. */
export function isBroken(error: unknown): boolean {
  return !(error instanceof AnswerlakeError) || error.class === 'storage' || error.class === 'locked';
}

async function close(run: EnteredRun, pulled: Outcome, memory: string | undefined): Promise<RunReport> {
  const { pulling, context, request } = run;
  const { connection, queue } = pulling;
  const { config, log, signal } = context;
  const conclude = (outcome: Outcome): RunEnd => concludeRun(outcome, { isStrict: request.strict, signal });
  // Answers that arrived before a stop are kept.
  let outcome = addStep(pulled, { results: await queue.drain(), problems: [] });
  await keepSeenQuotas(connection, pulling.quotas, {
    baseUrl: pulling.run.baseUrl,
    now: pulling.effects.now(),
  });
  // Before publishing, so that the published file contains this run; a signal that comes later stops nothing any more.
  let end = conclude(outcome);
  await enterEnd(run, { ...end, outcome, errorMessage: firstMessage(outcome) });
  let published: PublishReport | null = null;
  try {
    // What was loaded leaves the memory that publishing needs; closing would write it anyway.
    await connection.run('checkpoint');
    collectWhereLarge();
    if (memory !== undefined) await connection.limitMemory(memory);
    // If no project was reached there is nothing new to publish, and an empty file would look like data.
    if (outcome.reached.projects > 0) {
      published = await withMoreMemory(connection, memoryLimit(), () => publishChanged(connection, context));
    }
  } catch (error) {
    if (error instanceof TargetError) published = error.published;
    outcome = addStep(outcome, { results: [], problems: [{ error }] });
    end = conclude(outcome);
    await enterEnd(run, { ...end, outcome, errorMessage: messageOf(error) });
  }
  await writeJournal(connection, { path: config.warehouse.path, log });
  outcome = addStep(outcome, { results: [], problems: [], warnings: await pruneArchive(run, outcome) });
  return runReport(run, { ...end, outcome, published });
}

/** Removes what is older than it is kept, once the API has answered: by a clock that is far ahead, which nobody could tell otherwise, everything is old. */
async function pruneArchive({ context, now }: EnteredRun, { reached }: Outcome): Promise<string[]> {
  if (reached.projects === 0) return [];
  const { config, log } = context;
  const { removed, failures } = await pruneRawArchive(config.raw.dir, now(), config.raw.keepDays);
  if (removed.length > 0) log.info('archive.pruned', { files: removed.length });
  const [first] = failures;
  if (first === undefined) return [];
  const others = failures.length > 1 ? ` and ${String(failures.length - 1)} more` : '';
  return [
    `answers older than raw.keep_days (${String(config.raw.keepDays)}) cannot be removed: ${first}${others}; fix the permissions or remove them`,
  ];
}

/** Records a run that failed because of storage or a bug: in the journal alone where the working file takes nothing more. */
export async function closeBrokenRun(
  run: EnteredRun,
  pulled: Outcome,
  exitCode: RunEnd['exitCode'],
): Promise<void> {
  const { connection, queue, run: entered } = run.pulling;
  const { config, log } = run.context;
  const journal = { path: config.warehouse.path, log };
  const outcome = addStep(pulled, { results: queue.takeLoaded(), problems: [] });
  const end = { status: 'failed', errorMessage: firstMessage(outcome) } as const;
  try {
    await enterEnd(run, { ...end, exitCode, outcome });
  } catch {
    const finishedAt = new Date(run.now()).toISOString();
    const { status, errorMessage: message } = end;
    const { runId } = entered;
    writeLostEnd(
      { run_id: runId, status, exit_code: exitCode, error_message: message, finished_at: finishedAt },
      journal,
    );
    return;
  }
  await writeJournal(connection, journal);
}

function firstMessage({ failures: [first] }: Outcome): string | null {
  return first?.message ?? null;
}

async function enterEnd(
  { pulling, clients, now }: EnteredRun,
  { outcome, ...end }: RunEnd & { outcome: Outcome; errorMessage: string | null },
): Promise<void> {
  await finishRun(pulling.connection, {
    runId: pulling.run.runId,
    ...end,
    ...clients.totals(),
    totals: outcome.totals,
    finishedAt: now(),
  });
}

function runReport(
  { pulling: { run }, request, clients, archive, workingFile, now }: EnteredRun,
  { outcome, published, exitCode, status }: RunEnd & { outcome: Outcome; published: PublishReport | null },
): RunReport {
  const finishedAt = now();
  const core = Object.entries(published?.tables ?? {}).filter(([name]) => name.startsWith('core.'));
  return {
    run_id: run.runId,
    job: request.job,
    status,
    exit_code: exitCode,
    started_at: new Date(run.startedAt).toISOString(),
    finished_at: new Date(finishedAt).toISOString(),
    duration_ms: finishedAt - run.startedAt,
    sync_day: run.syncDay,
    ...clients.totals(),
    projects: outcome.reached.projects,
    ...outcome.totals,
    published: published?.path ?? null,
    working_file: workingFile,
    raw_archive: archive.isWritten ? archive.path : null,
    tables: Object.fromEntries(core.map(([name, rows]) => [name.slice('core.'.length), rows])),
    failures: [...outcome.failures],
    warnings: [
      ...outcome.warnings,
      ...clients.warnings(),
      ...warningsOf(outcome),
      ...(typeof published?.warning === 'string' ? [published.warning] : []),
    ],
  };
}

function warningsOf({ totals, drifts, suspicious, refused }: Outcome): string[] {
  const warnings: string[] = [];
  if (totals.rows_rejected > 0)
    warnings.push(`${String(totals.rows_rejected)} rows were refused: see meta.rejects`);
  if (drifts > 0)
    warnings.push('answers had fields or values that the API does not document: see meta.drift');
  if (suspicious > 0) {
    warnings.push(
      `${String(suspicious)} answers lack more than half of what is known: what they lack stays until a later day says the same (answerlake status), or run again with --accept-shrink`,
    );
  }
  if (refused > 0)
    warnings.push(
      `${String(refused)} slices are too old for the server and not available: a run with a longer look-back asks again`,
    );
  return warnings;
}
