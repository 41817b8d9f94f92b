import { z } from 'zod';
import type { Connection } from '../../src/warehouse/connection.ts';

const columnRow = z.object({
  place: z.string(),
  name: z.string(),
  type: z.string(),
  nullable: z.boolean(),
  comment: z.string().nullable(),
});

/** Every table and view with its columns and comments, as text that reads like SQL. */
export async function schemaPicture(connection: Connection): Promise<string> {
  const relations = await connection.rowsAs(
    z.object({ place: z.string(), comment: z.string().nullable(), kind: z.string() }),
    `select schema_name || '.' || table_name as place, comment, 'table' as kind from duckdb_tables() where not internal
     union all
     select schema_name || '.' || view_name, comment, 'view' from duckdb_views() where not internal
     order by kind, place`,
  );
  const columns = await connection.rowsAs(
    columnRow,
    `select schema_name || '.' || table_name as place, column_name as name, lower(data_type) as type,
            is_nullable as nullable, comment
     from duckdb_columns() where not internal order by place, column_index`,
  );
  const pictures = relations.map(({ place, comment, kind }) => {
    const lines = columns
      .filter((column) => column.place === place)
      .map(
        ({ name, type, nullable, comment }) =>
          `  ${name} ${type}${nullable || kind === 'view' ? '' : ' not null'}, -- ${comment ?? ''}`,
      );
    return `-- ${comment ?? ''}\n${kind} ${place} (\n${lines.join('\n')}\n);\n`;
  });
  return `-- Generated picture of the schema; "npx vitest run test/warehouse/schema.test.ts -u" writes it again.\n\n${pictures.join('\n')}`;
}
