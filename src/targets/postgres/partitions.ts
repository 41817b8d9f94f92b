import { z } from 'zod';
import { quoteIdentifier, quoteLiteral } from '../../warehouse/quote.ts';
import { DIGESTED, nameOf } from '../../publish/partitions.ts';
import type { PublishedSource } from '../target.ts';
import { cutOf, type PublishedTable } from './tables.ts';

/** Some rows of a table: those of one day, window, run or project. */
export interface Partition {
  table_name: string;
  /** What its rows have in the column that cuts the table, as text. */
  part: string | null;
  row_count: string;
  /** Equal where the rows are equal, as long as both were made by the same version of DuckDB. */
  digest: string;
}

export const partitionRow: z.ZodType<Partition> = z.object({
  table_name: z.string(),
  part: z.string().nullable(),
  row_count: z.string(),
  digest: z.string(),
});

/** Text of the column that cuts row `t`; PostgreSQL stores no NUL character. */
export function cutText(table: PublishedTable): string {
  return `replace(cast(t.${quoteIdentifier(cutOf(table).column)} as varchar), chr(0), chr(65533))`;
}

/** The parts of the published file. */
export async function partitionsOf(
  { connection, catalog }: PublishedSource,
  tables: readonly PublishedTable[],
): Promise<Partition[]> {
  const queries = tables.map((table) => {
    const { schema, name } = table;
    const from = [catalog, schema, name].map(quoteIdentifier).join('.');
    return `select ${quoteLiteral(nameOf(table))} as table_name, ${cutText(table)} as part, cast(count(*) as varchar) as row_count,
      cast(bit_xor(hash(${DIGESTED.get(nameOf(table)) ?? 't'})) as varchar) as digest from ${from} as t group by part`;
  });
  return await connection.rowsAs(partitionRow, queries.join('\nunion all\n'));
}

/** What has to be done to a table, so that it holds the parts of the file. */
export interface TableChange {
  table: PublishedTable;
  /** Parts whose rows are deleted. */
  stale: readonly Partition[];
  /** Parts whose rows are written. */
  fresh: readonly Partition[];
  /** Nothing of the table stays. */
  isWhole: boolean;
  /** All its rows are written. */
  readsAll: boolean;
  rowsInAll: number;
}

/** The tables that differ, with the parts that do. */
export function comparePartitions(
  tables: readonly PublishedTable[],
  own: readonly Partition[],
  held: readonly Partition[],
): TableChange[] {
  const keyOf = ({ table_name: name, part, row_count: count, digest }: Partition): string =>
    JSON.stringify([name, part, count, digest]);
  const ownKeys = new Set(own.map(keyOf));
  const heldKeys = new Set(held.map(keyOf));
  return tables.flatMap((table) => {
    const isOf = (part: Partition): boolean => part.table_name === nameOf(table);
    const [ofFile, ofTarget] = [own.filter(isOf), held.filter(isOf)];
    const stale = ofTarget.filter((part) => !ownKeys.has(keyOf(part)));
    const fresh = ofFile.filter((part) => !heldKeys.has(keyOf(part)));
    if (stale.length === 0 && fresh.length === 0) return [];
    return [
      {
        table,
        stale,
        fresh,
        isWhole: stale.length === ofTarget.length,
        readsAll: fresh.length === ofFile.length,
        rowsInAll: ofFile.reduce((sum, part) => sum + Number(part.row_count), 0),
      },
    ];
  });
}
