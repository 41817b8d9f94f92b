import { expect, it } from 'vitest';
import { runStages } from '../../src/run/stages.ts';
import { syncRequest } from '../../src/run/sync-request.ts';
import { withOpenRun } from '../../src/run/sync.ts';
import { workingPath } from '../../src/warehouse/working-file.ts';
import { changeFile } from '../support/file-reader.ts';
import { openRig } from './rig.ts';

it('prompts that only events know are looked up once ever, so many a run, and a 404 leaves a removed row', async () => {
  await using rig = await openRig({
    world: 'demo',
    today: '2026-07-14',
    startDate: '2026-03-01',
    change: (config) => ({ ...config, sync: { ...config.sync, maxPromptLookups: 3 } }),
  });
  const endpoints = ['prompts', 'prompt', 'events'];
  const lookups = (): string[] =>
    rig.simulator.requests.filter(({ path }) => /\/prompts\/./.test(path)).map(({ path }) => path);
  await rig.pull({ endpoints });
  const unknown = await rig.workingRows(
    `select distinct e.project_id, e.prompt_id from core.event_prompts e
       where not exists (from core.prompts p where p.prompt_id = e.prompt_id)`,
  );
  expect(lookups()).toHaveLength(3);
  // A run that continues a stopped one shares its limit of look-ups.
  const file = workingPath(rig.config.warehouse.path);
  await changeFile(file, "update meta.runs set status = 'stopped'");
  await rig.pull({ endpoints });
  expect(lookups()).toHaveLength(3);
  for (let run = 0; run < Math.ceil(unknown.length / 3); run += 1) {
    expect(await rig.pull({ endpoints })).toMatchObject({ exitCode: 0 });
    expect(lookups().length).toBeLessThanOrEqual(3 * (run + 2));
  }
  expect(lookups()).toHaveLength(unknown.length + 3);
  expect(new Set(lookups()).size).toBe(unknown.length + 3);
  await rig.pull({ endpoints });
  expect(lookups()).toHaveLength(unknown.length + 3);
  const gone = await rig.workingRows(
    'select prompt, removed_at is not null as removed from core.prompts where prompt is null',
  );
  expect(gone).toHaveLength(unknown.length + 3);
  expect(gone.every((row) => row['removed'] === true)).toBe(true);
});

it('a run that owes nothing has loaded its validations before it is settled', async () => {
  await using rig = await openRig({ world: 'small', today: '2026-07-14', startDate: '2026-07-01' });
  const endpoints = ['models'];
  await rig.pull({ endpoints });
  await changeFile(workingPath(rig.config.warehouse.path), "update meta.runs set status = 'stopped'");
  const request = syncRequest({ today: rig.simulator.today, endpoints });
  const left = await withOpenRun(request, rig.context, async (run) => {
    const loaded: string[] = [];
    for await (const { results = [] } of runStages(run))
      loaded.push(...results.map(({ slice }) => slice.endpoint));
    expect(new Set(loaded)).toEqual(new Set(['validate']));
    return await run.queue.drain();
  });
  expect(left).toEqual([]);
});
