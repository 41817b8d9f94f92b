import { quoteIdentifier, quoteLiteral } from '../warehouse/quote.ts';

/** Tables of `core` with their key columns. */
export type Keys = ReadonlyMap<string, readonly string[]>;

const list = (columns: readonly string[]): string => columns.map((name) => quoteIdentifier(name)).join(', ');

/** One row per key that a table holds twice. Nothing else keeps keys unique: the tables have no index. */
export function doubledKeys(keys: Keys, mostOffenders: number): string {
  return [...keys]
    .map(
      ([table, key]) =>
        `(select ${quoteLiteral(`core.${table}`)} as place, concat_ws(' | ', ${list(key)}) as offender ` +
        `from core.${quoteIdentifier(table)} group by ${list(key)} having count(*) > 1 limit ${mostOffenders})`,
    )
    .join('\nunion all\n');
}

/** One row per table. Two files for which the rows are the same hold the same facts. */
export function tableDigests(keys: Keys): string {
  return [...keys]
    .map(
      ([table, key]) =>
        `select ${quoteLiteral(`core.${table}`)} as part, count(*) as rows, ` +
        `cast(bit_xor(hash(${list(['_run_id', '_changed_at', ...key])})) as varchar) as digest ` +
        `from core.${quoteIdentifier(table)}`,
    )
    .join('\nunion all\n');
}
