import type { Config } from '../config/config.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import type { Account, AccountProject, Reached } from '../extract/reach-projects.ts';
import type { Scope } from '../slice.ts';
import type { Coverage } from './coverage.ts';
import {
  expectedSeries,
  listQuestion,
  planSlices,
  type Again,
  type ExpectedSeries,
  type PlanInput,
  type PlannedSlice,
} from './plan.ts';
import { enabledEndpoints, endpointPlan, type EndpointPlan } from './selection.ts';

/** A planned slice, and the account whose key is used. */
export interface SliceJob {
  planned: PlannedSlice;
  account: Account;
}

export type ScopeValuesOf = (projectId: string) => PlanInput['scopeValues'];

export type Stage =
  | 'reference'
  | 'series'
  | 'named series'
  | 'windows'
  | 'finer scopes'
  | 'look-ups'
  | 'own'
  | 'parents'
  | 'confirmations'
  | 'own confirmations';

/** Whether a stage repeats requests for rows that a single answer lacked. */
export function isConfirming(stage: Stage): boolean {
  return stage === 'confirmations' || stage === 'own confirmations';
}

/** Stages of endpoints that never delay another one. */
export const EXTRA_STAGES: ReadonlySet<Stage> = new Set<Stage>(['own', 'parents', 'own confirmations']);

/** The stages of a run, in the order in which a short quota is spent. Some scopes are revealed only by windows and look-ups; the next round adds them. */
export const ROUNDS: readonly (readonly Stage[])[] = [
  ['reference', 'series'],
  ['named series', 'windows', 'finer scopes', 'look-ups'],
  ['finer scopes'],
  ['own'],
  ['parents'],
  ['confirmations'],
  ['own confirmations'],
];

/** The same stages when look-ups wait for other organizations: nothing else waits with them. */
export const SHARED_ROUNDS = ROUNDS.flatMap((stages): (readonly Stage[])[] =>
  stages.includes('look-ups') ? [stages.filter((stage) => stage !== 'look-ups'), ['look-ups']] : [stages],
);

/** A look-up by id: other answers mention the id and its list lacks it, or each id has a list of its own. */
export interface Mention {
  plan: EndpointPlan;
  projectId: string;
  id: string;
}

/** The input of a round's plan. */
export interface OwedQuestion extends Pick<PlanInput, 'range' | 'today' | 'coverage' | 'recent'> {
  reached: Pick<Reached, 'accounts' | 'projects'>;
  /** Endpoints of the run. */
  plans: readonly EndpointPlan[];
  /** Requested again after everything else. */
  again: Again;
  /** When the longest-waiting filter value of a project was last requested, milliseconds since the epoch; 0: never. */
  lastAskedOf: (projectId: string) => number;
  valuesOf: ScopeValuesOf;
  mentions: readonly Mention[];
  /** Names of a project that a cut-off list should contain; null for endpoints that take no names. */
  namesOf: (endpoint: string, projectId: string) => readonly string[] | null;
}

/** Owed slices of some stages, stage by stage. Pure. */
export function owedSlices(stages: readonly Stage[], question: OwedQuestion): SliceJob[] {
  const { plans, reached, valuesOf, namesOf, again, lastAskedOf, ...input } = question;
  const ofProjects = plans.filter(({ endpoint }) => endpoint.askedPer === 'project');
  const jobs = stages.includes('reference') ? keyLists(question, reached.accounts) : [];
  for (const stage of stages) {
    // The answers of earlier rounds mention the ids to look up.
    if (stage === 'look-ups' || stage === 'parents') jobs.push(...lookups(question));
    const ofStage = ofProjects.map((plan) => ({
      ...plan,
      scopes: plan.scopes.filter(
        (scope) =>
          stageOf(plan.endpoint, scope) === stage ||
          (isConfirming(stage) && plan.endpoint.isExtra === EXTRA_STAGES.has(stage)),
      ),
    }));
    // Finer scopes take most requests: a short quota must not leave the same projects out every night.
    const projects =
      stage === 'finer scopes'
        ? reached.projects.toSorted((a, b) => lastAskedOf(a.projectId) - lastAskedOf(b.projectId))
        : reached.projects;
    for (const { projectId, account, except } of projects) {
      const confirms = isConfirming(stage) ? { again } : {};
      const endpoints = ofStage.filter(({ endpoint }) => !except.includes(endpoint.name));
      const own = { projectId, endpoints, scopeValues: valuesOf(projectId) };
      for (const planned of planSlices({ ...input, ...confirms, ...own })) {
        // Finer scopes would cost a request each.
        const wanted = planned.slice.scope === 'project' ? namesOf(planned.slice.endpoint, projectId) : null;
        jobs.push({ planned: wanted === null ? planned : { ...planned, wanted }, account });
      }
    }
  }
  return jobs;
}

function stageOf(endpoint: Endpoint, scope: Scope): Stage {
  const { kind } = endpoint.cut;
  if (endpoint.isExtra) return 'own';
  if (kind === 'list' || kind === 'lookup') return 'reference';
  if (scope !== 'project') return 'finer scopes';
  if (kind === 'window') return 'windows';
  // The requested names come from the answers of the other series.
  return endpoint.paging.kind === 'named' ? 'named series' : 'series';
}

/** The lists without a project: some are requested once per key, some once per run. */
export function keyLists(
  { plans, coverage }: { plans: readonly EndpointPlan[]; coverage: Coverage },
  accounts: readonly Account[],
): SliceJob[] {
  return plans.flatMap((plan) => {
    const { name, askedPer } = plan.endpoint;
    if (askedPer !== 'key' && askedPer !== 'run') return [];
    const isOfKey = askedPer === 'key';
    return (isOfKey ? accounts : accounts.slice(0, 1)).flatMap((account): SliceJob[] => {
      const scopeId = isOfKey ? account.config.name : '';
      const list = { endpoint: name, projectId: null, scope: 'project', scopeId, grain: null } as const;
      return coverage.settled(list).length > 0 ? [] : [{ planned: listQuestion(plan, list), account }];
    });
  });
}

function lookups({ reached: { projects }, mentions }: OwedQuestion): SliceJob[] {
  return mentions.flatMap(({ plan, projectId, id }) => {
    const { name: endpoint } = plan.endpoint;
    const project = projects.find((own) => own.projectId === projectId);
    if (project === undefined || project.except.includes(endpoint)) return [];
    const scope = plan.endpoint.isExtra ? 'parent' : 'prompt';
    const planned = listQuestion(plan, { endpoint, projectId, scope, scopeId: id });
    return [{ planned, account: project.account }];
  });
}

/** Everything that the configuration includes; gaps are counted against its series. */
export function expectedOf(
  config: Config,
  projects: readonly Pick<AccountProject, 'projectId' | 'except'>[],
  valuesOf: ScopeValuesOf,
): ExpectedSeries[] {
  const plans = enabledEndpoints(config)
    .filter(({ askedPer }) => askedPer === 'project' || askedPer === 'key_and_project')
    .map((endpoint) => endpointPlan(config, endpoint));
  return projects.flatMap(({ projectId, except }) => {
    const endpoints = plans.filter(({ endpoint }) => !except.includes(endpoint.name));
    return expectedSeries({ projectId, endpoints, scopeValues: valuesOf(projectId) }, config.sync.startDate);
  });
}
