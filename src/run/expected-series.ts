import type { Config } from '../config/config.ts';
import type { Day } from '../day.ts';
import type { Connection } from '../warehouse/connection.ts';
import { expectedOf, readScopeValues } from './plan-project.ts';
import { enabledEndpoints, endpointPlan, NOTHING_LEARNED } from './selection.ts';

/** What decides which series should exist. */
export interface ExpectedOptions {
  connection: Connection;
  config: Config;
  run: { syncDay: Day };
}

/** Stores which series should exist. Without this a gap looks the same as a series that was never wanted. */
export async function writeExpected(
  { connection, config, run }: ExpectedOptions,
  projects: readonly { projectId: string }[],
): Promise<void> {
  const { startDate } = config.sync;
  const endpoints = enabledEndpoints(config).map((endpoint) =>
    endpointPlan(config, endpoint, NOTHING_LEARNED),
  );
  const range = { start: startDate, end: run.syncDay };
  const rows: (string | null)[][] = [];
  const ids = projects.map(({ projectId }) => projectId);
  const valuesOf = await readScopeValues(connection, ids);
  for (const projectId of ids) {
    const scopeValues = valuesOf(projectId);
    for (const series of expectedOf({ projectId, endpoints, scopeValues, range, today: run.syncDay })) {
      rows.push([series.endpoint, projectId, series.scope, series.scopeId, series.grain, startDate]);
    }
  }
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
}
