import { catalogue } from '../../src/endpoints/catalogue.ts';
import type { Endpoint } from '../../src/endpoints/endpoint.ts';
import type { Effect } from './alteration.ts';
import type { AlteredAnswer } from './altered-answers.ts';
import type { CasePlan } from './case-plan.ts';

/** Effect → nights of the case on which it was possible. */
export type TableEffects = ReadonlyMap<Effect, ReadonlySet<number>>;

/** What the altered answers of a case may have done, by project and table. */
export class CaseEffects {
  readonly #byTable = new Map<string, Map<Effect, Set<number>>>();
  readonly #plan: CasePlan;
  readonly #asked: readonly Endpoint[];

  constructor(plan: CasePlan) {
    this.#plan = plan;
    this.#asked = catalogue.filter(({ name }) => plan.endpoints.includes(name));
  }

  /** @param projectId null: tables that belong to no project */
  of(table: string, projectId: string | null): TableEffects {
    return this.#byTable.get(keyOf(table, projectId)) ?? new Map<Effect, ReadonlySet<number>>();
  }

  /** @param isStopped the run may have left out anything that it wanted to ask */
  note(altered: readonly AlteredAnswer[], { night, projectIds, isStopped }: NotedNight): void {
    const note = (endpoint: Endpoint, effect: Effect, projectId: string | null): void => {
      for (const { table } of endpoint.outputs) {
        const key = keyOf(table, projectId);
        const ofTable = this.#byTable.get(key) ?? new Map<Effect, Set<number>>();
        this.#byTable.set(key, ofTable);
        ofTable.set(effect, (ofTable.get(effect) ?? new Set()).add(night));
      }
    };
    for (const answer of altered) {
      const { placement, path } = answer;
      // Of equal answers no project's is stored.
      const { alteration } = placement;
      const isWide = alteration.reach !== undefined || alteration.ignoresProject === true;
      for (const projectId of isWide ? projectIds : [answer.projectId])
        for (const endpoint of this.#asked) {
          const isOfPath = placement.paths === null || endpoint.path === path;
          const effect = isOfPath ? effectOf(answer, endpoint, altered) : null;
          if (effect !== null) note(endpoint, effect, projectId);
          // The filters of a new project are known from its prompts and models.
          const isFiltered = Object.keys(endpoint.scopes).length > 1;
          if (this.#plan.isEmpty && isFiltered && /\/(prompts|models)$/.test(path))
            note(endpoint, 'listed', projectId);
        }
    }
    if (isStopped)
      for (const projectId of projectIds)
        for (const endpoint of this.#asked) note(endpoint, 'seen', projectId);
  }
}

interface NotedNight {
  night: number;
  projectIds: readonly (string | null)[];
  isStopped: boolean;
}

const keyOf = (table: string, projectId: string | null): string => `${table} ${projectId ?? ''}`;

function effectOf(
  { placement: { alteration }, path, projectId }: AlteredAnswer,
  endpoint: Endpoint,
  altered: readonly AlteredAnswer[],
): Effect | null {
  const effect = alteration.effect(endpoint);
  // One figure may be equal in two windows by chance, so only several can contradict each other.
  const isContradicted =
    alteration.ignoresDates === true &&
    endpoint.outputs[0].columns.length > 1 &&
    areDisjoint(altered.filter((one) => one.path === path && one.projectId === projectId));
  return effect === 'figure' && isContradicted ? 'seen' : effect;
}

/** Whether two windows that share no day were asked for. */
function areDisjoint(altered: readonly AlteredAnswer[]): boolean {
  const windows = altered.map(({ query: q }) => [q.get('startDate') ?? '', q.get('endDate') ?? ''] as const);
  return windows.some(([start]) => windows.some(([, end]) => end < start));
}
