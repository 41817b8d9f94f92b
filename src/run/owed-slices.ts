import type { Reached } from '../extract/reach-projects.ts';
import { endpointNamed } from '../endpoints/catalogue.ts';
import { askedWith } from '../plan/asked-with.ts';
import { listSlice } from '../slice.ts';
import type { SliceJob } from './ask.ts';
import { readLedger, type LedgerState } from './ledger.ts';
import { planLookups, wantedNames } from './wanted-names.ts';
import { planStage, type ScopeValues, type ScopeValuesOf, type Stage } from './plan-project.ts';
import type { RunContext } from './run-context.ts';
import { endpointPlan } from './selection.ts';

/** Plans what a run owes, stage by stage; no value of a finer scope is planned for twice. */
export class OwedSlices {
  readonly #run: RunContext;
  readonly #reached: Reached;
  /** Project → values of finer scopes that were planned for. */
  readonly #scopes = new Map<string, Set<string>>();
  #ledger: Promise<LedgerState> | null = null;

  constructor(run: RunContext, reached: Reached) {
    this.#run = run;
    this.#reached = reached;
  }

  /** Owed slices of some stages, stage by stage. */
  async plan(stages: readonly Stage[], valuesOf: ScopeValuesOf): Promise<SliceJob[]> {
    const ledger = await this.#ledgerBefore();
    const jobs = stages.includes('reference') ? this.#planKeyLists(ledger) : [];
    // The answers of the series mention the ids to look up.
    if (stages.includes('named series')) jobs.push(...(await planLookups(this.#run, this.#reached.projects)));
    const newOf: ScopeValuesOf = (project) => this.#newScopes(project, valuesOf(project));
    jobs.push(...(await this.#planProjects(stages, { ledger, valuesOf: newOf })));
    return jobs;
  }

  /** The ledger without what this run loaded: no two stages ask for the same slice. */
  async #ledgerBefore(): Promise<LedgerState> {
    const { connection, question } = this.#run;
    this.#ledger ??= readLedger(connection, question);
    return await this.#ledger;
  }

  #newScopes(project: string, values: ScopeValues): ScopeValues {
    const known = this.#scopes.get(project) ?? new Set<string>();
    this.#scopes.set(project, known);
    return filterScopes(values, (value) => {
      const isNew = !known.has(value);
      known.add(value);
      return isNew;
    });
  }

  /** The slices that all projects owe, stage after stage. */
  async #planProjects(stages: readonly Stage[], { ledger, valuesOf }: Planning): Promise<SliceJob[]> {
    const { connection, config, endpoints, range, run, question, isLetGo } = this.#run;
    const { projects } = this.#reached;
    const plans = endpoints.map((endpoint) => endpointPlan(config, endpoint));
    const jobs: SliceJob[] = [];
    const namesOf = wantedNames(
      connection,
      projects.map(({ projectId }) => projectId),
    );
    for (const stage of stages) {
      for (const { projectId, account, projectHeader } of projects) {
        // The scope of all other stages is the project itself.
        const scopeValues = stage === 'finer scopes' ? valuesOf(projectId) : NO_SCOPE_VALUES;
        const input = { projectId, endpoints: plans, scopeValues, range, today: run.syncDay, ledger };
        for (const planned of planStage(stage, input)) {
          if (!question.asksForOld && isLetGo(planned.slice)) continue;
          const wanted = await namesOf(planned);
          jobs.push({ planned: wanted === null ? planned : { ...planned, wanted }, account, projectHeader });
        }
      }
    }
    return jobs;
  }

  /** The lists that belong to no project: some are asked once a key, some once a run. */
  #planKeyLists(ledger: LedgerState): SliceJob[] {
    const { accounts } = this.#reached;
    const { config } = this.#run;
    const jobs = this.#run.endpoints.flatMap(({ name, askedPer }) => {
      if (askedPer !== 'key' && askedPer !== 'run') return [];
      return (askedPer === 'key' ? accounts : accounts.slice(0, 1)).map((account): SliceJob => {
        const scopeId = askedPer === 'key' ? account.config.name : '';
        const slice = listSlice({ endpoint: name, projectId: null, scope: 'project', scopeId });
        return {
          planned: { slice, asked: null, limit: null, askedWith: askedWith(config, endpointNamed(name)) },
          account,
          projectHeader: undefined,
        };
      });
    });
    return jobs.filter(({ planned }) => !ledger.isListLoaded(planned.slice));
  }
}

function filterScopes(values: ScopeValues, isKept: (value: string) => boolean): ScopeValues {
  const keptOf = (scope: keyof ScopeValues): string[] =>
    values[scope].filter((id) => isKept(`${scope} ${id}`));
  return {
    model: keptOf('model'),
    monitor: keptOf('monitor'),
    prompt: keptOf('prompt'),
    prompt_type: keptOf('prompt_type'),
  };
}

const NO_SCOPE_VALUES: ScopeValues = { model: [], monitor: [], prompt: [], prompt_type: [] };

/** What is planned from. */
interface Planning {
  ledger: LedgerState;
  /** The values of finer scopes to plan for. */
  valuesOf: ScopeValuesOf;
}
