import { z } from 'zod';
import type { Connection } from './connection.ts';
import { quoteIdentifier } from './sql.ts';
import type { Column, TableColumns } from './tables.ts';

/** SQL: digest of a set of rows `r`, independent of their order. Two versions of DuckDB may give the same rows different digests. */
export const DIGEST = "concat_ws(' ', count(*), sum(cast(hash(r) as hugeint)), bit_xor(hash(r)))";

/** PostgreSQL stores no NUL character, so a part has none in its name. */
export const NUL = ['chr(0)', 'chr(65533)'] as const;

/** The columns that divide a relation, in order of preference: a night touches few days, windows and runs, and years create few parts. */
const DIVIDING = ['date', 'window_start', 'run_id', 'project_id'];

/** The column whose values divide a relation into parts. */
export function partColumn({ columns }: TableColumns): Column {
  const found = DIVIDING.flatMap((name) => columns.filter((column) => column.name === name));
  const column = found[0] ?? columns[0];
  if (column === undefined) throw new Error('a relation has no column');
  return column;
}

/** SQL: the part of a row `r`, as text. */
export function partOf(relation: TableColumns): string {
  return `replace(cast(r.${quoteIdentifier(partColumn(relation).name)} as varchar), ${NUL.join(', ')})`;
}

/** Digest by part. */
export type Parts = ReadonlyMap<string | null, string>;

const partRow = z.object({ part: z.string().nullable(), digest: z.string() });

/** The parts of a relation with the rows of `rows`, the name of a table or view. */
export async function readParts(
  connection: Connection,
  { relation, rows }: { relation: TableColumns; rows: string },
): Promise<Parts> {
  const sql = `select ${partOf(relation)} as part, ${DIGEST} as digest from ${rows} r group by 1`;
  const parts = await connection.rowsAs(partRow, sql);
  return new Map(parts.map(({ part, digest }) => [part, digest]));
}

/** The parts whose rows to remove (`stale`) and to add (`fresh`) so that `held` becomes `wanted`; what is added is removed before. */
export function differences(wanted: Parts, held: Parts) {
  const fresh = [...wanted].filter(([part, digest]) => held.get(part) !== digest).map(([part]) => part);
  // Rows that were added by hand have no digest.
  return { stale: [...held.keys()].filter((part) => !wanted.has(part)).concat(fresh), fresh };
}
