import { z } from 'zod';
import type { PublishedFile } from '../publish/published-file.ts';
import { amount } from '../text.ts';
import { quoteLiteral } from '../warehouse/sql.ts';
import { listProjects, readKnownProjects } from './metric.ts';
import type { Reading } from './reading.ts';

const MAX_VALUES = 12;
const viewRow = z.object({ rows: z.number(), first: z.string().nullable(), last: z.string().nullable() });

/** Why a result has no rows: which projects, values and days exist, and what is not configured. */
export async function explainEmpty(file: PublishedFile, reading: Reading): Promise<string[]> {
  const projects = await readKnownProjects(file);
  const lines: string[] = [];
  for (const { view, columns } of reading.views.values()) {
    const day = ['date', 'window_start', 'first_date', 'last_date'].find(
      (name) => columns.get(name)?.type === 'DATE',
    );
    const [held] = await file.rowsAs(
      viewRow,
      `select cast(count(*) as double) as rows, ${day === undefined ? 'null' : `min(${day})`}::varchar as first, ${day === undefined ? 'null' : `max(${day})`}::varchar as last from ${view}`,
    );
    if (held === undefined || held.rows === 0) lines.push(await explainEmptyView(file, view));
    else if (day !== undefined && held.first !== null)
      lines.push(`${view} has ${amount(held.rows)} rows, ${day} from ${held.first} to ${held.last ?? ''}.`);
  }
  for (const { origin, values } of reading.filters) {
    const rows = await file.rowsAs(
      z.object({ value: z.string() }),
      `select distinct "${origin.column}"::varchar as value from ${origin.view} where "${origin.column}" is not null order by 1 limit 1000`,
    );
    const known = rows.map(({ value }) => value);
    const unknown = values.filter((value) => !known.includes(value));
    if (unknown.length === 0 || known.length === 0 || origin.column.startsWith('project_')) continue;
    const shown = known.slice(0, MAX_VALUES).join(', ') + (known.length > MAX_VALUES ? ', …' : '');
    lines.push(
      `${origin.view}.${origin.column} is never ${unknown.map((one) => `'${one}'`).join(' or ')}; it is one of: ${shown}.`,
    );
  }
  lines.push(projects.length === 0 ? 'No project was ever synced.' : `Projects: ${listProjects(projects)}.`);
  return lines;
}

/** Views whose rows need a setting. */
const NEEDS: readonly (readonly [view: RegExp, what: string])[] = [
  [/prompt_days$/, 'it needs the scope prompt for visibility, sentiment or share_of_voice (sync.scopes)'],
  [/landing_page_days$/, 'it needs sync.landing_pages'],
  [/targets$/, 'it needs targets in the configuration'],
  [/model_kpis$/, 'it needs the scope model (sync.scopes)'],
  [/monitor_kpis$/, 'it needs the scope monitor (sync.scopes)'],
  [/portfolio_changes$/, 'it needs five projects with figures in one organization'],
];

const windowRow = z.object({ kind: z.string(), first: z.string(), last: z.string() });

async function explainEmptyView(file: PublishedFile, view: string): Promise<string> {
  const needed = NEEDS.find(([pattern]) => pattern.test(view));
  if (needed !== undefined) return `${view} has no rows: ${needed[1]}.`;
  const off = await file.rowsAs(
    z.object({ endpoint: z.string() }),
    `select distinct endpoint from main.sync_freshness where status = 'not_enabled' order by 1`,
  );
  const disabled =
    off.length === 0 ? '' : ` Not enabled for a project: ${off.map((one) => one.endpoint).join(', ')}.`;
  const windows = view.includes('.') ? [] : await newestWindow(file, view);
  const [window] = windows;
  if (window !== undefined)
    return `${view} has no rows: no calendar month is whole yet. The newest whole window is in detail.${view}: window_kind '${window.kind}', ${window.first} to ${window.last}.${disabled}`;
  return `${view} has no rows in this file.${disabled}`;
}

/** The newest whole window that \`detail\` has where \`main\` has no month yet. */
async function newestWindow(file: PublishedFile, view: string): Promise<z.output<typeof windowRow>[]> {
  const columns = await file.rowsAs(
    z.object({ name: z.string() }),
    `select column_name as name from duckdb_columns() where schema_name = 'detail' and table_name = ${quoteLiteral(view)} and column_name in ('window_kind', 'is_whole_window')`,
  );
  if (columns.length < 2) return [];
  return await file.rowsAs(
    windowRow,
    `select window_kind as kind, min(window_start)::varchar as first, max(window_end)::varchar as last from detail.${view}
     where is_whole_window group by window_kind, window_end order by window_end desc limit 1`,
  );
}
