import { compareWithPublished, type Changes } from '../../src/publish/compare.ts';
import type { PublishReport } from '../../src/publish/publish.ts';
import { contentOf } from './file-content.ts';
import type { Rig } from './rig.ts';

/** Publishes what changed into the last file. */
export async function publishChanges({ connection, target, publish }: Rig): Promise<PublishReport> {
  const need = await compareWithPublished({ connection, targetPath: target, storageVersion: 'v1.0.0' });
  if (need === undefined) throw new Error('nothing changed');
  return await publish({ changes: need.changes });
}

/** What the next publish has to change. */
export async function changesOf({ connection, target }: Rig): Promise<Changes> {
  const need = await compareWithPublished({ connection, targetPath: target, storageVersion: 'v1.0.0' });
  if (need?.changes === undefined || need.changes === null) throw new Error('nothing changed');
  return need.changes;
}

/** The same working file, published whole into another file. */
export async function wholeContent({ scratch, publish }: Rig): Promise<Record<string, string>> {
  await publish({ targetPath: scratch.path('whole.duckdb') });
  return await contentOf(scratch.path('whole.duckdb'));
}

/** Rows of forty more projects. */
export const MANY = `insert into core.visibility select v.* replace ('q' || i as project_id, 'q' || i as scope_id, date '2025-05-01' + cast(i % 20 as integer) as date)
  from core.visibility v, range(40) r(i)`;
