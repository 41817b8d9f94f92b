import { quoteIdentifier, quoteLiteral } from '../warehouse/quote.ts';

/** Tables of `core` with their key columns. */
export type Keys = ReadonlyMap<string, readonly string[]>;

const list = (columns: readonly string[]): string => columns.map((name) => quoteIdentifier(name)).join(', ');

/** One query for each table, of keys that it holds twice. Nothing else keeps keys unique: the tables have no index. `only` picks rows `t` of a table. */
export function doubledKeys(
  keys: Keys,
  mostOffenders: number,
  only: (table: string) => string = () => 'true',
): string[] {
  return [...keys].map(
    ([table, key]) =>
      `(select ${quoteLiteral(`core.${table}`)} as place, concat_ws(' | ', ${list(key)}) as offender ` +
      `from core.${quoteIdentifier(table)} as t where ${only(table)} group by ${list(key)} having count(*) > 1 limit ${mostOffenders})`,
  );
}
