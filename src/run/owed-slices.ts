import type { Reached } from '../accounts/reach-projects.ts';
import {
  flatSlice,
  listSlice,
  SERIES_COLUMNS,
  SLICE_COLUMNS,
  sliceWindow,
  type FlatSlice,
} from '../slice.ts';
import { sliceRow } from '../slice-row.ts';
import type { SliceJob } from './ask.ts';
import { readLedger, type CoverageQuestion, type LedgerState } from './ledger-state.ts';
import { planLookups } from './plan-lookups.ts';
import { planStage, type ScopeValues, type ScopeValuesOf, type Stage } from './plan-project.ts';
import type { Pulling } from './pulling.ts';
import { endpointPlan } from './selection.ts';
import { wantedNames } from './wanted-names.ts';

/** Plans what a run owes, stage by stage; no value of a finer scope is planned for twice. */
export class OwedSlices {
  readonly #pulling: Pulling;
  readonly #reached: Reached;
  /** Project → values of finer scopes that were planned for. */
  readonly #scopes = new Map<string, Set<string>>();
  #known: { leavingOut: string; ledger: Promise<LedgerState> } | null = null;

  constructor(pulling: Pulling, reached: Reached) {
    this.#pulling = pulling;
    this.#reached = reached;
  }

  /** What is owed of some stages, stage after stage. */
  async plan(stages: readonly Stage[], valuesOf: ScopeValuesOf): Promise<SliceJob[]> {
    const ledger = await this.#ledgerBefore();
    const jobs = stages.includes('reference') ? this.#planKeyLists(ledger) : [];
    // The answers of the series mention what has to be looked up.
    if (stages.includes('named series'))
      jobs.push(...(await planLookups(this.#pulling, this.#reached.projects)));
    const newOf: ScopeValuesOf = (project) => this.#newScopes(project, valuesOf(project));
    jobs.push(...(await this.#planProjects(stages, { ledger, valuesOf: newOf })));
    return jobs;
  }

  /** Slices of this run count as loaded, so what is still owed are windows that now ask for one day more. */
  async planLeftOut(stages: readonly Stage[], valuesOf: ScopeValuesOf): Promise<SliceJob[]> {
    const { connection, run } = this.#pulling;
    const question = this.#question();
    const ledger = await readLedger(connection, { ...question, chain: [...question.chain, run.runId] });
    const knownOf: ScopeValuesOf = (project) => this.#knownScopes(project, valuesOf(project));
    const jobs = await this.#planProjects(stages, { ledger, valuesOf: knownOf });
    const refused = await this.#refused();
    return jobs.filter(({ planned: { asked, slice } }) => {
      const window = sliceWindow(slice);
      if (asked === null || window === null || asked.end <= window.end) return false;
      return !refused.has(placeOf(flatSlice(slice)));
    });
  }

  /** Windows that the server refused in this run: what it refuses is not asked again. */
  async #refused(): Promise<Set<string>> {
    const { connection, run } = this.#pulling;
    const refused = await connection.rowsAs(
      sliceRow,
      `select ${SLICE_COLUMNS.join(', ')} from meta.slices
       where run_id = $1 and status = 'failed' and http_status between 400 and 499
         and error_class not in ('transient', 'quota')`,
      [run.runId],
    );
    return new Set(refused.map(placeOf));
  }

  /** The ledger without what this run loaded: no two stages ask for the same slice, so it is read again only when more is known of `endDate`. */
  async #ledgerBefore(): Promise<LedgerState> {
    const question = this.#question();
    const leavingOut = question.leavingOut.join();
    if (this.#known?.leavingOut !== leavingOut)
      this.#known = { leavingOut, ledger: readLedger(this.#pulling.connection, question) };
    return await this.#known.ledger;
  }

  #question(): CoverageQuestion {
    const { question, ends } = this.#pulling;
    return { ...question, leavingOut: ends.leavingOut() };
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

  /** The values planned for so far: those that only this round has shown are left to the next one. */
  #knownScopes(project: string, values: ScopeValues): ScopeValues {
    const known = this.#scopes.get(project);
    return filterScopes(values, (value) => known?.has(value) ?? false);
  }

  /** The slices that all projects owe, stage after stage. */
  async #planProjects(stages: readonly Stage[], { ledger, valuesOf }: Planning): Promise<SliceJob[]> {
    const { connection, config, endpoints, longest, ends, range, run } = this.#pulling;
    const { projects } = this.#reached;
    const plans = endpoints.map((endpoint) => endpointPlan(config, endpoint, { longest, ends }));
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
    const jobs = this.#pulling.endpoints.flatMap(({ name, askedPer }) => {
      if (askedPer !== 'key' && askedPer !== 'run') return [];
      return (askedPer === 'key' ? accounts : accounts.slice(0, 1)).map((account): SliceJob => {
        const scopeId = askedPer === 'key' ? account.config.name : '';
        const slice = listSlice({ endpoint: name, projectId: null, scope: 'project', scopeId });
        return { planned: { slice, asked: null, limit: null }, account, projectHeader: undefined };
      });
    });
    return jobs.filter(({ planned }) => !ledger.isListLoaded(planned.slice));
  }
}

/** The text that a window of days is known by, whatever its end. */
function placeOf(slice: FlatSlice): string {
  return JSON.stringify([...SERIES_COLUMNS, 'window_start' as const].map((column) => slice[column] ?? ''));
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
