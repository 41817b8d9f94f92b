import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { isAskedFor, unknownExceptions } from '../config/choice.ts';
import { validate } from '../endpoints/reference.ts';
import { contractError, errorClassOf, exitCodeOf } from '../errors.ts';
import { unknownOrganization } from '../extract/quota.ts';
import { ApiError } from '../extract/api-error.ts';
import { hourOnly, reservedRequests } from '../extract/quota-state.ts';
import { listedOf, type Account, type Reached } from '../extract/reach-projects.ts';
import * as owedOf from '../plan/owed.ts';
import { expectedOf, owedSlices, type ScopeValuesOf, type SliceJob } from '../plan/owed.ts';
import type { Coverage } from '../plan/coverage.ts';
import { readCoverage } from './read-coverage.ts';
import { endDateOf } from '../plan/selection.ts';
import { sliceKey } from '../slice.ts';
import { readSql } from '../warehouse/sql.ts';
import { settleLoad } from '../load/settle.ts';
import { addDays } from '../day.ts';
import { GONE, readLost, settleAlarms, type Lost } from './alarms.ts';
import type { AskJobs } from './ask.ts';
import { noteSearches, readAgain, readForgotten, rememberingJobs } from './asked-again.ts';
import type { Problem, Step } from './outcome.ts';
import * as values from './planning-values.ts';
import { readProjectNames, readStoredProjects } from './stored-projects.ts';
import { keepSeenQuotas, rememberOrganizations } from './quotas.ts';
import type { OpenRun, Planning, PreparedRun } from './run-context.ts';

/** Includes the coverage from before the run: no two stages request the same slice. */
export interface KnownPlanning extends Planning {
  coverage: Coverage;
  valuesOf: ScopeValuesOf;
}

/** Requests the owed slices once the keys are validated. */
export type AskOwed = (run: OpenRun, ask: AskJobs, planning: KnownPlanning) => AsyncGenerator<Step>;

/** All requests of a run, stage by stage; yields each step once it is loaded. */
export async function* runStages(
  { run, ask, planning, notices }: PreparedRun,
  askOwed: AskOwed = askStages,
): AsyncGenerator<Step> {
  const { connection, config, queue, signal } = run;
  const { reached, question } = planning;
  const { accounts, projects } = reached;
  await rememberOrganizations(connection, accounts);
  const lost = await readUnreached(run, reached);
  yield {
    problems: lost.problems,
    warnings: notices,
    reached: { accounts: accounts.length, projects: projects.length },
  };
  if (projects.length === 0) {
    await pushValidations(run, reached);
    yield { results: await queue.drain() };
    return;
  }
  const ids = projects.map(({ projectId }) => projectId);
  const valuesOf = await values.readScopeValues(run, ids);
  const expected = expectedOf(config, projects, valuesOf);
  // Also before the first round: a run that is stopped early must not look complete.
  await values.writeExpected(connection, ids, expected);
  const coverage = await readCoverage(connection, question);
  yield* askOwed(run, ask, { ...planning, coverage, valuesOf });
  // If nothing was owed, the validations still wait; nothing is loaded while the run is settled.
  yield { results: await queue.drain() };
  if (!signal.aborted) {
    const expectedNow = expectedOf(config, projects, await values.readScopeValues(run, ids));
    if (!isDeepStrictEqual(expected, expectedNow)) await values.writeExpected(connection, ids, expectedNow);
  }
  // A plan, which has no archive, only sees the published rows.
  if (run.archive !== null) yield { removed: await settleLoad(connection, run.run, config.catalogue.all) };
  if (reached.listed !== null)
    yield { warnings: unknownExceptions(config.accounts, await readStoredProjects(connection)) };
  const { problems, ...settled } = await settleAlarms(connection, run.run, { ...config, lost });
  yield { problems: [...problems, ...(await endDateContradictions(run))], ...settled };
}

/** Second requests wait for no quota: this run sends them if the hour has room for all of them, else a later run does. */
function affordable({ clients, config }: OpenRun, jobs: readonly SliceJob[]): readonly SliceJob[] {
  return jobs.filter(({ account }) => {
    const quota = hourOnly(clients.quotas.get(organizationOf(account))?.snapshot() ?? null);
    const own = jobs.filter((job) => organizationOf(job.account) === organizationOf(account)).length;
    return quota === null || quota.remaining - reservedRequests(quota.limit, config.api.reserveQuota) >= own;
  });
}

