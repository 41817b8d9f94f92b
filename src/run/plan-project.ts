import { z } from 'zod';
import type { DayRange } from '../day.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import {
  expectedSeries,
  planSlices,
  type EndpointPlan,
  type PlanInput,
  type PlannedSlice,
} from '../plan/plan.ts';
import type { Scope } from '../slice.ts';
import type { Connection } from '../warehouse/connection.ts';
import type { LedgerState } from './ledger.ts';

const scopeRow = z.object({
  project: z.string(),
  scope: z.enum(['model', 'monitor', 'prompt']),
  id: z.string(),
});

export type ScopeValues = PlanInput['scopeValues'];
export type ScopeValuesOf = (projectId: string) => ScopeValues;

const PROMPT_TYPES = ['ORGANIC', 'BRAND_SPECIFIC', 'COMPETITOR_COMPARISON'];

export type Stage = 'reference' | 'series' | 'named series' | 'windows' | 'finer scopes';

/** The stages of a run, in the order in which a short quota is spent. Only windows and look-ups show some scopes, which the last round adds. */
export const ROUNDS: readonly (readonly Stage[])[] = [
  ['reference', 'series'],
  ['named series', 'windows', 'finer scopes'],
  ['finer scopes'],
];

/** Reads the values of each scope of the projects, as far as the warehouse knows them. */
export async function readScopeValues(
  connection: Connection,
  projectIds: readonly string[],
): Promise<ScopeValuesOf> {
  const rows = await connection.rowsAs(
    scopeRow,
    `with asked as (select unnest($1::varchar[]) as project_id)
     select project_id as project, 'model' as scope, model_id as id from core.competitor_heatmap semi join asked using (project_id)
     union
     select project_id, 'model', model_id from core.models, asked where deprecated is distinct from true
     union all
     select project_id, 'monitor', monitor_id from core.monitors semi join asked using (project_id)
     union all
     select project_id, 'prompt', prompt_id from core.prompts semi join asked using (project_id) where removed_at is null
     order by all`,
    [projectIds],
  );
  const byProject = new Map<string, z.output<typeof scopeRow>[]>();
  for (const row of rows) {
    const own = byProject.get(row.project);
    if (own === undefined) byProject.set(row.project, [row]);
    else own.push(row);
  }
  return (projectId) => {
    const own = byProject.get(projectId) ?? [];
    const idsOf = (scope: string): string[] => own.filter((row) => row.scope === scope).map(({ id }) => id);
    return {
      model: idsOf('model'),
      monitor: idsOf('monitor'),
      prompt: idsOf('prompt'),
      prompt_type: PROMPT_TYPES,
    };
  };
}

export interface ProjectPlanInput {
  projectId: string;
  endpoints: readonly EndpointPlan[];
  scopeValues: ScopeValues;
  range: DayRange;
  today: PlanInput['today'];
  ledger: LedgerState;
}

/** The slices of one stage that a project owes. */
export function planStage(stage: Stage, input: ProjectPlanInput): PlannedSlice[] {
  const endpoints = input.endpoints
    .filter(({ endpoint }) => endpoint.askedPer === 'project')
    .map((plan) => ({
      ...plan,
      scopes: plan.scopes.filter((scope) => stageOf(plan.endpoint, scope) === stage),
    }))
    .filter(({ scopes }) => scopes.length > 0);
  return planSlices({ ...input, endpoints, coverage: input.ledger }).filter(
    ({ slice }) => stage !== 'reference' || !input.ledger.isListLoaded(slice),
  );
}

/** Every series that the configuration asks for; gaps are counted against it. */
export function expectedOf(input: Omit<ProjectPlanInput, 'ledger'>): ReturnType<typeof expectedSeries> {
  return expectedSeries(input);
}

function stageOf(endpoint: Endpoint, scope: Scope): Stage {
  const { kind } = endpoint.cut;
  if (kind === 'list' || kind === 'lookup') return 'reference';
  if (scope !== 'project') return 'finer scopes';
  if (kind === 'window') return 'windows';
  // The names that it asks for stand in the answers of the other series.
  return endpoint.paging.kind === 'named' ? 'named series' : 'series';
}

/** Project id → name. */
export async function readProjectNames(connection: Connection): Promise<ReadonlyMap<string, string>> {
  const rows = await connection.rowsAs(
    z.object({ id: z.string(), name: z.string() }),
    `select project_id as id, name from core.projects where name <> ''`,
  );
  return new Map(rows.map(({ id, name }) => [id, name]));
}
