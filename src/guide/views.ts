import { minuteOf } from '../quantity.ts';
import { z } from 'zod';
import { daySchema } from '../day.ts';
import { usageError, suggestion } from '../errors.ts';
import type { PublishedFile } from '../publish/published-file.ts';
import { ageText, readAge, staleWords } from '../warehouse/freshness.ts';
import { quoteLiteral } from '../warehouse/sql.ts';
import { DETAIL_KEYS, VIEW_KEYS } from './view-keys.ts';

const viewRow = z.object({ name: z.string(), comment: z.string() });
const columnRow = z.object({ name: z.string(), type: z.string(), comment: z.string() });

/** A view, with its comment. */
export type View = z.output<typeof viewRow>;

export interface DescribedView extends View {
  /** Key columns. */
  key: readonly string[];
  columns: readonly z.output<typeof columnRow>[];
}

type Described = 'main' | 'detail' | 'own';

/** The views of one schema of the published file, by name; for `own`, which alone of these has tables, they too. */
export async function readViews(file: PublishedFile, schema: Described = 'main'): Promise<View[]> {
  return await file.rowsAs(
    viewRow,
    `select name, coalesce(comment, '') as comment
     from (select view_name as name, comment, schema_name, internal from duckdb_views() union all select table_name, comment, schema_name, internal from duckdb_tables())
     where schema_name = ${quoteLiteral(schema)} and not internal order by 1`,
  );
}

/** The views of `main`, and the user's own views and tables, by the names that a query uses. */
export async function readMainAndOwn(file: PublishedFile): Promise<View[]> {
  const own = await readViews(file, 'own');
  return [...(await readViews(file)), ...own.map((view) => ({ ...view, name: `own.${view.name}` }))];
}

/** One view with its columns, types and comments: of `detail` or `own` if its name includes the schema. @throws AnswerlakeError configuration if it does not exist */
export async function describeView(file: PublishedFile, name: string): Promise<DescribedView> {
  const [, given, wanted = ''] = /^(?:(main|detail|own)\.)?(.*)$/s.exec(name.toLowerCase()) ?? [];
  const schema = given === 'detail' || given === 'own' ? given : 'main';
  const views = await readViews(file, schema);
  const view = views.find((one) => one.name === wanted);
  if (view === undefined) {
    const own = given === undefined ? await readViews(file, 'own') : [];
    if (own.some((one) => one.name === wanted)) return await describeView(file, `own.${wanted}`);
    const names = views.map((one) => one.name);
    throw usageError(`There is no view ${name}: ${suggestion(wanted, names)}`);
  }
  const columns = await file.rowsAs(
    columnRow,
    `select column_name as name, data_type as type, coalesce(comment, '') as comment from duckdb_columns()
     where schema_name = ${quoteLiteral(schema)} and table_name = ${quoteLiteral(view.name)} order by column_index`,
  );
  const named = { ...view, name: schema === 'main' ? wanted : `${schema}.${wanted}`, columns };
  if (schema !== 'own')
    return { ...named, key: (schema === 'detail' ? DETAIL_KEYS : VIEW_KEYS)[view.name] ?? [] };
  const sql = `select key from meta.tables where schema_name = 'own' and table_name = ${quoteLiteral(view.name)}`;
  const [key = []] = await file.values(z.array(z.string()), sql);
  return { ...named, key };
}

const contentsRow = z.object({ rows: z.number(), first: z.string().nullable(), last: z.string().nullable() });

/** The content of a view for one project or all: rows, and the first and last day or window if it has them. */
export type Contents = z.output<typeof contentsRow>;

/** Null if its rows belong to no project, but one project was requested. */
export async function readContents(
  file: PublishedFile,
  { name, columns }: { name: string; columns: readonly { name: string }[] },
  projectId?: string,
): Promise<Contents | null> {
  const has = (column: string): boolean => columns.some((one) => one.name === column);
  if (projectId !== undefined && !has('project_id')) return null;
  const day = ['date', 'window_start', 'last_date'].find(has);
  const bound = (side: string): string => (day === undefined ? 'null' : `cast(${side}(${day}) as varchar)`);
  const chosen = projectId === undefined ? '' : ` where project_id = ${quoteLiteral(projectId)}`;
  const [row] = await file.rowsAs(
    contentsRow,
    `select cast(count(*) as double) as rows, ${bound('min')} as first, ${bound('max')} as last from ${name}${chosen}`,
  );
  return row ?? null;
}

const syncDayRow = z.object({ day: daySchema.nullable(), open_from: daySchema.nullable() });

/** The day of the newest sync, and the first day whose figures may still change. */
export async function readSyncDay(file: PublishedFile) {
  const sql = `select cast(sync_day as varchar) as day, cast(sync_day - greatest(lookback_days, 1) + 1 as varchar) as open_from
     from main.sync_settings`;
  return (await file.rowsAs(syncDayRow, sql))[0];
}

/** When the newest answer was stored, its age, and the first day whose figures may still change. */
export async function readAsOf(file: PublishedFile, clock: Parameters<typeof readAge>[1]): Promise<string> {
  const age = await readAge(file, clock);
  if (age === null) return 'Nothing was loaded yet.';
  const { day = null, open_from: openFrom = null } = (await readSyncDay(file)) ?? {};
  const open = `Figures from ${openFrom ?? ''} on may still change; those of ${day ?? ''} are partial.`;
  const line = `As of ${minuteOf(age.newestMs)}, ${ageText(age.ageMs)} ago.${day === null ? '' : ` ${open}`}`;
  return [line, staleWords(age)].filter((one) => one !== null).join('\n');
}
