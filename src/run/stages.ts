import { isDeepStrictEqual } from 'node:util';
import type { Reached } from '../extract/reach-projects.ts';
import type { SliceJob } from './ask.ts';
import { expectedSeriesOf, writeExpected } from './expected-series.ts';
import type { Step, Problem, SliceResult } from './outcome.ts';
import { OwedSlices } from './owed-slices.ts';
import { noteRefusedFilters, noteUnreached } from './let-go.ts';
import { keepSeenQuotas, rememberOrganizations } from './quotas.ts';
import { readProjectNames, readScopeValues, ROUNDS, type ScopeValuesOf, type Stage } from './plan-project.ts';
import type { RunContext } from './run-context.ts';
import { z } from 'zod';
import { AnswerlakeError } from '../errors.ts';
import { endDateOf } from '../plan/asked-with.ts';
import { readSqlFiles } from '../warehouse/sql.ts';

/** Asks for the owed slices once the keys are validated. */
export type AskOwed = (run: RunContext, reached: Reached) => AsyncGenerator<Step>;

/** Everything that a run asks, stage by stage; each step is yielded once it is loaded. */
export async function* runStages(run: RunContext, askOwed: AskOwed = askStages): AsyncGenerator<Step> {
  const { reached, notices, connection, queue } = run;
  const { accounts, projects } = reached;
  await rememberOrganizations(connection, accounts);
  const unreached = await noteUnreached(run, reached);
  yield {
    results: [],
    problems: [...reached.problems, ...unreached.problems],
    warnings: [...notices, ...reached.warnings, ...unreached.warnings],
    reached: { accounts: accounts.length, projects: projects.length },
  };
  if (projects.length === 0) {
    await pushValidations(run, reached);
    yield { results: await queue.drain(), problems: [] };
    return;
  }
  for await (const step of askOwed(run, reached))
    yield { ...step, results: step.results.map((result) => expectRefusal(run, result)) };
  yield { results: [], problems: await endDateContradictions(run) };
}

/** A filter that is let go and refused again is no failure: the run only tried whether the server has it again. */
function expectRefusal({ isLetGo }: Pick<RunContext, 'isLetGo'>, result: SliceResult): SliceResult {
  const isRefused = result.httpStatus === 400 || result.httpStatus === 404;
  return isRefused && isLetGo(result.slice) ? { ...result, failure: null } : result;
}

/** All stages, in the order in which a short quota is spent. Each round is planned from what earlier ones loaded. */
export async function* askStages(run: RunContext, reached: Reached): AsyncGenerator<Step> {
  const { connection, signal, clients, effects, progress } = run;
  const { projects } = reached;
  const readValues = (): Promise<ScopeValuesOf> =>
    readScopeValues(
      connection,
      projects.map(({ projectId }) => projectId),
    );
  let valuesOf = await readValues();
  const before = expectedSeriesOf(run, projects, valuesOf);
  // Also before the first round: a run that is stopped early must not look complete.
  await writeExpected(run, projects, before);
  const owed = new OwedSlices(run, reached);
  const begun = new Set<Stage>();
  progress.nameProjects(await readProjectNames(connection));
  for (const [place, stages] of ROUNDS.entries()) {
    const jobs = signal.aborted ? [] : await owed.plan(stages, valuesOf);
    // Planning reads nothing of them, so they need no transaction of their own: that took 70 to 100 ms before the first request.
    if (place === 0) await pushValidations(run, reached);
    if (signal.aborted) return;
    begin(run, stages, begun);
    if (jobs.length === 0 && place > 0) continue;
    yield await askAndLoad(run, jobs);
    valuesOf = await readValues();
    progress.nameProjects(await readProjectNames(connection));
    await keepSeenQuotas(connection, clients.quotas, {
      baseUrl: run.run.baseUrl,
      now: effects.now(),
    });
  }
  const areAskedAgain = await noteRefusedFilters(connection, run.run);
  const after = expectedSeriesOf(run, projects, valuesOf);
  if (areAskedAgain || !isDeepStrictEqual(before, after)) await writeExpected(run, projects, after);
}

function begin({ progress, log, run }: RunContext, stages: readonly Stage[], begun: Set<Stage>): void {
  for (const stage of stages) {
    if (begun.has(stage)) continue;
    begun.add(stage);
    progress.begin(stage);
    log.info('stage.started', { run: run.runId, stage });
  }
}

/** Hands the answers to the validations to the loader, which loads them with those that come next. */
async function pushValidations({ run, queue, progress }: RunContext, { answers }: Reached): Promise<void> {
  const { startedAt: runStartedAt, ...ofRun } = run;
  progress.expect(answers.length);
  for (const answer of answers) {
    const context = { ...ofRun, runStartedAt, asked: null, limit: null };
    await queue.push({ kind: 'answered', answer: { ...context, ...answer } });
  }
}

/** Asks for the jobs of one step and waits until everything is loaded. */
async function askAndLoad({ asker, queue }: RunContext, jobs: readonly SliceJob[]): Promise<Step> {
  const problems = await asker.ask(jobs);
  return { results: await queue.drain(), problems };
}

const monthRow = z.object({
  endpoint: z.string(),
  project_id: z.string(),
  month: z.string(),
  total: z.number(),
  summed: z.number(),
  lacks_last_day: z.boolean(),
});

/** Closed months whose total lacks exactly their last day, or has exactly the day after, against what `end_date` says; the figures stay. */
async function endDateContradictions({
  connection,
  config,
}: Pick<RunContext, 'connection' | 'config'>): Promise<Problem[]> {
  const problems: Problem[] = [];
  for (const { sql } of readSqlFiles('believe')) {
    for (const row of await connection.rowsAs(monthRow, sql.trim().replace(/;$/, ''))) {
      const found = row.lacks_last_day ? 'exclusive' : 'inclusive';
      if (endDateOf(config, row.endpoint) === found) continue;
      const [day, seems] = row.lacks_last_day ? ['last day', 'does not seem'] : ['day after', 'seems'];
      const error = new AnswerlakeError(
        `${row.endpoint} of project ${row.project_id}: ${row.month} has ${String(row.total)} responses, and its days have ${String(row.summed)}; the difference is its ${day}, so the server ${seems} to count endDate. Set api.end_date: ${found}, or run answerlake check --api`,
        { class: 'contract', scope: 'endpoint' },
      );
      problems.push({ error, projectId: row.project_id });
    }
  }
  return problems;
}
