import { z } from 'zod';
import { suggestion } from '../text.ts';
import { usageError } from '../errors.ts';
import { type Connection, interruptOn } from '../warehouse/connection.ts';
import { openDatabase } from '../warehouse/database.ts';
import { quoteIdentifier } from '../warehouse/sql.ts';

/** The published file, open for reading until it is disposed of; `signal` interrupts what runs. */
export async function openPublished(
  path: string,
  { threads, signal }: { threads?: number; signal: AbortSignal },
): Promise<AsyncDisposable & { connection: Connection }> {
  const database = await openDatabase({
    path,
    readOnly: true,
    ...(threads === undefined ? {} : { threads }),
  });
  const connection = await database.connect();
  const interruption = interruptOn(signal, connection.raw);
  return {
    connection,
    [Symbol.asyncDispose]: async () => {
      interruption[Symbol.dispose]();
      await database[Symbol.asyncDispose]();
    },
  };
}

const relationRow = z.object({
  schema: z.string(),
  name: z.string(),
  /** What it is called in an export: tables that a view shares its name with keep their schema. */
  title: z.string(),
  /** In order; types are DuckDB's. */
  columns: z.array(z.strictObject({ name: z.string(), type: z.string() })),
});

/** A view of `main` or a table of `core`. */
export type Relation = z.output<typeof relationRow>;

export function quotedName({ schema, name }: Relation): string {
  return `${quoteIdentifier(schema)}.${quoteIdentifier(name)}`;
}

/**
 * The relations of these names; every view if no name is given.
 * @throws AnswerlakeError (configuration) on an unknown name
 */
export async function chooseRelations(
  connection: Connection,
  names: readonly string[] | null,
): Promise<Relation[]> {
  const relations = await connection.rowsAs(
    relationRow,
    `with relations as (
       select distinct schema_name, table_name from duckdb_columns()
       where database_name = current_database() and schema_name in ('main', 'core') and not internal)
     select schema_name as schema, table_name as name,
       case when schema_name = 'core' and table_name in (select table_name from relations where schema_name = 'main')
         then 'core.' || table_name else table_name end as title, list({ 'name': column_name, 'type': data_type } order by column_index) as columns
     from duckdb_columns()
     where database_name = current_database() and schema_name in ('main', 'core') and not internal
     group by all order by schema_name desc, table_name`,
  );
  if (names === null) return relations.filter(({ schema }) => schema === 'main');
  const chosen = new Map<string, Relation>();
  for (const name of names) {
    // Views come first, so that a plain name means the view.
    const found = relations.find((one) => name === one.name || name === `${one.schema}.${one.name}`);
    if (found === undefined) {
      const known = relations.map((one) => (one.schema === 'main' ? one.name : `core.${one.name}`));
      throw usageError(`--table: there is no view or table ${name}; ${suggestion(name, known)}`);
    }
    chosen.set(found.title, found);
  }
  return [...chosen.values()];
}
