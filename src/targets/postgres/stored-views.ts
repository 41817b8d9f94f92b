import { readViews } from '../../publish/views.ts';
import type { TargetSession } from './session.ts';

/** Views whose rows each publish stores: PostgreSQL has no statistics of what a view gives, and plans slow joins for those that read them. */
const STORED: readonly string[] = [
  'detail.measure_days',
  'detail.adjusted_days',
  'detail.effect_scales',
  'detail.typical_changes',
  'detail.cited_domains',
  'detail.competitor_heatmap_trend',
  'main.action_group_impact',
];

/** A view as the build writes it: its columns with their types, and its query. */
const VIEW = /^create or replace view ((?:main|detail)\.\w+) as select (.*?) from \(\n(.*?)\n\) v;$/gms;
const COLUMN = /cast\(v\."(\w+)" as ([^)]+)\) as "\1"/g;

interface StoredView {
  table: string;
  /** The select list. */
  columns: string;
  query: string;
}

/** The statements that create all views, those that are stored as views of their rows. */
export function createViews(): string {
  return readViews('postgres')
    .map(({ sql }) => sql)
    .join('\n')
    .replaceAll(VIEW, (_, ...[name, columns, query]: [string, string, string]) => {
      const rows = STORED.includes(name) ? tableOf(name) : `(\n${query}\n)`;
      // With the rights of the reader, so that row level security of the tables counts.
      return `create or replace view ${name} with (security_invoker = true) as select ${columns} from ${rows} v;`;
    });
}

/** The statements that create the tables of stored rows. */
export function createStored(): string {
  return storedViews()
    .map(({ table, columns }) => {
      const types = [...columns.matchAll(COLUMN)].map(
        ([, name = '', type = '']) => `"${name}" ${type}${type === 'text' ? ' collate "C"' : ''}`,
      );
      const comment = `comment on table ${table} is 'Rows of the view of that name, which each publish stores. Not in the published file.';`;
      return `create table if not exists ${table} (${types.join(', ')});\n${comment}`;
    })
    .join('\n');
}

export function storedTables(): string[] {
  return STORED.map(tableOf);
}

/** Computes the rows of stored views again; their readers see the old ones until the transaction ends. */
export async function refreshStored(session: TargetSession): Promise<void> {
  // Joins on six columns are estimated at one row: a nested loop of the heatmap took 26 s, its hash join 0.4 s.
  await session.run('set local enable_nestloop = off');
  for (const { table, columns, query } of storedViews()) {
    await session.run(`delete from ${table};
insert into ${table} select ${columns} from (
${query}
) v;
analyze ${table}`);
  }
}

function storedViews(): StoredView[] {
  return readViews('postgres')
    .flatMap(({ sql }) => [...sql.matchAll(VIEW)])
    .filter(([, name = '']) => STORED.includes(name))
    .map(([, name = '', columns = '', query = '']) => ({ table: tableOf(name), columns, query }));
}

function tableOf(name: string): string {
  return `meta.target_${name.replace(/^\w+\./, '')}`;
}
