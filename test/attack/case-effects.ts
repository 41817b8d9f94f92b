import type { Day } from '../../src/day.ts';
import { catalogue } from '../support/catalogue.ts';
import type { Endpoint } from '../../src/endpoints/endpoint.ts';
import type { Effect } from './alteration.ts';
import type { AlteredAnswer } from './altered-answers.ts';
import type { CasePlan } from './case-plan.ts';

type Planned = Pick<CasePlan, 'isEmpty' | 'endpoints'>;

/** Effect → sync days of the case on which it was possible. */
export type TableEffects = ReadonlyMap<Effect, ReadonlySet<Day>>;

/** What the altered answers of a case may have done, by project and table. */
export class CaseEffects {
  readonly #byTable = new Map<string, Map<Effect, Set<Day>>>();
  readonly #plan: Planned;
  readonly #asked: readonly Endpoint[];

  constructor(plan: Planned) {
    this.#plan = plan;
    this.#asked = catalogue.filter(({ name }) => plan.endpoints.includes(name));
  }

  /** @param projectId null: tables that belong to no project */
  of(table: string, projectId: string | null): TableEffects {
    return this.#byTable.get(keyOf(table, projectId)) ?? new Map<Effect, ReadonlySet<Day>>();
  }

  note(altered: readonly AlteredAnswer[], today: Day, projectIds: readonly (string | null)[]): void {
    const note = (endpoint: Endpoint, effect: Effect, projectId: string | null): void => {
      for (const { table } of endpoint.outputs) {
        const key = keyOf(table, projectId);
        const ofTable = this.#byTable.get(key) ?? new Map<Effect, Set<Day>>();
        this.#byTable.set(key, ofTable);
        ofTable.set(effect, (ofTable.get(effect) ?? new Set()).add(today));
      }
    };
    for (const answer of altered) {
      const { path } = answer;
      const { alteration } = answer.placement;
      // Of equal answers no project's is stored.
      for (const projectId of alteration.ignoresProject === true ? projectIds : [answer.projectId])
        for (const endpoint of this.#asked) {
          const effect = endpoint.path === path ? alteration.effect(endpoint) : null;
          if (effect !== null) note(endpoint, effect, projectId);
          // The filters of a new project are known from its prompts and models.
          const isFiltered = Object.keys(endpoint.scopes).length > 1;
          if (this.#plan.isEmpty && isFiltered && /\/(prompts|models)$/.test(path))
            note(endpoint, 'listed', projectId);
        }
    }
  }
}

const keyOf = (table: string, projectId: string | null): string => `${table} ${projectId ?? ''}`;
