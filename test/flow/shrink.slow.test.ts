import { expect, it } from 'vitest';
import { toDay } from '../../src/day.ts';
import { openRig, type Rig } from './rig.ts';

const SMALL = { world: 'small', today: '2026-07-14', startDate: '2026-07-01' } as const;
const SENTIMENT = { endpoints: ['response_sentiment'] };
const PATH = '/responses/sentiment-time-series';

async function status(rig: Rig, endpoint: string): Promise<unknown[]> {
  const rows = await rig.rows(
    `select distinct status from meta.slices where endpoint = '${endpoint}' order by 1`,
  );
  return rows.map((row) => row['status']);
}

async function count(rig: Rig, table: string): Promise<number> {
  const [found] = await rig.rows(`select count(*) as rows from core.${table}`);
  return Number(found?.['rows']);
}

it('an empty answer where rows exist reaches no row: it is suspicious, and every row stays', async () => {
  await using rig = await openRig(SMALL);
  await rig.sync(SENTIMENT);
  expect(await count(rig, 'response_sentiment')).toBe(14);
  rig.simulator.override(PATH, []);
  for (const night of ['2026-07-15', '2026-07-16', '2026-07-17']) {
    rig.simulator.setToday(toDay(night));
    const held = await rig.sync(SENTIMENT);
    expect(held.exit_code).toBe(3);
    expect(held.warnings.join(' ')).toContain('--accept-shrink');
    expect(await count(rig, 'response_sentiment')).toBe(14);
    expect(await status(rig, 'response_sentiment')).toContain('suspicious');
  }
  rig.simulator.override(PATH, undefined);
  expect(await rig.sync(SENTIMENT)).toMatchObject({ exit_code: 0 });
  expect(await rig.rows('select max(date) as last, count(*) as rows from core.response_sentiment')).toEqual([
    { last: '2026-07-17', rows: 17 },
  ]);
  expect(await rig.rows("select * from main.sync_gaps where endpoint = 'response_sentiment'")).toEqual([]);
});

it('prompts that only events know are looked up once ever, so many a run, and a 404 leaves a removed row', async () => {
  await using rig = await openRig({
    ...SMALL,
    world: 'demo',
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
