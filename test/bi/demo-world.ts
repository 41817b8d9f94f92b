import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { toDay } from '../../src/day.ts';
import { openPublishedFile } from '../../src/publish/published-file.ts';
import { openRig } from '../flow/rig.ts';
import { FileReader } from '../support/file-reader.ts';
import { madeOnce } from '../support/made-once.ts';

/**
 * The published file of the demo world after two syncs, 2026-05-01 to 2026-07-13 and the running day, with three planted facts
 * about its first project: one model that never names the brand, one domain lost and one new in June, and five days of June
 * restated after the month. It is closed after the tests of the file that calls this.
 */
export async function openDemoWorld() {
  const path = join(await madeOnce('demo world', publishDemoWorld), 'answers.duckdb');
  const file = await openPublishedFile(path);
  const reader = new FileReader(path);
  const rows = (sql: string): Promise<Record<string, unknown>[]> => reader.rows(sql);
  afterAll(async () => {
    reader.close();
    await file[Symbol.asyncDispose]();
  });
  const sql = 'select distinct project_id, name from core.visibility join core.projects using (project_id)';
  const [pulled] = await rows(sql);
  return { path, file, rows, id: String(pulled?.['project_id']), name: String(pulled?.['name']) };
}

async function publishDemoWorld(folder: string): Promise<void> {
  await using rig = await openRig({ world: 'demo', today: '2026-07-14', startDate: '2026-05-01' });
  const [project = ''] = rig.projectIds;
  await rig.pull({ projects: [project] });
  const days = { start: toDay('2026-06-20'), end: toDay('2026-06-24') };
  rig.simulator.restate({ project, endpoint: 'visibility-time-series', days, by: 0.2 });
  await rig.sync({ lookbackDays: 25, endpoints: ['visibility'], projects: [project] });
  copyFileSync(rig.config.warehouse.path, join(folder, 'answers.duckdb'));
}
