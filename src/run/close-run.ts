import { messageOf } from '../errors.ts';
import { pruneRawArchive } from '../load/raw-archive.ts';
import type { PublishReport } from '../publish/publish.ts';
import { publishChanged } from '../targets/publish-changed.ts';
import { TargetError } from '../targets/target.ts';
import { writeJournal, writeLostEnd } from './journal.ts';
import { collectWhereLarge, memoryLimit } from './run-file.ts';
import { addStep, concludeRun, type Outcome, type RunEnd } from './outcome.ts';
import type { RunContext } from './run-context.ts';
import { readProjectNames } from './planning-values.ts';
import { finishRun } from './run-record.ts';
import { keepSeenQuotas } from './quotas.ts';
import type { RunReport } from './sync-request.ts';
import type { Connection } from '../warehouse/connection.ts';
import { withMoreMemory } from '../warehouse/memory-limit.ts';

/**
 * Loads the remaining answers, records how the run ended, publishes, and reports.
 * @param memory DuckDB's from publishing on; without it, what it has
 * @throws AnswerlakeError (storage, locked)
 */
export async function closeRun(run: RunContext, before: Outcome, memory?: string): Promise<RunReport> {
  const { connection, queue, clients, config, log, signal, request } = run;
  const conclude = (outcome: Outcome): RunEnd => concludeRun(outcome, { isStrict: request.strict, signal });
  // Answers that arrived before a stop are kept.
  let outcome = addStep(before, { results: await queue.drain(), problems: [] });
  await keepSeenQuotas(connection, clients.quotas, {
    baseUrl: run.run.baseUrl,
    now: run.effects.now(),
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
      published = await withMoreMemory(connection, memoryLimit(), () => publishChanged(connection, run));
    }
  } catch (error) {
    if (error instanceof TargetError) published = error.published;
    outcome = addStep(outcome, { results: [], problems: [{ error }] });
    end = conclude(outcome);
    await enterEnd(run, { ...end, outcome, errorMessage: messageOf(error) });
  }
  await writeJournal(connection, { path: config.warehouse.path, log });
  outcome = addStep(outcome, { results: [], problems: [], warnings: await pruneArchive(run, outcome) });
  const failures = await withProjectNames(connection, outcome.failures);
  return runReport(run, { ...end, outcome: { ...outcome, failures }, published });
}

/** Removes data beyond its retention, once the API has answered: a clock that is far ahead would make everything old. */
async function pruneArchive({ config, log, now }: RunContext, { reached }: Outcome): Promise<string[]> {
  if (reached.projects === 0) return [];
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
  run: RunContext,
  before: Outcome,
  exitCode: RunEnd['exitCode'],
): Promise<void> {
  const { connection, queue, config, log } = run;
  const journal = { path: config.warehouse.path, log };
  const outcome = addStep(before, { results: queue.takeLoaded(), problems: [] });
  const end = { status: 'failed', errorMessage: firstMessage(outcome) } as const;
  try {
    await enterEnd(run, { ...end, exitCode, outcome });
  } catch {
    const { status, errorMessage } = end;
    const finishedAt = new Date(run.now()).toISOString();
    const ended = { exit_code: exitCode, error_message: errorMessage, finished_at: finishedAt };
    writeLostEnd({ run_id: run.run.runId, status, ...ended }, journal);
    return;
  }
  await writeJournal(connection, journal);
}

/** For people, who know no ids. */
async function withProjectNames(
  connection: Connection,
  failures: Outcome['failures'],
): Promise<Outcome['failures']> {
  if (failures.every(({ project }) => project === null)) return failures;
  const names = await readProjectNames(connection);
  return failures.map((failure) => ({ ...failure, project_name: names.get(failure.project ?? '') ?? null }));
}

function firstMessage({ failures: [first] }: Outcome): string | null {
  return first?.message ?? null;
}

async function enterEnd(
  { connection, run: { runId }, clients, now }: RunContext,
  { outcome, ...end }: RunEnd & { outcome: Outcome; errorMessage: string | null },
): Promise<void> {
  const { totals } = outcome;
  await finishRun(connection, { runId, ...end, ...clients.totals(), totals, finishedAt: now() });
}

function runReport(
  { run, request, connection, clients, archive, now }: RunContext,
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
    working_file: connection.path,
    raw_archive: archive?.isWritten === true ? archive.path : null,
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
      `${String(suspicious)} answers lack more than half of the known rows: those rows stay until a later day lacks them too (answerlake status), or run again with --accept-shrink`,
    );
  }
  if (refused > 0)
    warnings.push(
      `${String(refused)} slices are too old for the server and not available: a run with a longer look-back asks again`,
    );
  return warnings;
}
