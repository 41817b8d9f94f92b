import { afterAll } from 'vitest';
import { toDay } from '../../src/day.ts';
import { openPublishedFile } from '../../src/publish/published-file.ts';
import { openRig } from '../flow/rig.ts';

/**
 * The published file of the demo world after two syncs, 2026-05-01 to 2026-07-13 and the running day, with three planted facts
 * about its first project: one model that never names the brand, one domain lost and one new in June, and five days of June
 * restated after the month. It is closed after the tests of the file that calls this.
 */
export async function openDemoWorld() {
  const rig = await openRig({ world: 'demo', today: '2026-07-14', startDate: '2026-05-01' });
  const [project] = rig.simulator.world.projects;
  if (project === undefined) throw new Error('the demo world has no project');
  await rig.pull({ projects: [project.id] });
  rig.simulator.restate({
    project: project.id,
    endpoint: 'visibility-time-series',
    days: { start: toDay('2026-06-20'), end: toDay('2026-06-24') },
    by: 0.2,
  });
  await rig.sync({ lookbackDays: 25, endpoints: ['visibility'], projects: [project.id] });
  const file = await openPublishedFile(rig.config.warehouse.path);
  afterAll(async () => {
    await file[Symbol.asyncDispose]();
    await rig[Symbol.asyncDispose]();
  });
  return { rig, file, project };
}
