/** `name` as a quoted SQL identifier. */
export function quoteIdentifier(name: string): string {
  if (name.length === 0 || name.includes('\0')) {
    throw new RangeError(`not usable as an SQL identifier: ${JSON.stringify(name)}`);
  }
  return `"${name.replaceAll('"', '""')}"`;
}

/** `text` as an SQL string literal. Values belong in parameters; this is for statements that take none. */
export function quoteLiteral(text: string): string {
  if (text.includes('\0')) throw new RangeError('an SQL literal cannot hold a NUL character');
  return `'${text.replaceAll("'", "''")}'`;
}

/** A table name with its quoted parts: `"core"."visibility"`. */
export function quoteTable(table: { catalog?: string; schema?: string; table: string }): string {
  return [table.catalog, table.schema, table.table]
    .filter((part) => part !== undefined)
    .map((part) => quoteIdentifier(part))
    .join('.');
}
