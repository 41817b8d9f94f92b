import type { Reached } from '../accounts/reach-projects.ts';
import { learnQuota, learnWindow } from '../load/learned.ts';
import { learnFromProbes, planProbes } from './end-day-probe.ts';
import { listSlice, sliceWindow } from '../slice.ts';
import type { SliceJob } from './ask.ts';
import { writeExpected } from './expected-series.ts';
import { readLedger, type CoverageQuestion, type LedgerState } from './ledger-state.ts';
import type { Step } from './outcome.ts';
import { planStage, readScopeValues, ROUNDS, type Stage } from './plan-project.ts';
import { planLookups } from './plan-lookups.ts';
import type { Pulling } from './pulling.ts';
import { endpointPlan } from './selection.ts';
import { wantedNames } from './wanted-names.ts';

/** All stages, in the order in which a short quota is spent. Each round is planned from what earlier ones loaded. */
export async function* pullStages(pulling: Pulling, reached: Reached): AsyncGenerator<Step> {
  const { signal, log, progress, run } = pulling;
  // Also before the first round: a run that is stopped early must not look complete.
  await writeExpected(pulling, reached.projects);
  const ledgerOf = ledgerBefore(pulling);
  for (const stages of ROUNDS) {
    if (signal.aborted) return;
    for (const stage of stages) {
      progress.begin(stage);
      log.info('stage.started', { run: run.runId, stage });
    }
    const step = await askAndLoad(
      pulling,
      await planJobs(pulling, reached, { stages, ledger: await ledgerOf() }),
    );
    yield step;
    // Only now do we know whether the server leaves out `endDate`; asking for one day more includes it.
    const probed = await askAndLoad(pulling, planProbes(pulling, reached, step.results));
    yield probed;
    const hasLearned = await learnFromProbes(pulling, probed.results);
    if (hasLearned || step.results.some(({ lacksLastDay }) => lacksLastDay)) {
      yield await askAndLoad(pulling, await planLeftOut(pulling, reached, stages));
    }
    await saveLearned(pulling);
  }
  await writeExpected(pulling, reached.projects);
}

/** Asks for the jobs of one step and waits until everything is loaded. */
async function askAndLoad({ asker, queue }: Pulling, jobs: readonly SliceJob[]): Promise<Step> {
  const problems = await asker.ask(jobs);
  return { results: await queue.drain(), problems };
}

/** The ledger without what this run loaded: no two stages ask for the same slice, so it is read again only when more is known of `endDate`. */
function ledgerBefore(pulling: Pulling): () => Promise<LedgerState> {
  let known: { leavingOut: string; ledger: Promise<LedgerState> } | null = null;
  return async () => {
    const question = questionOf(pulling);
    const leavingOut = question.leavingOut.join();
    if (known?.leavingOut !== leavingOut)
      known = { leavingOut, ledger: readLedger(pulling.connection, question) };
    return await known.ledger;
  };
}

async function planJobs(
  pulling: Pulling,
  reached: Reached,
  { stages, ledger }: Planning,
): Promise<SliceJob[]> {
  const lists = stages.includes('reference') ? planKeyLists(pulling, reached, ledger) : [];
  // The answers of the series mention what has to be looked up.
  const lookups = stages.includes('named series') ? await planLookups(pulling, reached.projects) : [];
  return [...lists, ...lookups, ...(await planProjects(pulling, reached, { stages, ledger }))];
}

/** What is planned at once, and what is loaded already. */
interface Planning {
  stages: readonly Stage[];
  ledger: LedgerState;
}

function questionOf({ question, ends }: Pulling): CoverageQuestion {
  return { ...question, leavingOut: ends.leavingOut() };
}

/** Slices of this run count as loaded, so what is still owed are windows that now ask for one day more. */
async function planLeftOut(
  pulling: Pulling,
  reached: Reached,
  stages: readonly Stage[],
): Promise<SliceJob[]> {
  const { connection, run } = pulling;
  const question = questionOf(pulling);
  const ledger = await readLedger(connection, { ...question, chain: [...question.chain, run.runId] });
  const jobs = await planProjects(pulling, reached, { stages, ledger });
  return jobs.filter(({ planned: { asked, slice } }) => {
    const window = sliceWindow(slice);
    return asked !== null && window !== null && asked.end > window.end;
  });
}

/** The slices that all projects owe, stage after stage. */
async function planProjects(
  { connection, config, endpoints, longest, ends, range, run }: Pulling,
  { projects }: Reached,
  { stages, ledger }: Planning,
): Promise<SliceJob[]> {
  const plans = endpoints.map((endpoint) => endpointPlan(config, endpoint, { longest, ends }));
  const jobs: SliceJob[] = [];
  const valuesOf = await readScopeValues(
    connection,
    projects.map(({ projectId }) => projectId),
  );
  const asked = projects.map((project) => ({
    ...project,
    namesOf: wantedNames(connection, project.projectId),
  }));
  for (const stage of stages) {
    for (const { projectId, account, projectHeader, namesOf } of asked) {
      const scopeValues = valuesOf(projectId);
      const input = { projectId, endpoints: plans, scopeValues, range, today: run.syncDay, ledger };
      for (const planned of planStage(stage, input)) {
        const wanted = await namesOf(planned);
        jobs.push({ planned: wanted === null ? planned : { ...planned, wanted }, account, projectHeader });
      }
    }
  }
  return jobs;
}

/** The lists that belong to no project: some are asked once a key, some once a run. */
function planKeyLists({ endpoints }: Pulling, { accounts }: Reached, ledger: LedgerState): SliceJob[] {
  const jobs = endpoints.flatMap(({ name, askedPer }) => {
    if (askedPer !== 'key' && askedPer !== 'run') return [];
    return (askedPer === 'key' ? accounts : accounts.slice(0, 1)).map((account): SliceJob => {
      const scopeId = askedPer === 'key' ? account.config.name : '';
      const slice = listSlice({ endpoint: name, projectId: null, scope: 'project', scopeId });
      return { planned: { slice, asked: null, limit: null }, account, projectHeader: undefined };
    });
  });
  return jobs.filter(({ planned }) => !ledger.isListLoaded(planned.slice));
}

/** Keeps what was learned and the remaining quotas for later runs. */
export async function saveLearned({ connection, run, effects, longest, quotas }: Pulling): Promise<void> {
  const source = { baseUrl: run.baseUrl, startedAt: effects.now() };
  for (const [endpoint, learned] of longest.lessons())
    await learnWindow(connection, source, { endpoint, ...learned });
  for (const [organizationId, quota] of quotas) {
    const seen = quota.snapshot();
    if (seen !== null) await learnQuota(connection, source, { organizationId, quota: seen });
  }
}
