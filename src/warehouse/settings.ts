import { z } from 'zod';
import type { Connection } from './connection.ts';

/** A value of `meta.settings`; null when it is not set. */
export async function readSetting(connection: Connection, name: string): Promise<string | null> {
  const sql = 'select value from meta.settings where name = $1';
  return (await connection.value(z.string().nullable(), sql, [name])) ?? null;
}

/** All settings that have a value. */
export async function readSettings(
  connection: Connection,
  table = 'meta.settings',
): Promise<Map<string, string>> {
  const row = z.object({ name: z.string(), value: z.string() });
  const rows = await connection.rowsAs(row, `select name, value from ${table} where value is not null`);
  return new Map(rows.map(({ name, value }) => [name, value]));
}

/** Keeps what views and later runs must know of the configuration and of the server, by name. */
export async function writeSettings(
  connection: Connection,
  settings: Readonly<Record<string, string>>,
  table = 'meta.settings',
): Promise<void> {
  await connection.run(
    `merge into ${table} s using (select unnest($1::varchar[]) as name, unnest($2::varchar[]) as value) n on s.name = n.name
     when matched and s.value is distinct from n.value then update set value = n.value
     when not matched then insert (name, value) values (n.name, n.value)`,
    [Object.keys(settings), Object.values(settings)],
  );
}
