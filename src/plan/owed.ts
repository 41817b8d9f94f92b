import type { Config } from '../config/config.ts';
import type { Day, DayRange } from '../day.ts';
import { endpointNamed } from '../endpoints/catalogue.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import type { Account, Reached } from '../extract/reach-projects.ts';
import { listSlice, type Scope, type SeriesKey, type SliceTarget } from '../slice.ts';
import type { Coverage } from './coverage.ts';
import { expectedSeries, planSlices, type Confirms, type PlanInput, type PlannedSlice } from './plan.ts';
import { askedWith, enabledEndpoints, endpointPlan } from './selection.ts';

/** A planned slice, and the account whose key is used. */
export interface SliceJob {
  planned: PlannedSlice;
  account: Account;
}

export type ScopeValuesOf = (projectId: string) => PlanInput['scopeValues'];

export type Stage =
  'reference' | 'series' | 'named series' | 'windows' | 'finer scopes' | 'look-ups' | 'confirmations';

/** The stages of a run, in the order in which a short quota is spent. Only windows and look-ups show some scopes, which the rounds after them add. */
export const ROUNDS: readonly (readonly Stage[])[] = [
  ['reference', 'series'],
  ['named series', 'windows', 'finer scopes'],
  ['finer scopes'],
  ['look-ups'],
  ['finer scopes'],
  ['confirmations'],
];

/** Something that other answers mention and its list lacks. */
export interface Mention {
  endpoint: string;
  projectId: string;
  id: string;
}

/** What a round is planned from. */
export interface OwedQuestion {
  config: Config;
  reached: Pick<Reached, 'accounts' | 'projects'>;
  /** Endpoints of the run. */
  endpoints: readonly Endpoint[];
  range: DayRange;
  today: Day;
  coverage: Coverage;
  /** What is asked again after everything else. */
  again: Confirms['again'];
  /** Days that the run has asked for whatever is known. */
  recent: Confirms['recent'];
  valuesOf: ScopeValuesOf;
  mentions: readonly Mention[];
  /** Names of a project that a cut-off list should show; null for endpoints that take no names. */
  namesOf: (endpoint: string, projectId: string) => readonly string[] | null;
}

/** Owed slices of some stages, stage by stage. Pure. */
export function owedSlices(stages: readonly Stage[], question: OwedQuestion): SliceJob[] {
  const { config, endpoints, reached, valuesOf, namesOf, again, recent, ...input } = question;
  const plans = endpoints
    .filter(({ askedPer }) => askedPer === 'project')
    .map((endpoint) => endpointPlan(config, endpoint));
  const jobs = stages.includes('reference') ? keyLists(question, reached.accounts) : [];
  // The answers of the series mention the ids to look up.
  if (stages.includes('look-ups')) jobs.push(...lookups(question));
  for (const stage of stages) {
    const ofStage = plans.map((plan) => ({
      ...plan,
      scopes: plan.scopes.filter(
        (scope) => stage === 'confirmations' || stageOf(plan.endpoint, scope) === stage,
      ),
    }));
    for (const { projectId, account } of reached.projects) {
      const confirms = stage === 'confirmations' ? { confirms: { again, recent } } : {};
      const own = { projectId, endpoints: ofStage, scopeValues: valuesOf(projectId) };
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
  if (kind === 'list' || kind === 'lookup') return 'reference';
  if (scope !== 'project') return 'finer scopes';
  if (kind === 'window') return 'windows';
  // The names that it asks for stand in the answers of the other series.
  return endpoint.paging.kind === 'named' ? 'named series' : 'series';
}

/** The lists that belong to no project: some are asked once a key, some once a run. */
export function keyLists(
  { config, endpoints, coverage }: Pick<OwedQuestion, 'config' | 'endpoints' | 'coverage'>,
  accounts: readonly Account[],
): SliceJob[] {
  return endpoints.flatMap(({ name, askedPer }) => {
    if (askedPer !== 'key' && askedPer !== 'run') return [];
    const isOfKey = askedPer === 'key';
    return (isOfKey ? accounts : accounts.slice(0, 1)).flatMap((account): SliceJob[] => {
      const scopeId = isOfKey ? account.config.name : '';
      const planned = listOf(config, { endpoint: name, projectId: null, scope: 'project', scopeId });
      if (coverage.isListLoaded(planned.slice)) return [];
      return [{ planned, account }];
    });
  });
}

function lookups({ config, reached: { projects }, mentions }: OwedQuestion): SliceJob[] {
  return mentions.flatMap(({ endpoint, projectId, id }) => {
    const project = projects.find((own) => own.projectId === projectId);
    if (project === undefined) return [];
    const planned = listOf(config, { endpoint, projectId, scope: 'prompt', scopeId: id });
    return [{ planned, account: project.account }];
  });
}

function listOf(config: Config, target: SliceTarget): PlannedSlice {
  const digest = askedWith(config, endpointNamed(target.endpoint));
  return { slice: listSlice(target), asked: null, limit: null, askedWith: digest };
}

/** Every series that the configuration asks for; gaps are counted against it. */
export function expectedOf(
  config: Config,
  projectIds: readonly string[],
  valuesOf: ScopeValuesOf,
): SeriesKey[] {
  const endpoints = enabledEndpoints(config).map((endpoint) => endpointPlan(config, endpoint));
  return projectIds.flatMap((projectId) =>
    expectedSeries({ projectId, endpoints, scopeValues: valuesOf(projectId) }),
  );
}
