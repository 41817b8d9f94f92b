import { expect, it } from 'vitest';
import { silentLog } from '../../src/log.ts';
import { planSync } from '../../src/run/plan-sync.ts';
import { syncRequest } from '../../src/run/sync-request.ts';
import { openRig, type Rig } from './rig.ts';

const SMALL = { world: 'demo', today: '2026-07-14', startDate: '2026-06-01' } as const;
const LISTS = { endpoints: ['prompts', 'events'] };
const CONTENT = [
  'select project_id, prompt_id, prompt, removed_at from core.prompts order by all',
  'select project_id, event_id, date, type from core.events order by all',
];

/** How often each size of a page was asked for. */
function sizesOf(rig: Rig, path: string): string[] {
  const asked = rig.simulator.requests.filter((request) => request.path.endsWith(path));
  return asked.map(({ query }) => new Map(query).get('size') ?? '');
}

it('the configured limit of a list that comes in pages is the size of its pages', async () => {
  await using rig = await openRig(SMALL);
  await using plain = await openRig(SMALL);
  Object.assign(rig.config.sync, { endpoints: { prompts: { limit: 7 }, events: { limit: 2 } } });
  expect(await rig.sync(LISTS)).toMatchObject({ exit_code: 0 });
  expect((await plain.pull(LISTS)).exitCode).toBe(0);
  for (const sql of CONTENT) expect(await rig.workingRows(sql)).toEqual(await plain.workingRows(sql));
  const counts = await rig.workingRows('select count(*) as prompts from core.prompts group by project_id');
  // A full last page is followed by one more request.
  const pages = counts.map(({ prompts }) => Math.floor(Number(prompts) / 7) + 1).reduce((a, b) => a + b, 0);
  expect(pages).toBeGreaterThan(counts.length);
  expect(sizesOf(rig, '/prompts')).toEqual(Array.from({ length: pages }, () => '7'));
  expect(new Set(sizesOf(rig, '/events'))).toEqual(new Set(['2']));
  expect(sizesOf(rig, '/events').length).toBeGreaterThan(sizesOf(plain, '/events').length);
  expect(new Set(sizesOf(plain, '/prompts'))).toEqual(new Set(['100']));
  // The lists are asked for anew by every run, in as many pages as planned.
  const { config, effects, simulator } = rig;
  const { signal } = new AbortController();
  const request = syncRequest({ endpoints: ['prompts'], today: simulator.today });
  const context = { config, effects, log: silentLog, signal, version: '0.0.0' };
  const { by_project_and_endpoint: planned } = await planSync(request, context, true);
  expect(planned.reduce((sum, { requests }) => sum + requests, 0)).toBe(pages);
});

it('whole windows that a server refuses as too long are asked for once, and none that is as long', async () => {
  const summary = { endpoints: ['response_summary'] };
  await using rig = await openRig({ ...SMALL, world: 'small', maxWindowDays: { 'responses/summary': 20 } });
  Object.assign(rig.config.sync, { windows: ['month', 'last_28_days', 'last_7_days', 'last_90_days'] });
  const refused = (): number => rig.simulator.requests.filter(({ status }) => status === 400).length;
  // July so far and the last 7 days are answered.
  expect((await rig.pull(summary)).exitCode).toBe(3);
  expect(refused()).toBeLessThanOrEqual(3);
  expect(
    await rig.workingRows(
      'select window_kind as kind, window_start as start from core.response_summary order by all',
    ),
  ).toEqual([
    { kind: 'last_7_days', start: '2026-07-07' },
    { kind: 'month', start: '2026-07-01' },
  ]);
});
