import { z } from 'zod';
import type { Connection } from '../warehouse/connection.ts';
import { quoteLiteral } from '../warehouse/quote.ts';
import type { Day } from '../day.ts';
import { daySchema } from '../day-schema.ts';
import { hasWindows, nameOf, selectParts, type Table } from './parts.ts';

/** What the working file holds and the published one does not, or holds otherwise. */
export interface Changes {
  /** All tables that were compared. */
  compared: readonly Table[];
  /** The tables that differ. */
  tables: readonly Table[];
  /** Rows of the working file in parts that differ. */
  rows: number;
  rowsInAll: number;
  /** Days of figures and events that differ. */
  days: readonly Day[];
  /** First days of the windows that differ, those of the ledger too. */
  windows: readonly Day[];
}

const PARTS = 'temp.publish_parts';
/** Temporary table with the parts that differ: `table_name`, `part`, `day`. */
export const CHANGED_PARTS = 'temp.publish_changes';

const tableRow = z.object({ schema: z.string(), name: z.string() });
const changeRow = z.object({ table_name: z.string(), rows: z.number() });

/** Lists the tables of the working file and remembers their parts until `dropParts`. */
export async function collectParts(connection: Connection, home: string): Promise<Table[]> {
  const tables = await connection.rowsAs(
    tableRow,
    `select schema_name as schema, table_name as name from duckdb_tables()
     where database_name = $1 and not internal and not temporary order by all`,
    [home],
  );
  await connection.run(`create or replace temp table publish_parts as ${selectParts(tables, home)}`);
  return tables;
}

/** Compares tables of another file with the parts that were collected; the parts that differ are in `CHANGED_PARTS` afterwards. */
export async function findChanges(
  connection: Connection,
  tables: readonly Table[],
  catalog: string,
): Promise<Changes> {
  const names = tables.map((table) => quoteLiteral(nameOf(table))).join(', ');
  await connection.run(
    `create or replace temp table publish_changes as
     select table_name, part, any_value(day) as day, coalesce(max(row_count) filter (is_ours), 0) as row_count
     from (select *, true as is_ours from ${PARTS} where table_name in (${names}) union all select *, false from (${selectParts(tables, catalog)}))
     group by table_name, part
     having count(*) = 1 or min(row_count) <> max(row_count) or min(digest) <> max(digest)`,
  );
  const changed = await connection.rowsAs(
    changeRow,
    `select table_name, cast(sum(row_count) as bigint) as rows from ${CHANGED_PARTS} group by table_name`,
  );
  const differing = new Set(changed.map(({ table_name: name }) => name));
  const withWindows = tables.filter(hasWindows).map((table) => quoteLiteral(nameOf(table)));
  const days = await connection.rowsAs(
    z.object({ day: daySchema, is_window: z.boolean() }),
    `select distinct day, list_contains([${withWindows.join(', ')}]::varchar[], table_name) as is_window
     from ${CHANGED_PARTS} where day is not null order by day`,
  );
  const [all] = await connection.rowsAs(
    z.object({ rows: z.number() }),
    `select coalesce(cast(sum(row_count) as bigint), 0) as rows from ${PARTS}`,
  );
  return {
    compared: tables,
    tables: tables.filter((table) => differing.has(nameOf(table))),
    rows: changed.reduce((sum, { rows }) => sum + rows, 0),
    rowsInAll: all?.rows ?? 0,
    days: days.flatMap(({ day, is_window: isWindow }) => (isWindow ? [] : [day])),
    windows: days.flatMap(({ day, is_window: isWindow }) => (isWindow ? [day] : [])),
  };
}

export async function dropParts(connection: Connection): Promise<void> {
  await connection.run(`drop table if exists ${PARTS}; drop table if exists ${CHANGED_PARTS}`);
}

/** Whether two files have the same tables, columns, types and comments. */
export async function haveSameTables(connection: Connection, home: string, other: string): Promise<boolean> {
  const columns = (catalog: string): string =>
    `select t.schema_name, t.table_name, t.comment as table_comment, c.column_name, c.column_index, c.data_type, c.is_nullable, c.comment
     from duckdb_tables() t join duckdb_columns() c using (database_name, schema_name, table_name)
     where t.database_name = ${quoteLiteral(catalog)} and not t.internal and not t.temporary`;
  const [found] = await connection.rowsAs(
    z.object({ differences: z.number() }),
    `with own as (${columns(home)}), others as (${columns(other)})
     select count(*) as differences from ((from own except from others) union all (from others except from own))`,
  );
  return found?.differences === 0;
}
