import { existsSync } from 'node:fs';
import { z } from 'zod';
import { openPublishedFile } from './published-file.ts';

/** Project id → name, as the published file knows them; empty when there is none. */
export async function projectNames(path: string): Promise<ReadonlyMap<string, string>> {
  if (!existsSync(path)) return new Map();
  await using file = await openPublishedFile(path);
  const rows = await file.rowsAs(
    z.object({ project_id: z.string(), name: z.string() }),
    'select project_id, name from core.projects where name is not null',
  );
  return new Map(rows.map(({ project_id: id, name }) => [id, name]));
}
