import { expect, it } from 'vitest';
import { runStages } from '../../src/run/stages.ts';
import { syncRequest } from '../../src/run/sync-request.ts';
import { withOpenRun } from '../../src/run/sync.ts';
import { workingPath } from '../../src/warehouse/working-file.ts';
import { changeFile } from '../support/file-reader.ts';
import { openRig, PROJECT_ONLY, SMALL, withSync, type Rig } from './rig.ts';

/** As if the last run had been stopped. */
const stopLast = ({ config }: Rig): Promise<void> =>
  changeFile(workingPath(config.warehouse.path), "update meta.runs set status = 'stopped'");

it('prompts that only events know are looked up once ever, so many a run, and a 404 leaves a removed row', async () => {
  const change = withSync({ maxPromptLookups: 3 });
  await using rig = await openRig({ ...SMALL, world: 'demo', startDate: '2026-04-10', change });
  const request = { endpoints: ['prompts', 'prompt', 'events'] };
  const lookups = (): string[] =>
    rig.simulator.requests.filter(({ path }) => /\/prompts\/./.test(path)).map(({ path }) => path);
  await rig.pull(request);
  const unknown = await rig.workingRows(
    `select distinct e.project_id, e.prompt_id from core.event_prompts e
       where not exists (from core.prompts p where p.prompt_id = e.prompt_id)`,
  );
  const all = unknown.length + 3;
  expect(lookups()).toHaveLength(3);
  // A run that continues a stopped one shares its limit of look-ups.
  await stopLast(rig);
  await rig.pull(request);
  expect(lookups()).toHaveLength(3);
  for (let run = 2; lookups().length < all; run += 1) {
    expect(await rig.pull(request)).toMatchObject({ exit_code: 0 });
    expect(lookups()).toHaveLength(Math.min(all, 3 * run));
  }
  await rig.pull(request);
  expect([lookups().length, new Set(lookups()).size]).toEqual([all, all]);
  const gone =
    'select removed_at is not null as removed, count(*) as n from core.prompts where prompt is null group by 1';
  expect(await rig.workingRows(gone)).toEqual([{ removed: true, n: all }]);
});

it('a run that owes nothing has loaded its validations before it is settled', async () => {
  await using rig = await openRig(SMALL);
  const endpoints = ['models'];
  await rig.pull({ endpoints });
  await stopLast(rig);
  const request = syncRequest({ today: rig.simulator.today, endpoints });
  const left = await withOpenRun(request, rig.context, async (prepared) => {
    const loaded: string[] = [];
    for await (const { results = [] } of runStages(prepared))
      loaded.push(...results.map(({ slice }) => slice.endpoint));
    expect(new Set(loaded)).toEqual(new Set(['validate']));
    return await prepared.run.queue.drain();
  });
  expect(left).toEqual([]);
});

it('a refused model list, which belongs to no project, ends no run', async () => {
  await using rig = await openRig(PROJECT_ONLY);
  const gone = { status: 404, body: { error: 'Not Found', message: 'gone' } };
  rig.answer('/api/v1/models', () => gone);
  const exits: number[] = [];
  for (const day of ['2026-07-14', '2026-07-15', '2026-07-16', '2026-07-17'])
    exits.push((await rig.night(day, { endpoints: ['models', 'visibility'] })).exit_code);
  expect(exits).toEqual([3, 3, 3, 0]);
  expect(await rig.rows('select count(*) > 20 as has_days from core.visibility')).toEqual([
    { has_days: true },
  ]);
});