/** The organization of an account, or the account's name while it is unknown. */
export function organizationOf({ config, organizationId }: Account): string {
  return organizationId ?? unknownOrganization(config.name);
}

/** All stages, in the order in which a short quota is spent. Each round is planned from the rows of earlier ones. */
export async function* askStages(run: OpenRun, ask: AskJobs, planning: KnownPlanning): AsyncGenerator<Step> {
  const { connection, signal, queue, progress, log } = run;
  const { reached: all, plans, question, coverage } = planning;
  const { mentionsOf = (projects) => values.readMentions(run, planning, projects) } = planning;
  const { syncDay: today } = run.run;
  let { valuesOf } = planning;
  const planned = new Set<string>();
  const kept = new Set<string>();
  let isForgotten: Awaited<ReturnType<typeof readForgotten>> | undefined;
  const recent = { start: addDays(today, -question.lookbackDays), end: today };
  const lastAskedOf = await values.readLastAsked(connection);
  const known = { plans, range: question.range, today, coverage, recent, lastAskedOf };
  progress.nameProjects(new Map([...(all.names ?? []), ...(await readProjectNames(connection))]));
  const lost = await readLost(connection);
  const doubtful = all.projects.filter(({ projectId }) => lost.has(projectId));
  const nothing = { valuesOf, mentions: [], namesOf: () => null, again: () => [] };
  const lists = doubtful.flatMap((project) =>
    owedSlices(['reference'], { ...known, ...nothing, reached: { accounts: [], projects: [project] } }).slice(
      0,
      1,
    ),
  );
  if (lists.length > 0) {
    // One list of a lost project shows whether it is back.
    const problems = await ask(lists);
    yield { problems, results: await queue.drain() };
    for (const { planned: one } of lists) planned.add(sliceKey(one.slice));
    for (const id of await values.readAnsweredProjects(connection, run.run.runId)) lost.delete(id);
  }
  const reached = { ...all, projects: all.projects.filter(({ projectId }) => !lost.has(projectId)) };
  const ids = reached.projects.map(({ projectId }) => projectId);
  const hasOwn = plans.some(({ endpoint }) => endpoint.isExtra);
  const ofRun = planning.mentionsOf === undefined ? owedOf.ROUNDS : owedOf.SHARED_ROUNDS;
  const rounds = ofRun.filter((stages) => hasOwn || !stages.some((stage) => owedOf.EXTRA_STAGES.has(stage)));
  for (const [place, stages] of rounds.entries()) {
    const mentions = stages.includes('look-ups')
      ? await mentionsOf(ids)
      : stages.includes('parents')
        ? await values.readParents(run, planning, ids)
        : [];
    const isLast = stages.some(owedOf.isConfirming);
    const isExtra = stages.some((stage) => owedOf.EXTRA_STAGES.has(stage));
    const { again, searches } = isLast
      ? await readAgain(run, planning)
      : { again: nothing.again, searches: [] };
    const namesOf = stages.includes('named series')
      ? await values.readWantedNames(connection, plans, ids)
      : () => null;
    // Later rounds plan for filter values that earlier ones revealed; no series or window is requested twice.
    const owed = owedSlices(stages, { ...known, reached, valuesOf, mentions, namesOf, again });
    if (place === 0) owed.push(...rememberingJobs(run, planning));
    else isForgotten ??= await readForgotten(run, coverage);
    const unasked = isLast ? owed : owed.filter((job) => !planned.has(sliceKey(job.planned.slice)));
    const forgotten = unasked.filter((job) => isForgotten?.(job));
    for (const job of forgotten) kept.add(sliceKey(job.planned.slice));
    const others = unasked.filter((job) => !forgotten.includes(job));
    const jobs = isLast ? affordable(run, others) : others;
    await noteSearches(run, searches, jobs);
    for (const job of jobs) planned.add(sliceKey(job.planned.slice));
    // Planning reads none of their rows, so they need no transaction of their own: that took 70 to 100 ms before the first request.
    if (place === 0) await pushValidations(run, all);
    if (signal.aborted) return;
    for (const stage of stages) progress.begin(stage, jobs.length);
    if (jobs.length === 0) continue;
    for (const stage of stages) log.info('stage.started', { run: run.run.runId, stage });
    const problems = await ask(jobs);
    // A second request is no reason to end with 5.
    yield {
      results: await queue.drain(),
      problems: problems.filter(
        ({ error }) => !(isLast && exitCodeOf(error) === 5) && !(isExtra && isOfQuota(error)),
      ),
    };
    valuesOf = await values.readScopeValues(run, ids);
    await keepSeenQuotas(run);
  }
  if (kept.size > 0) {
    const what = `${String(kept.size)} closed windows were not requested again and keep their rows`;
    yield { warnings: [`${what}: the server no longer has a row from before them`] };
  }
}

