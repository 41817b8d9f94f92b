import { toDay } from '../../src/day.ts';
import { openPublishedFile, type PublishedFile } from '../../src/publish/published-file.ts';
import { openRig, type Rig } from '../flow/rig.ts';

/**
 * The published file of the demo world after two syncs, with three planted facts about its first project: one model
 * that never names the brand, one domain lost and one new in June, and five days of June restated after the month.
 */
export async function openDemoWorld(): Promise<Rig> {
  const rig = await openRig({ world: 'demo', today: '2026-07-14', startDate: '2026-05-01' });
  const [first] = rig.simulator.world.projects;
  if (first === undefined) throw new Error('the demo world has no project');
  await rig.pull({ projects: [first.id] });
  rig.simulator.restate({
    project: first.id,
    endpoint: 'visibility-time-series',
    days: { start: toDay('2026-06-20'), end: toDay('2026-06-24') },
    by: 0.2,
  });
  await rig.sync({ lookbackDays: 25, endpoints: ['visibility'], projects: [first.id] });
  return rig;
}

export interface DemoFile extends AsyncDisposable {
  rig: Rig;
  file: PublishedFile;
}

/** The published file of the demo world: 2026-05-01 to 2026-07-13, and the running day. */
export async function openDemoFile(): Promise<DemoFile> {
  const rig = await openDemoWorld();
  const file = await openPublishedFile(rig.config.warehouse.path);
  return {
    rig,
    file,
    [Symbol.asyncDispose]: async () => {
      await file[Symbol.asyncDispose]();
      await rig[Symbol.asyncDispose]();
    },
  };
}
