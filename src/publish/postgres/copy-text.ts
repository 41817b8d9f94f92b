import { quoteIdentifier } from '../../warehouse/quote.ts';
import type { Connection } from '../../warehouse/connection.ts';
import type { PublishedSource } from '../target.ts';
import { cutText } from './held-parts.ts';
import type { Column, Relation } from './picture.ts';

/** Temporary table with the parts of the table under way whose rows are read. */
export const READ_PARTS = 'target_parts';

/** Reads rows as lines of the text format of `copy`; `isAll` reads the whole table. */
export function copyLines({ catalog }: PublishedSource, table: Relation, isAll: boolean): string {
  const cells = table.columns.map((column) => `coalesce(${cellText(column)}, '\\N')`);
  const from = [catalog, table.schema, table.name].map(quoteIdentifier).join('.');
  const ofPart = `exists (select 1 from temp.${READ_PARTS} r where r.part is not distinct from ${cutText(table)})`;
  return `select concat_ws(chr(9), ${cells.join(', ')}) as line from ${from} as t where ${isAll ? 'true' : ofPart}`;
}

/* https://www.postgresql.org/docs/15/sql-copy.html, "Text Format" */
const ESCAPES: readonly (readonly [string, string])[] = [
  ["'\\'", "'\\\\'"],
  ['chr(9)', "'\\t'"],
  ['chr(10)', "'\\n'"],
  ['chr(13)', "'\\r'"],
];

function cellText({ name, type }: Column): string {
  const value = `t.${quoteIdentifier(name)}`;
  if (type === 'VARCHAR') return escaped(value);
  if (type === 'VARCHAR[]') {
    const quotedItem = `'"' || replace(replace(item, '\\', '\\\\'), '"', '\\"') || '"'`;
    return escaped(
      `case when ${value} is not null then '{' || array_to_string(list_transform(${value}, lambda item: coalesce(${quotedItem}, 'NULL')), ',') || '}' end`,
    );
  }
  return `cast(${value} as varchar)`;
}

function escaped(value: string): string {
  return ESCAPES.reduce((text, [from, to]) => `replace(${text}, ${from}, ${to})`, value);
}

/** The texts of a statement that gives one column of lines, a chunk of some thousand lines at a time. */
export async function* readLines(connection: Connection, sql: string): AsyncGenerator<readonly string[]> {
  const result = await connection.raw.stream(sql);
  for (;;) {
    const chunk = await result.fetchChunk();
    if (chunk === null || chunk.rowCount === 0) return;
    yield chunk.getColumnValues(0).map(String);
  }
}
