import { existsSync } from 'node:fs';
import { openPublishedFile } from '../publish/published-file.ts';

/** Project id → name, as the published file knows them; empty when there is none. */
export async function projectNames(path: string, signal: AbortSignal): Promise<ReadonlyMap<string, string>> {
  if (!existsSync(path)) return new Map();
  await using file = await openPublishedFile(path, signal);
  const { rows } = await file.query('select project_id, name from core.projects where name is not null');
  return new Map(rows.map(([id, name]) => [String(id), String(name)]));
}
