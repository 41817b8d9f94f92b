import type { Connection } from '../../src/warehouse/connection.ts';
import { openDatabase } from '../../src/warehouse/database.ts';
import { createViews } from '../../src/publish/published-file.ts';

/** The keys of views that join: a join must not multiply a day. */
const KEYS = {
  'detail.daily_kpis': 'project_id, date',
  'detail.event_days': 'project_id, date',
  'detail.sentiment_with_events': 'project_id, scope, scope_id, date',
  'detail.visibility_with_events': 'project_id, scope, scope_id, date',
  'detail.measure_days': 'project_id, measure, date',
  // action_impact joins nothing else that is not grouped by what it joins on.
  'detail.api_events': 'project_id, event_id',
  // A source of two vendors would count twice in crawler_visitor_funnel.
  'main.ai_vendors': 'source_kind, source_key',
};

const QUERIES = [
  ...Object.entries(KEYS).map(
    ([view, key]) =>
      `select '${view}' as place, concat_ws(' | ', ${key}) as problem from ${view} group by ${key} having count(*) > 1`,
  ),
  `select 'detail.project_days', project_id || ' lacks days' from detail.project_days
   group by project_id having count(*) <> max(date) - min(date) + 1`,
];

/** The keys that a view holds twice, and the projects of which it lacks days. */
export async function viewProblems(connection: Connection): Promise<string[]> {
  const rows = await connection.rows(QUERIES.map((query) => `(${query} limit 5)`).join(' union all '));
  return rows.map((row) => JSON.stringify(row));
}

/** The same, of the views that a publish would make of a working file. */
export async function viewProblemsOf(workingPath: string): Promise<string[]> {
  await using database = await openDatabase({ path: workingPath });
  const connection = await database.connect();
  await createViews(connection);
  return await viewProblems(connection);
}
