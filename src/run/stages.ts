import { isDeepStrictEqual } from 'node:util';
import type { Reached } from '../accounts/reach-projects.ts';
import { hourOnly } from '../hourly-quota.ts';
import { learnQuota, learnWindow } from '../load/learned.ts';
import { learnFromProbes, planProbes } from './end-day-probe.ts';
import type { SliceJob } from './ask.ts';
import { expectedSeriesOf, writeExpected } from './expected-series.ts';
import type { Step } from './outcome.ts';
import { OwedSlices } from './owed-slices.ts';
import { readScopeValues, ROUNDS, type ScopeValuesOf, type Stage } from './plan-project.ts';
import type { Pulling } from './pulling.ts';

/** All stages, in the order in which a short quota is spent. Each round is planned from what earlier ones loaded. */
export async function* pullStages(pulling: Pulling, reached: Reached): AsyncGenerator<Step> {
  const { connection, signal } = pulling;
  const { projects } = reached;
  const readValues = (): Promise<ScopeValuesOf> =>
    readScopeValues(
      connection,
      projects.map(({ projectId }) => projectId),
    );
  let valuesOf = await readValues();
  const before = expectedSeriesOf(pulling, projects, valuesOf);
  // Also before the first round: a run that is stopped early must not look complete.
  await writeExpected(pulling, projects, before);
  const owed = new OwedSlices(pulling, reached);
  const begun = new Set<Stage>();
  for (const [place, stages] of ROUNDS.entries()) {
    const jobs = signal.aborted ? [] : await owed.plan(stages, valuesOf);
    // Planning reads nothing of them, so they need no transaction of their own: that took 70 to 100 ms before the first request.
    if (place === 0) await pushValidations(pulling, reached);
    if (signal.aborted) return;
    begin(pulling, stages, begun);
    if (jobs.length === 0 && place > 0) continue;
    const step = await askAndLoad(pulling, jobs);
    yield step;
    // Only now do we know whether the server leaves out `endDate`; asking for one day more includes it.
    const probed = await askAndLoad(pulling, planProbes(pulling, reached, step.results));
    yield probed;
    valuesOf = await readValues();
    const hasLearned = await learnFromProbes(pulling, probed.results);
    if (hasLearned || step.results.some(({ lacksLastDay }) => lacksLastDay)) {
      yield await askAndLoad(pulling, await owed.planLeftOut(stages, valuesOf));
      valuesOf = await readValues();
    }
    await saveLearned(pulling);
  }
  const after = expectedSeriesOf(pulling, projects, valuesOf);
  if (!isDeepStrictEqual(before, after)) await writeExpected(pulling, projects, after);
}

function begin({ progress, log, run }: Pulling, stages: readonly Stage[], begun: Set<Stage>): void {
  for (const stage of stages) {
    if (begun.has(stage)) continue;
    begun.add(stage);
    progress.begin(stage);
    log.info('stage.started', { run: run.runId, stage });
  }
}

/** Hands the answers to the validations to the loader, which loads them with those that come next. */
export async function pushValidations(
  { run, queue, progress }: Pulling,
  { answers }: Reached,
): Promise<void> {
  const { startedAt: runStartedAt, ...ofRun } = run;
  progress.expect(answers.length);
  for (const answer of answers) {
    const context = { ...ofRun, runStartedAt, asked: null, limit: null };
    await queue.push({ kind: 'answered', answer: { ...context, ...answer } });
  }
}

/** Asks for the jobs of one step and waits until everything is loaded. */
async function askAndLoad({ asker, queue }: Pulling, jobs: readonly SliceJob[]): Promise<Step> {
  const problems = await asker.ask(jobs);
  return { results: await queue.drain(), problems };
}

/** Keeps what was learned and the remaining quotas for later runs. */
export async function saveLearned({ connection, run, effects, longest, quotas }: Pulling): Promise<void> {
  const source = { baseUrl: run.baseUrl, startedAt: effects.now() };
  for (const [endpoint, learned] of longest.lessons())
    await learnWindow(connection, source, { endpoint, ...learned });
  for (const [organizationId, quota] of quotas) {
    const seen = hourOnly(quota.snapshot());
    if (seen !== null) await learnQuota(connection, source, { organizationId, quota: seen });
  }
}
