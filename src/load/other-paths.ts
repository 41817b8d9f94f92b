import { z } from 'zod';
import { ownPath, type PathOf } from '../endpoints/asked-path.ts';
import { catalogue } from '../endpoints/catalogue.ts';
import type { Connection } from '../warehouse/connection.ts';
import { writeSettings } from './settings.ts';

const PREFIX = 'path_of_endpoint:';
const settingRow = z.object({ name: z.string(), value: z.string() });

/** What one path showed says nothing of another: forgets it for endpoints that are asked elsewhere than in the run before. */
export async function forgetOtherPaths(connection: Connection, pathOf: PathOf): Promise<void> {
  const rows = await connection.rowsAs(
    settingRow,
    'select name, value from meta.settings where starts_with(name, $1) and value is not null',
    [PREFIX],
  );
  const before = new Map(rows.map(({ name, value }) => [name.slice(PREFIX.length), value]));
  const moved = catalogue
    .map(({ name }) => name)
    .filter((name) => (before.get(name) ?? ownPath(name)) !== pathOf(name));
  if (moved.length === 0) return;
  await connection.run('delete from meta.limits where endpoint in (select unnest($1::varchar[]))', [moved]);
  await writeSettings(
    connection,
    Object.fromEntries(moved.map((name) => [`${PREFIX}${name}`, pathOf(name)])),
  );
}
