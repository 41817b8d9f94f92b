/** Rows of a table: the names of its columns with blanks between, then the values of each row. */
export function table<R extends readonly (readonly unknown[])[]>(
  columns: string,
  ...rows: R
): Record<string, R[number][number]>[] {
  const names = columns.split(' ');
  return rows.map((row) => {
    if (row.length !== names.length) throw new Error(`${columns}: ${row.length} values`);
    return Object.fromEntries(row.map((value, index) => [names[index], value]));
  });
}
