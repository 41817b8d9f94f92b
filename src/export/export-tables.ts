import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { suggestion } from '../did-you-mean.ts';
import type { Connection } from '../warehouse/connection.ts';
import { openDatabase } from '../warehouse/database.ts';
import { quoteIdentifier, quoteLiteral } from '../warehouse/quote.ts';
import { usageError } from '../errors.ts';

/** One view or table as it was written. */
export interface ExportedTable {
  /** Name of the folder. */
  name: string;
  rows: number;
  files: number;
  /** Levels of folders inside; none where it is one file. */
  partitions: string[];
}

export interface ExportRequest {
  /** The published file. */
  source: string;
  /** An existing, empty folder. */
  folder: string;
  /** Null: every view of `main`. */
  names: readonly string[] | null;
  signal: AbortSignal;
}

/**
 * Writes views and core tables as Parquet, a folder each.
 * @throws AnswerlakeError configuration on a name that is none; storage
 */
export async function exportTables(request: ExportRequest): Promise<ExportedTable[]> {
  // One thread writes one file a partition.
  await using database = await openDatabase({ path: request.source, readOnly: true, threads: 1 });
  const connection = await database.connect();
  const interrupt = (): void => connection.raw.interrupt();
  request.signal.addEventListener('abort', interrupt);
  try {
    const chosen = choose(await readRelations(connection), request.names);
    const tables: ExportedTable[] = [];
    for (const relation of chosen) {
      request.signal.throwIfAborted();
      tables.push(await exportOne(connection, relation, join(request.folder, relation.name)));
    }
    return tables;
  } catch (error) {
    request.signal.throwIfAborted();
    throw error;
  } finally {
    request.signal.removeEventListener('abort', interrupt);
  }
}

const relationRow = z.object({ schema: z.string(), name: z.string(), columns: z.array(z.string()) });
type Relation = z.output<typeof relationRow>;

async function readRelations(connection: Connection): Promise<Relation[]> {
  return await connection.rowsAs(
    relationRow,
    `select schema_name as schema, table_name as name, list(column_name order by column_index) as columns
     from duckdb_columns()
     where database_name = current_database() and schema_name in ('main', 'core') and not internal
     group by all order by schema_name desc, table_name`,
  );
}

function choose(relations: readonly Relation[], names: readonly string[] | null): Relation[] {
  if (names === null) return relations.filter(({ schema }) => schema === 'main');
  const chosen = new Map<string, Relation>();
  for (const name of names) {
    // Views come first, so that a plain name means the view.
    const found = relations.find((one) => name === one.name || name === `${one.schema}.${one.name}`);
    if (found === undefined) {
      const known = relations.map((one) => (one.schema === 'main' ? one.name : `core.${one.name}`));
      throw usageError(`--table: there is no view or table ${name}; ${suggestion(name, known)}`);
    }
    chosen.set(found.name, found);
  }
  return [...chosen.values()];
}

async function exportOne(
  connection: Connection,
  { schema, name, columns }: Relation,
  folder: string,
): Promise<ExportedTable> {
  const from = `${quoteIdentifier(schema)}.${quoteIdentifier(name)}`;
  const [counted] = await connection.rowsAs(
    z.object({ rows: z.number() }),
    `select count(*) as rows from ${from}`,
  );
  const rows = counted?.rows ?? 0;
  mkdirSync(folder, { recursive: true });
  const isDated = columns.includes('project_id') && columns.includes('date') && !columns.includes('month');
  // Without rows there would be no file, and nothing that knows the columns.
  if (!isDated || rows === 0) {
    const order = columns.includes('project_id') ? ' order by project_id' : '';
    const file = quoteLiteral(join(folder, 'data_0.parquet'));
    await connection.run(`copy (from ${from}${order}) to ${file} (format parquet, compression zstd)`);
    return { name, rows, files: 1, partitions: [] };
  }
  await connection.run(
    `copy (select *, strftime(date, '%Y-%m') as month from ${from} order by project_id, date)
     to ${quoteLiteral(folder)}
     (format parquet, compression zstd, partition_by (project_id, month), write_partition_columns true, overwrite_or_ignore true)`,
  );
  const files = readdirSync(folder, { recursive: true }).filter((path) => String(path).endsWith('.parquet'));
  return { name, rows, files: files.length, partitions: ['project_id', 'month'] };
}
