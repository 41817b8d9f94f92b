import { z } from 'zod';
import type { PublishedFile } from '../publish/published-file.ts';
import { amount } from '../quantity.ts';
import { readSqlYaml } from '../warehouse/sql.ts';
import { listProjects, readKnownProjects } from './metric.ts';
import type { StatementReading } from './reading.ts';
import { DETAIL_KEYS } from './view-keys.ts';
import { readContents } from './views.ts';

const MAX_VALUES = 12;

/** Why a result has no rows: the existing projects, values and days, and endpoints that are not enabled. */
export async function explainEmpty(file: PublishedFile, reading: StatementReading): Promise<string[]> {
  const projects = await readKnownProjects(file);
  const lines: string[] = [];
  for (const { view, columns } of reading.views.values()) {
    const held = await readContents(file, {
      name: view,
      columns: [...columns.keys()].map((name) => ({ name })),
    });
    if (held === null || held.rows === 0) lines.push(await explainEmptyView(file, view));
    else if (held.first !== null)
      lines.push(`${view} has ${amount(held.rows)} rows, from ${held.first} to ${held.last ?? ''}.`);
  }
  for (const { origin, values, isPattern } of reading.filters) {
    const rows = await file.rowsAs(
      z.object({ value: z.string() }),
      `select distinct "${origin.column}"::varchar as value from ${origin.view} where "${origin.column}" is not null order by 1 limit 1000`,
    );
    const known = rows.map(({ value }) => value);
    const unknown = values.filter(
      (value) => !known.some(isPattern ? likeness(value) : (one) => one === value),
    );
    if (unknown.length === 0 || known.length === 0 || origin.column.startsWith('project_')) continue;
    const shown = known.slice(0, MAX_VALUES).join(', ') + (known.length > MAX_VALUES ? ', …' : '');
    lines.push(
      `${origin.view}.${origin.column} is never ${unknown.map((one) => `'${one}'`).join(' or ')}; it is one of: ${shown}.`,
    );
  }
  lines.push(projects.length === 0 ? 'No project was ever synced.' : `Projects: ${listProjects(projects)}.`);
  return lines;
}

/** Whether a text matches a LIKE pattern, in upper or lower case. */
function likeness(pattern: string): (text: string) => boolean {
  const literal = pattern.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
  const expression = new RegExp(`^${literal.replaceAll('%', '.*').replaceAll('_', '.')}$`, 'is');
  return (text) => expression.test(text);
}

const windowRow = z.object({ kind: z.string(), first: z.string(), last: z.string() });

async function explainEmptyView(file: PublishedFile, view: string): Promise<string> {
  const needs = Object.entries(readSqlYaml('guide/needed-settings', z.record(z.string(), z.string())));
  const needed = needs.find(([name]) => view.endsWith(name));
  if (needed !== undefined) return `${view} has no rows: ${needed[1]}.`;
  const off = await file.rowsAs(
    z.object({ endpoint: z.string() }),
    `select distinct endpoint from main.sync_freshness where status = 'not_enabled' order by 1`,
  );
  const disabled =
    off.length === 0 ? '' : ` Not enabled for a project: ${off.map((one) => one.endpoint).join(', ')}.`;
  // If \`main\` has no month yet, \`detail\` may have a whole window.
  const hasWindows = DETAIL_KEYS[view]?.includes('window_kind') === true;
  const newest = `select window_kind as kind, min(window_start)::varchar as first, max(window_end)::varchar as last from detail.${view}
     where is_whole_window group by window_kind, window_end order by window_end desc limit 1`;
  const [window] = hasWindows ? await file.rowsAs(windowRow, newest) : [];
  if (window === undefined) return `${view} has no rows in this file.${disabled}`;
  return `${view} has no rows: no calendar month is whole yet. The newest whole window is in detail.${view}: window_kind '${window.kind}', ${window.first} to ${window.last}.${disabled}`;
}
