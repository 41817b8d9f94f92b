import { expect, it } from 'vitest';
import { openRig } from './rig.ts';

it('prompts that only events know are looked up once ever, so many a run, and a 404 leaves a removed row', async () => {
  await using rig = await openRig({
    world: 'demo',
    today: '2026-07-14',
    startDate: '2026-01-01',
    change: (config) => ({ ...config, sync: { ...config.sync, maxPromptLookups: 6 } }),
  });
  const endpoints = ['prompts', 'prompt', 'events'];
  const lookups = (): string[] =>
    rig.simulator.requests.filter(({ path }) => /\/prompts\/./.test(path)).map(({ path }) => path);
  await rig.sync({ endpoints });
  const unknown = await rig.rows(
    `select distinct e.project_id, e.prompt_id from core.event_prompts e
       where not exists (from core.prompts p where p.prompt_id = e.prompt_id)`,
  );
  expect(lookups()).toHaveLength(6);
  for (let run = 0; run < Math.ceil(unknown.length / 6); run += 1) {
    expect(await rig.sync({ endpoints })).toMatchObject({ exit_code: 0 });
    expect(lookups().length).toBeLessThanOrEqual(6 * (run + 2));
  }
  expect(lookups()).toHaveLength(unknown.length + 6);
  expect(new Set(lookups()).size).toBe(unknown.length + 6);
  await rig.sync({ endpoints });
  expect(lookups()).toHaveLength(unknown.length + 6);
  const gone = await rig.rows(
    'select prompt, removed_at is not null as removed from core.prompts where prompt is null',
  );
  expect(gone).toHaveLength(unknown.length + 6);
  expect(gone.every((row) => row['removed'] === true)).toBe(true);
});
