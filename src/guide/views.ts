import { z } from 'zod';
import { usageError } from '../errors.ts';
import type { PublishedFile } from '../publish/published-file.ts';
import { suggestion } from '../text.ts';
import { quoteLiteral } from '../warehouse/sql.ts';

const viewRow = z.object({ name: z.string(), comment: z.string() });
const columnRow = z.object({ name: z.string(), type: z.string(), comment: z.string() });

/** A view, with its comment. */
export type View = z.output<typeof viewRow>;

export interface DescribedView extends View {
  columns: readonly z.output<typeof columnRow>[];
}

/** The views of one schema of the published file in the order of their names. */
export async function readViews(file: PublishedFile, schema: 'main' | 'detail' = 'main'): Promise<View[]> {
  return await file.rowsAs(
    viewRow,
    `select view_name as name, coalesce(comment, '') as comment from duckdb_views()
     where schema_name = ${quoteLiteral(schema)} and not internal order by 1`,
  );
}

/** One view with its columns, types and comments: of `detail` where its name says so. @throws AnswerlakeError configuration when it does not exist */
export async function describeView(file: PublishedFile, name: string): Promise<DescribedView> {
  const [, given, wanted = ''] = /^(?:(main|detail)\.)?(.*)$/s.exec(name.toLowerCase()) ?? [];
  const schema = given === 'detail' ? 'detail' : 'main';
  const views = await readViews(file, schema);
  const view = views.find((one) => one.name === wanted);
  if (view === undefined) {
    const names = views.map((one) => one.name);
    throw usageError(`There is no view ${name}: ${suggestion(wanted, names)}`);
  }
  const columns = await file.rowsAs(
    columnRow,
    `select column_name as name, data_type as type, coalesce(comment, '') as comment from duckdb_columns()
     where schema_name = ${quoteLiteral(schema)} and table_name = ${quoteLiteral(view.name)} order by column_index`,
  );
  return { ...view, columns };
}

const asOfRow = z.object({ text: z.string() });

/** When the file was last loaded, and from which day its figures may still change. */
export async function readAsOf(file: PublishedFile): Promise<string> {
  const [row] = await file.rowsAs(
    asOfRow,
    `select coalesce('Loaded until ' || strftime((select max(finished_at) from meta.runs where status in ('ok', 'partial')), '%Y-%m-%d %H:%M') || ' UTC.',
       'Nothing was loaded yet.') || coalesce(' Figures from ' || (sync_day - greatest(lookback_days, 1) + 1) || ' on may still change; those of ' || sync_day || ' are partial.', '') as text
     from main.sync_settings`,
  );
  return row?.text ?? 'Nothing was loaded yet.';
}
