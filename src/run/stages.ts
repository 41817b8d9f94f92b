import { isDeepStrictEqual } from 'node:util';
import type { Reached } from '../extract/reach-projects.ts';
import type { SliceJob } from './ask.ts';
import { expectedSeriesOf, writeExpected } from './expected-series.ts';
import type { Step } from './outcome.ts';
import { OwedSlices } from './owed-slices.ts';
import { noteRefusedFilters } from './refused-filters.ts';
import { keepSeenQuotas } from './seen-quotas.ts';
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
    yield await askAndLoad(pulling, jobs);
    valuesOf = await readValues();
    await keepSeenQuotas(connection, pulling.quotas, {
      baseUrl: pulling.run.baseUrl,
      now: pulling.effects.now(),
    });
  }
  await noteRefusedFilters(connection, pulling.run);
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
