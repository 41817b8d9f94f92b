import { promptLookup } from '../endpoints/prompts.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import type { Day, DayRange } from '../day.ts';
import { learnMaxWindowDays, learnQuota } from '../load/limits.ts';
import type { AccountProject } from '../accounts/validate-account.ts';
import { askSlices, type SliceJob } from './ask-slices.ts';
import { readLedger, type CoverageQuestion } from './ledger-state.ts';
import type { LoadQueue } from './load-queue.ts';
import { askKeyLists, type Clients, type Reached } from '../accounts/open-accounts.ts';
import { expectedOf, planStage, readScopeValues, STAGES, type Stage } from './plan-project.ts';
import { lookUpPrompts } from './prompt-lookups.ts';
import type { RunState } from './run-state.ts';
import { sliceWindow } from '../slice.ts';
import { enabledEndpoints, endpointPlan } from './selection.ts';

export interface StageInput {
  state: RunState;
  queue: LoadQueue;
  clients: Clients;
  reached: Reached;
  endpoints: readonly Endpoint[];
  range: DayRange;
  question: CoverageQuestion;
}

/** All stages in the order in which a short quota is spent; each is planned from what the ones before have loaded. */
export async function runStages(input: StageInput): Promise<void> {
  const { state, queue, reached, endpoints } = input;
  // First and last: a run that is stopped early must not look as if nothing were missing.
  await writeExpected(input);
  for (const stage of STAGES) {
    if (state.context.signal.aborted) return;
    state.stage = stage;
    state.context.log.info('stage.started', { run: state.run.runId, stage });
    if (stage === 'reference') {
      const ledger = await readLedger(state.connection, input.question);
      await askKeyLists(state, queue, { reached, endpoints, ledger });
    }
    await askStage(input, stage);
    // A day that an exclusive server left out is known only now; with one day more it is inside.
    if (state.hasLeftOut) await askLeftOut(input, stage);
    if (stage === 'series' && endpoints.includes(promptLookup))
      await lookUpPrompts(state, queue, reached.projects);
    await persistLimits(input);
  }
  await writeExpected(input);
}

async function askStage(input: StageInput, stage: Stage): Promise<void> {
  await askSlices(input.state, input.queue, await planJobs(input, stage));
}

async function askLeftOut(input: StageInput, stage: Stage): Promise<void> {
  input.state.hasLeftOut = false;
  const jobs = await planJobs(input, stage, input.state.run.runId);
  const again = jobs.filter(({ planned: { asked, slice } }) => {
    const window = sliceWindow(slice);
    return asked !== null && window !== null && asked.end > window.end;
  });
  await askSlices(input.state, input.queue, again);
}

/** What all projects owe in a stage; `alsoRun` counts as got today, so that a second look asks nothing twice. */
async function planJobs(input: StageInput, stage: Stage, alsoRun?: string): Promise<SliceJob[]> {
  const { state, reached, range, question } = input;
  const chain = alsoRun === undefined ? question.chain : [...question.chain, alsoRun];
  const ledger = await readLedger(state.connection, { ...question, chain });
  const endpoints = input.endpoints.map((endpoint) =>
    endpointPlan(state.context.config, endpoint, state.limits.maxWindowDays),
  );
  const jobs: SliceJob[] = [];
  for (const project of reached.projects) {
    const { projectId } = project;
    const scopeValues = await readScopeValues(state.connection, projectId);
    const planned = planStage(stage, {
      projectId,
      endpoints,
      scopeValues,
      range,
      today: state.run.syncDay,
      ledger,
    });
    jobs.push(...planned.map((slice) => ({ project, planned: slice })));
  }
  return jobs;
}

/** What was learned about limits, and what is left of the quotas, outlives the run. */
export async function persistLimits({
  state,
  clients,
}: Pick<StageInput, 'state' | 'clients'>): Promise<void> {
  const source = { baseUrl: state.run.baseUrl, startedAt: state.context.effects.now() };
  for (const [endpoint, days] of state.limits.maxWindowDays) {
    await learnMaxWindowDays(state.connection, source, { endpoint, days });
  }
  for (const [organizationId, quota] of clients.quotas) {
    const seen = quota.snapshot();
    if (seen !== null) await learnQuota(state.connection, source, { organizationId, quota: seen });
  }
}

/** Which series ought to be there: without it nobody could tell a gap from what was never wanted. */
async function writeExpected({ state, reached }: StageInput): Promise<void> {
  const { connection, context, limits, run } = state;
  const { config } = context;
  const startDate: Day = config.sync.startDate;
  const endpoints = enabledEndpoints(config).map((endpoint) =>
    endpointPlan(config, endpoint, limits.maxWindowDays),
  );
  const rows: (string | null)[][] = [];
  for (const { projectId } of reached.projects) {
    const scopeValues = await readScopeValues(connection, projectId);
    const range = { start: startDate, end: run.syncDay };
    for (const series of expectedOf({ projectId, endpoints, scopeValues, range, today: run.syncDay })) {
      rows.push([series.endpoint, projectId, series.scope, series.scopeId, series.grain, startDate]);
    }
  }
  await connection.run(
    'delete from meta.expected_series where project_id in (select unnest($1::varchar[]))',
    [reached.projects.map(({ projectId }: AccountProject) => projectId)],
  );
  await connection.appendRows({
    schema: 'meta',
    table: 'expected_series',
    columns: ['endpoint', 'project_id', 'scope', 'scope_id', 'grain', 'start_date'],
    rows,
  });
}
