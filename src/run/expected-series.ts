import type { Config } from '../config/config.ts';
import type { Day } from '../day.ts';
import type { Connection } from '../warehouse/connection.ts';
import { expectNoLetGo } from './let-go.ts';
import { expectedOf, type ScopeValuesOf } from './plan-project.ts';
import { enabledEndpoints, endpointPlan } from './selection.ts';

/** What decides which series should exist. */
export interface ExpectedOptions {
  connection: Connection;
  config: Config;
  run: { syncDay: Day };
}

/** Series that should exist, as rows of `meta.expected_series`. */
export type ExpectedSeries = readonly (readonly (string | null)[])[];

/** Which series should exist. */
export function expectedSeriesOf(
  { config, run }: ExpectedOptions,
  projects: readonly { projectId: string }[],
  valuesOf: ScopeValuesOf,
): ExpectedSeries {
  const { startDate } = config.sync;
  const endpoints = enabledEndpoints(config).map((endpoint) => endpointPlan(config, endpoint));
  const range = { start: startDate, end: run.syncDay };
  const rows: (string | null)[][] = [];
  for (const { projectId } of projects) {
    const scopeValues = valuesOf(projectId);
    for (const series of expectedOf({ projectId, endpoints, scopeValues, range, today: run.syncDay })) {
      rows.push([series.endpoint, projectId, series.scope, series.scopeId, series.grain, startDate]);
    }
  }
  return rows;
}

/** Stores which series should exist, except those of filters that are let go. Without this a gap looks the same as a series that was never wanted. */
export async function writeExpected(
  { connection, run }: ExpectedOptions,
  projects: readonly { projectId: string }[],
  rows: ExpectedSeries,
): Promise<void> {
  const ids = projects.map(({ projectId }) => projectId);
  await connection.run(
    'delete from meta.expected_series where project_id in (select unnest($1::varchar[]))',
    [ids],
  );
  await connection.appendRows({
    schema: 'meta',
    table: 'expected_series',
    columns: ['endpoint', 'project_id', 'scope', 'scope_id', 'grain', 'start_date'],
    rows,
  });
  await expectNoLetGo(connection, run.syncDay);
}
