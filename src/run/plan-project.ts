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
import type { LedgerState } from './ledger-state.ts';

const idRow = z.object({ id: z.string() });

export type ScopeValues = PlanInput['scopeValues'];

const PROMPT_TYPES = ['ORGANIC', 'BRAND_SPECIFIC', 'COMPETITOR_COMPARISON'];

/** The stages of a run, in the order in which a short quota is spent. */
export const STAGES = ['reference', 'series', 'named series', 'windows', 'finer scopes'] as const;
export type Stage = (typeof STAGES)[number];

/** The values of each scope of a project, as far as the warehouse knows them. */
export async function readScopeValues(connection: Connection, projectId: string): Promise<ScopeValues> {
  const column = async (sql: string): Promise<string[]> =>
    (await connection.rowsAs(idRow, sql, [projectId])).map(({ id }) => id);
  return {
    model: await column(
      `select model_id as id from core.competitor_heatmap where project_id = $1
       union select model_id from core.models where deprecated is distinct from true order by id`,
    ),
    monitor: await column('select monitor_id as id from core.monitors where project_id = $1 order by id'),
    prompt: await column(
      'select prompt_id as id from core.prompts where project_id = $1 and removed_at is null order by id',
    ),
    prompt_type: PROMPT_TYPES,
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
