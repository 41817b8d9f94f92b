import { AnswerlakeError, exitCodeOf, messageOf } from '../errors.ts';
import { pruneRawArchive } from '../load/raw-archive.ts';
import { leftOutText, readLeftOut } from '../publish/own-views.ts';
import type { PublishReport } from '../publish/publish.ts';
import { counted } from '../quantity.ts';
import { publishChanged } from '../targets/publish-changed.ts';
import { TargetError } from '../targets/target.ts';
import type { Connection } from '../warehouse/connection.ts';
import { writeJournal, writeLostEnd } from './journal.ts';
import * as outcomes from './outcome.ts';
import { Outcome, type Step, type RunEnd } from './outcome.ts';
import { readProjectNames } from './stored-projects.ts';
import { keepSeenQuotas } from './quotas.ts';
import type { OpenRun } from './run-context.ts';
import * as runFile from './run-file.ts';
import { finishRun, pruneLogs } from './run-record.ts';

/**
 * Takes the steps of a run one by one and closes the run, whatever happened.
 * @throws AnswerlakeError when the run could not write (storage, locked)
 */
export async function runToEnd(run: OpenRun, steps: AsyncIterable<Step>): Promise<RunReport> {
  const outcome = new Outcome();
  try {
    try {
      for await (const step of steps) outcome.add(step);
    } catch (error) {
      if (!run.signal.aborted && isBroken(error)) throw error;
      if (!run.signal.aborted) outcome.add({ problems: [{ error }] });
    }
    return await closeRun(run, outcome);
  } catch (error) {
    outcome.add({ problems: [{ error }] });
    if (isBroken(error)) await closeBrokenRun(run, outcome, exitCodeOf(error));
    throw error;
  }
}

/** After a storage failure or a bug, no further result of the run can be trusted. */
function isBroken(error: unknown): boolean {
  return !(error instanceof AnswerlakeError) || error.class === 'storage' || error.class === 'locked';
}

/**
 * Loads the remaining answers, records how the run ended, publishes, and reports.
 * @throws AnswerlakeError (storage, locked)
 */
async function closeRun(run: OpenRun, outcome: Outcome): Promise<RunReport> {
  const { connection, queue, signal, request } = run;
  const { runId } = run.run;
  // Answers that arrived before a stop are kept.
  outcome.add({ results: await queue.drain() });
  await keepSeenQuotas(run);
  // A later signal stops nothing any more.
  const stop = signal.aborted ? signal : new AbortController().signal;
  const conclude = (): RunEnd => outcomes.concludeRun(outcome, { isStrict: request.strict, signal: stop });
  // Before publishing, so that the published file contains this run.
  let end = conclude();
  await finishRun(connection, runId, endOf(run, end, outcome));
  if (outcome.reached.projects > 0) await pruneLogs(connection, run);
  let published: PublishReport | null = null;
  const settle = async (viewsLeftOut: number, ...files: readonly Connection[]): Promise<void> => {
    outcome.viewsLeftOut = viewsLeftOut;
    const settled = conclude();
    if (settled.exitCode === end.exitCode) return;
    end = settled;
    for (const file of files) await finishRun(file, runId, endOf(run, end, outcome));
  };
  const onLeftOut = (file: Connection, count: number): Promise<void> => settle(count, connection, file);
  try {
    // Frees memory that publishing needs; closing would write the rows anyway.
    await connection.run('checkpoint');
    // If no project was reached, there is nothing new to publish, and an empty file would look like data.
    if (outcome.reached.projects > 0 && request.publishes)
      published = await publishChanged(connection, { ...run, onLeftOut });
  } catch (error) {
    if (error instanceof TargetError) published = error.published;
    outcome.add({ problems: [{ error }] });
    end = conclude();
    await finishRun(connection, runId, { ...endOf(run, end, outcome), error_message: messageOf(error) });
  }
  const leftOut = await readLeftOut(connection);
  outcome.warnings.push(...leftOut.map(leftOutText));
  await settle(leftOut.length, connection);
  await writeJournal(connection, run);
  outcome.warnings.push(...(await pruneArchive(run, outcome)));
  if (end.exitCode === 0) runFile.removeFormerFiles(connection.path, run.log);
  return runReport(run, { ...end, outcome, published, names: await readProjectNames(connection) });
}

