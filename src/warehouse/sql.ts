import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PACKAGE_ROOT } from '../files.ts';

/** `name` as a quoted SQL identifier. */
export function quoteIdentifier(name: string): string {
  if (name.length === 0 || name.includes('\0')) {
    throw new RangeError(`not usable as an SQL identifier: ${JSON.stringify(name)}`);
  }
  return `"${name.replaceAll('"', '""')}"`;
}

/** `text` as an SQL string literal. Values belong in parameters; this is for statements that accept none. */
export function quoteLiteral(text: string): string {
  if (text.includes('\0')) throw new RangeError('an SQL literal cannot hold a NUL character');
  return `'${text.replaceAll("'", "''")}'`;
}

/** SQL: rows of two tables have the same values in `columns`. */
export function haveSame(columns: readonly string[], one: string, other: string): string {
  const same = columns
    .map(quoteIdentifier)
    .map((name) => `${one}.${name} is not distinct from ${other}.${name}`);
  return same.join(' and ');
}

/** A table name with its quoted parts: `"core"."visibility"`. */
export function quoteTable(table: { catalog?: string; schema?: string; table: string }): string {
  return [table.catalog, table.schema, table.table]
    .filter((part) => part !== undefined)
    .map((part) => quoteIdentifier(part))
    .join('.');
}

/** A table as named in `meta`, `visibility` or `own.responses`, with quoted parts. */
export function quoteStored(name: string): string {
  const [first = '', second] = name.split('.');
  return quoteTable(
    second === undefined ? { schema: 'core', table: first } : { schema: first, table: second },
  );
}

/** The `sql` folder of the package, with the separator at its end. */
export const SQL_FOLDER = join(PACKAGE_ROOT, 'sql', '/');

/** One file `<number>_<name>.sql`. */
export interface SqlFile {
  number: number;
  name: string;
  sql: string;
}

/** The numbered files of a folder under `sql`, by number: all numbers of a folder have the same length. */
export function readSqlFiles(folder: string, root: string = SQL_FOLDER): SqlFile[] {
  const path = join(root, folder);
  return readdirSync(path)
    .toSorted()
    .flatMap((file) => {
      const [, number = '', name = ''] = /^(\d+)_([a-z0-9_]+)\.sql$/.exec(file) ?? [];
      return number === ''
        ? []
        : [{ number: Number(number), name, sql: readFileSync(join(path, file), 'utf8') }];
    });
}

/** A file under `sql` by its path without extension; each `{{name}}` is replaced by SQL. */
export function readSql(path: string, values: Readonly<Record<string, string>> = {}): string {
  const sql = readFileSync(join(SQL_FOLDER, `${path}.sql`), 'utf8');
  return sql.replaceAll(/\{\{(\w+)\}\}/g, (place, name: string) => values[name] ?? place);
}

/** SQL texts and comments, whose semicolons end no statement. */
const OPAQUE =
  /\be'(?:\\.|''|[^'\\])*'|'(?:''|[^'])*'|"(?:""|[^"])*"|\$([a-z_]\w*)?\$[^]*?\$\1\$|(--[^\n]*|\/\*[^]*?\*\/)/gi;

/** The statements as a person wrote them: DuckDB splits one `pivot` into several, and fails on a lone comment. */
export function countStatements(sql: string): number {
  const plain = sql.replaceAll(OPAQUE, (_text, _tag, comment?: string) =>
    comment === undefined ? 'x' : ' ',
  );
  return plain.split(';').filter((statement) => statement.trim() !== '').length;
}
