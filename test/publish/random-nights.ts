import { z } from 'zod';
import { coreKeys } from '../support/catalogue.ts';
import type { Connection } from '../../src/warehouse/connection.ts';

/** Something that happens to a table of `core` in a night. */
export interface Deed {
  table: string;
  what: 'insert' | 'update' | 'update without a trace' | 'delete' | 'clear';
  seed: number;
}

export const TABLES = [...coreKeys.keys()];
export const WHATS = ['insert', 'insert', 'update', 'update without a trace', 'delete', 'clear'] as const;

const columnRow = z.object({ name: z.string(), type: z.string(), is_nullable: z.boolean() });

/** Does it, whatever the table is. A key stays unique because its last text has a number that was never used. */
export async function doDeed(connection: Connection, { table, what, seed }: Deed, night: number) {
  const some = `hash(rowid + ${seed}) % 3 = 0`;
  if (what === 'clear' || what === 'delete') {
    await connection.run(`delete from core.${table} where ${what === 'clear' ? 'true' : some}`);
    return;
  }
  const columns = await connection.rowsAs(
    columnRow,
    `select column_name as name, data_type as type, is_nullable from duckdb_columns()
     where schema_name = 'core' and table_name = $1 order by column_index`,
    [table],
  );
  const key = coreKeys.get(table) ?? [];
  const measured = columns.filter(
    ({ name, type }) => !key.includes(name) && ['BIGINT', 'DOUBLE'].includes(type),
  );
  if (what === 'insert') {
    const texts = columns.filter(({ name, type }) => key.includes(name) && type === 'VARCHAR');
    const unique = texts.at(-1)?.name ?? '';
    const cells = columns.map((column) => cell(column, { unique, seed, night }));
    await connection.run(
      `insert into core.${table} select ${cells.join(', ')} from range(${1 + (seed % 5)}) r(i)`,
    );
    return;
  }
  // Rows that load later, from an older run, may keep the stamp that they have.
  const stamp = what === 'update' ? [`_run_id = 'run-${night}'`] : [];
  const values = measured.map(({ name }) => `${name} = coalesce(${name}, 0) + ${1 + (seed % 4)}`);
  const set = [...values, ...stamp];
  if (set.length > 0) await connection.run(`update core.${table} set ${set.join(', ')} where ${some}`);
}

function cell(
  { name, type, is_nullable: isNullable }: z.output<typeof columnRow>,
  { unique, seed, night }: { unique: string; seed: number; night: number },
): string {
  if (name === unique) return `'k${night}-${seed}-' || i`;
  const known: Record<string, string> = {
    project_id: `'p' || i % 3`,
    grain: "'day'",
    // Of a project's own scope there is one row a day.
    scope: "'model'",
    window_kind: "'month'",
    type: "'action'",
    _run_id: `'run-${night}'`,
  };
  const byType: Record<string, string> = {
    BIGINT: `(i + ${seed}) % 7`,
    BOOLEAN: 'i % 2 = 0',
    DATE: `date '2026-03-01' + cast((i + ${seed}) % 9 as integer)`,
    DOUBLE: `(i + ${seed}) % 11 / 4`,
    TIMESTAMP: `timestamp '2026-03-02 10:00:00' + to_days(cast((i + ${seed}) % 9 as integer))`,
    'VARCHAR[]': `['a', 'b' || i]`,
  };
  return known[name] ?? byType[type] ?? `if(${isNullable} and i % 4 = 0, null, '${name} ' || i % 3)`;
}
