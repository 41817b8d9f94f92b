import { z } from 'zod';
import { openCatalogue } from '../../src/endpoints/catalogue.ts';
import type { Connection } from '../../src/warehouse/connection.ts';
import { DETAIL_KEYS, VIEW_KEYS } from '../../src/guide/view-keys.ts';

const columnRow = z.object({ name: z.string(), type: z.string(), comment: z.string() });
export type Column = z.output<typeof columnRow>;

const relationRow = z.object({
  schema: z.enum(['main', 'detail', 'core', 'meta']),
  name: z.string(),
  kind: z.enum(['table', 'view']),
  comment: z.string(),
});

/** One table or view as the published file shows it. */
export interface Relation extends z.output<typeof relationRow> {
  /** Columns that no two rows share; empty where no key is known. */
  key: readonly string[];
  columns: readonly Column[];
}

/** Every table and view with its columns, in the order people read them: main, detail, core, meta. */
export async function readCatalogue(connection: Connection): Promise<Relation[]> {
  const relations = await connection.rowsAs(
    relationRow,
    `from (
       select schema_name as "schema", view_name as name, 'view' as kind, comment from duckdb_views() where not internal
       union all
       select schema_name, table_name, 'table', comment from duckdb_tables() where not internal)
     order by list_position(['main', 'detail', 'core', 'meta'], "schema"), name`,
  );
  const columns = await connection.rowsAs(
    columnRow.extend({ schema: z.string(), relation: z.string() }),
    `select schema_name as "schema", table_name as relation, column_name as name, data_type as type, comment
     from duckdb_columns() where not internal order by column_index`,
  );
  return relations.map((relation) => ({
    ...relation,
    key: keyOf(relation),
    columns: columns
      .filter(({ schema, relation: name }) => schema === relation.schema && name === relation.name)
      .map(({ name, type, comment }) => ({ name, type, comment })),
  }));
}

/** Every publish proves the keys of `core`; those of `meta` are internal. */
function keyOf({ schema, name }: Pick<Relation, 'schema' | 'name'>): readonly string[] {
  switch (schema) {
    case 'main':
      return VIEW_KEYS[name] ?? [];
    case 'detail':
      return DETAIL_KEYS[name] ?? [];
    case 'core':
      return openCatalogue().keys.get(name) ?? [];
    case 'meta':
      return [];
    default:
      return schema satisfies never;
  }
}

/** What a column's comment says, taken apart. */
interface ColumnFacts {
  meaning: string;
  unit: string;
  /** Whether the values may be added up; '' where the column is no measure. */
  additivity: string;
  source: string;
}

const ADDITIVITY =
  /^(Do not|Adds up|Can be added|Never add|Repeated on every row|Minimum over|Maximum over|Windows overlap|Filter on one)/;

/** Takes the sentences of a comment apart: meaning, additivity, source. */
export function columnFacts({ name, type, comment }: Column): ColumnFacts {
  const [text = '', source = ''] = comment.split(/\s*Source: /, 2);
  const sentences = text.split(/(?<=\.)\s+(?=[A-Z])/);
  const isAdditivity = (sentence: string): boolean => ADDITIVITY.test(sentence);
  const additivity = sentences.filter(isAdditivity).join(' ');
  return {
    meaning: sentences.filter((sentence) => !isAdditivity(sentence)).join(' '),
    unit: unitOf({ name, type, text }),
    additivity,
    source: source.replace(/\.$/, ''),
  };
}

/** True for a count that may be added up along the rows of its view. */
export function isAdditive(column: Column): boolean {
  return /^(Adds up|Can be added)/.test(columnFacts(column).additivity);
}

function unitOf({ name, type, text }: { name: string; type: string; text: string }): string {
  if (type === 'DATE') return 'day (UTC)';
  if (type === 'TIMESTAMP') return 'instant (UTC)';
  if (type === 'BOOLEAN' || type.startsWith('VARCHAR')) return '';
  if (name.endsWith('_points') || /percentage points/.test(text)) return 'percentage points';
  if (name.endsWith('_pct') || /\bpercent\b/.test(text)) return 'percent';
  if (/_days(_|$)|^days_/.test(name) && type !== 'DOUBLE') return 'days';
  if (/rank/.test(name) && !/citations?_(count|with)/.test(name)) return 'rank, 1 is first';
  if (/scale as the API reports|in the unit of|[Mm]ean/.test(text)) return 'score of the API';
  return type === 'BIGINT' || /Citations less/.test(text) ? 'number' : '';
}
