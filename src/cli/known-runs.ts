import { readRunJournal } from '../run/run-journal.ts';
import { quoteIdentifier, quoteLiteral } from '../warehouse/quote.ts';
import type { PublishedFile } from '../publish/published-file.ts';

/**
 * Makes `known_runs` and `known_limits` for the queries of `status`: the tables of the published file and, beside
 * them, what runs that published nothing left in the journal.
 */
export async function addKnownRuns(file: PublishedFile, publishedPath: string): Promise<void> {
  const journal = readRunJournal(publishedPath);
  await addKnown(file, { name: 'runs', rows: journal?.runs ?? [], key: ['run_id'], newest: 'finished_at' });
  await addKnown(file, {
    name: 'limits',
    rows: journal?.quotas ?? [],
    key: ['base_url', 'endpoint', 'organization_id'],
    newest: 'learned_at',
  });
}

interface Known {
  name: string;
  rows: readonly Readonly<Record<string, unknown>>[];
  key: readonly string[];
  /** Column that decides which of two rows with one key is shown. */
  newest: string;
}

async function addKnown(file: PublishedFile, { name, rows, key, newest }: Known): Promise<void> {
  const described = await file.query(
    `select column_name, data_type from duckdb_columns()
     where database_name = current_database() and schema_name = 'meta' and table_name = ${quoteLiteral(name)}`,
  );
  const types = Object.fromEntries(described.rows.map(([column, type]) => [String(column), String(type)]));
  const columns = Object.keys(types);
  const journal = quoteLiteral(JSON.stringify(rows.map((row) => pick(row, columns))));
  const shape = quoteLiteral(JSON.stringify([types]));
  const list = columns.map(quoteIdentifier).join(', ');
  await file.query(
    `create temp table known_${name} as
     with journal as (select unnest(from_json(${journal}, ${shape}), recursive := true))
     select ${list} from (select ${list}, 1 as source from journal union all select ${list}, 0 from meta.${name})
     qualify row_number() over (
       partition by ${key.join(', ')} order by ${newest} desc nulls last, source desc) = 1`,
  );
}

function pick(row: Readonly<Record<string, unknown>>, columns: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(
    columns.map((column) => {
      const value = row[column] ?? null;
      return [column, typeof value === 'string' ? value.replace(INSTANT_END, '') : value];
    }),
  );
}

// An instant of the journal is UTC, and so is a TIMESTAMP of the warehouse.
const INSTANT_END = /(?<=^\d{4}-\d\d-\d\dT[\d:.]+)Z$/;
