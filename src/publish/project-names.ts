import { existsSync } from 'node:fs';
import { openPublishedFile } from './published-file.ts';

/** Project id → name, as the published file knows them; empty when there is none. */
export async function projectNames(path: string): Promise<ReadonlyMap<string, string>> {
  if (!existsSync(path)) return new Map();
  await using file = await openPublishedFile(path);
  const rows = await file.rows<{ project_id: string; name: string }>(
    'select project_id, name from core.projects where name is not null',
  );
  return new Map(rows.map(({ project_id: id, name }) => [id, name]));
}