function isOfQuota(error: unknown): boolean {
  return errorClassOf(error) === 'quota';
}

/** Passes the answered validations to the loader, which loads them with the next answers. */
export async function pushValidations(
  { run, queue, progress }: OpenRun,
  { answers }: Reached,
): Promise<void> {
  progress.expect(answers.length);
  for (const fetched of answers) {
    const answer = { ...run, asked: null, limit: null, ...fetched };
    await queue.push({ kind: 'answered', endpoint: validate, answer });
  }
}

const monthRow = z.object({
  endpoint: z.string(),
  project_id: z.string(),
  month: z.string(),
  total: z.number(),
  summed: z.number(),
  lacks_last_day: z.boolean(),
});

/** Closed months whose total differs from the sum of their days by exactly their last day, or by the day after, contrary to `end_date`; the figures stay. */
async function endDateContradictions({ connection, config }: OpenRun): Promise<Problem[]> {
  const problems: Problem[] = [];
  for (const row of await connection.rowsAs(monthRow, readSql('run/end-date'))) {
    const found = row.lacks_last_day ? 'exclusive' : 'inclusive';
    if (endDateOf(config, row.endpoint) === found) continue;
    const [day, seems] = row.lacks_last_day ? ['last day', 'does not seem'] : ['day after', 'seems'];
    const what = `${row.endpoint} of project ${row.project_id}: ${row.month} has ${String(row.total)} responses, and its days have ${String(row.summed)}; the difference is its ${day}, so the server ${seems} to count endDate`;
    const todo = `Set api.end_date: ${found}, or run answerlake check --api`;
    problems.push({ error: contractError([`${what}.`, todo], 'endpoint'), projectId: row.project_id });
  }
  return problems;
}

const expectedRow = z.object({ id: z.string(), name: z.string().nullable(), slug: z.string().nullable() });

/** Forgets alarms and expected series that are no longer requested, and finds the projects of earlier runs that are lost; their rows stay. */
export async function readUnreached(
  { connection, config, request }: OpenRun,
  reached: Reached,
): Promise<Lost & { problems: Problem[] }> {
  const listed = listedOf(reached);
  const stored = await connection.rowsAs(expectedRow, readSql('run/expected-projects'));
  const known = stored.map((one) => ({ ...one, isListed: listed.has(one.id) }));
  const isAsked = isAskedFor(config.accounts, known);
  const left = known.filter(({ id }) => !isAsked(id)).map(({ id }) => id);
  for (const table of left.length > 0 ? ['expected_series', 'alarms'] : [])
    await connection.run(`delete from meta.${table} where project_id in (select unnest($1::varchar[]))`, [
      left,
    ]);
  // Only a run of everything whose keys all answered can show that a project is gone.
  const isAll = request.projects === null && reached.listed !== null && reached.projects.length > 0;
  const lost = await readLost(connection);
  const isLost = (id: string): boolean => isAll && (request.endpoints === null || lost.has(id));
  const unreached = new Map<string, string>();
  for (const { id, name } of known)
    if (isLost(id) && isAsked(id) && !listed.has(id)) {
      const what = `project ${name ?? 'without a name'} (${id}) was reached before, and no configured key lists it now`;
      const todo = 'give a key access to it, or name it in accounts[].except';
      unreached.set(id, `${what}; ${todo}; what is stored of it stays`);
    }
  const problems = reached.problems.filter(({ error, account, projectId }) => {
    if (account === null || projectId === null || !known.some(({ id }) => id === projectId)) return true;
    const isGone = error instanceof ApiError && GONE.has(error.status ?? 0);
    if (isGone && isLost(projectId)) unreached.set(projectId, error.message);
    return !unreached.has(projectId);
  });
  return { unreached, isDecided: isAll && request.endpoints === null, problems };
}