/** Removes data beyond its retention, but only after the API has answered: a clock far ahead would make everything old. */
async function pruneArchive({ config, log, now, request }: OpenRun, { reached }: Outcome): Promise<string[]> {
  if (reached.projects === 0) return [];
  const { dir, keepDays } = config.raw;
  const isAll = request.pruneAll;
  const { removed, kept, failures } = await pruneRawArchive(dir, { now: now(), keepDays, isAll });
  if (removed.length > 0) log.info('archive.pruned', { files: removed.length });
  const warnings: string[] = [];
  const what = `answers older than raw.keep_days (${String(keepDays)})`;
  if (kept > 0) {
    warnings.push(
      `${counted(kept, 'file')} of ${what} kept: a run removes a tenth of the archive at most, because a clock may be wrong; later runs go on, and answerlake sync --yes removes all of them at once`,
    );
  }
  const [first] = failures;
  if (first !== undefined) {
    warnings.push(
      `${what} cannot be removed (${String(failures.length)} in all): ${first}; fix the permissions or remove them`,
    );
  }
  return warnings;
}

/** Records a run that failed because of storage or a bug: in the journal alone if the working file accepts nothing more. */
async function closeBrokenRun(run: OpenRun, outcome: Outcome, exitCode: RunEnd['exitCode']): Promise<void> {
  const { connection, queue } = run;
  const { runId } = run.run;
  outcome.add({ results: queue.takeLoaded() });
  const end = endOf(run, { status: 'failed', exitCode }, outcome);
  try {
    await finishRun(connection, runId, end);
  } catch {
    return await writeLostEnd({ run_id: runId, ...end }, run);
  }
  await writeJournal(connection, run);
}

/** The end of a run as columns of `meta.runs`. */
function endOf(
  { clients, now }: OpenRun,
  { status, exitCode }: RunEnd,
  { totals, failures: [first] }: Outcome,
) {
  return {
    finished_at: new Date(now()).toISOString(),
    status,
    exit_code: exitCode,
    error_message: first?.message ?? null,
    ...clients.totals(),
    ...totals,
  };
}

/** The result of a run, in the words of `meta.runs`. */
export type RunReport = ReturnType<typeof runReport>;

function runReport(
  { run, request, connection, clients, archive, now }: OpenRun,
  {
    outcome,
    published,
    names,
    exitCode,
    status,
  }: RunEnd & { outcome: Outcome; published: PublishReport | null; names: ReadonlyMap<string, string> },
) {
  const finishedAt = now();
  const tables = Object.entries(published?.tables ?? {}).filter(([name]) => /^(?:core|own)\./.test(name));
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
    /** Alarms that become known on this sync day: they no longer end a run with 3. */
    newly_known: outcome.newlyKnown,
    ...outcome.totals,
    /** Path of the published file if this run published it. */
    published: published?.path ?? null,
    working_file: connection.path,
    raw_archive: archive?.isWritten === true ? archive.path : null,
    /** Rows of each core table; empty if nothing was published. */
    tables: Object.fromEntries(tables.map(([name, rows]) => [name.replace('core.', ''), rows])),
    // Messages for people need names, not ids.
    failures: outcome.failures.map(({ slice: _slice, alarm: _alarm, ...failure }) => ({
      ...failure,
      project_name: names.get(failure.project ?? '') ?? null,
    })),
    // The outcome includes the views that this publish left out.
    warnings: [
      ...new Set([
        ...outcome.warnings,
        ...(clients.warnings?.() ?? []),
        ...outcomes.outcomeWarnings(outcome),
        ...(published?.warnings ?? []),
      ]),
    ],
  };
}
