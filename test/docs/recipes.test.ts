import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { openWorld, slice, type World } from '../views/world.ts';

const [analytics = '', pages = '', deals = ''] = [
  ...readFileSync('docs/recipes/README.md', 'utf8').matchAll(/```sql\n([\s\S]*?)```/g),
].map(([, sql = '']) => sql);

const DAYS = ['2026-03-01', '2026-03-02'];

async function inRecipeWorld(test: (world: World) => Promise<void>): Promise<void> {
  await using world = await openWorld('2026-03-20');
  await world.insert('core.projects', [{ project_id: 'p', name: 'Fernhill' }]);
  await world.insert(
    'meta.slices',
    ['visibility', 'visitor_visits', 'crawler_requests'].map((endpoint) =>
      slice(endpoint, '2026-03-01..2026-03-20', { sync_day: '2026-03-20' }),
    ),
  );
  await world.daily('core.visibility', DAYS, () => ({ visibility: 40 }));
  await world.insert(
    'core.visitor_visits',
    DAYS.flatMap((date) =>
      ['chatgpt.com', 'perplexity.ai'].map((referrer) => ({ date, referrer, visits: 10 })),
    ),
  );
  await world.insert(
    'core.crawler_top_pages',
    ['/pricing', '/guides/espresso', '/', '/about'].map((request_path, index) => ({
      window_kind: 'month',
      window_start: '2026-02-01',
      window_end: '2026-02-28',
      request_path,
      requests: 100 - index,
    })),
  );
  await test(world);
}

it('sessions of Google Analytics join by vendor however the source is spelled', async () => {
  await inRecipeWorld(async (world) => {
    const rows = await world.rows(analytics);
    expect(rows.map(({ date, vendor, sessions_count: count }) => [date, vendor, Number(count)])).toEqual([
      ['2026-03-01', 'OpenAI', 44],
      ['2026-03-01', 'Perplexity', 17],
      ['2026-03-02', 'OpenAI', 44],
      ['2026-03-02', 'Perplexity', 15],
    ]);
  });
});

it('pages of Search Console join by path; one that no crawler asked for has NULL', async () => {
  await inRecipeWorld(async (world) => {
    const rows = await world.rows(pages);
    expect(
      rows.map(({ path, crawler_requests_count: count }) => [path, count === null ? null : Number(count)]),
    ).toEqual([
      ['/', 98],
      ['/pricing', 100],
      ['/guides/espresso', 99],
      ['/careers', null],
    ]);
  });
});

it('deals are credited to the vendor of their referrer or utm_source, and to no other', async () => {
  await inRecipeWorld(async (world) => {
    const rows = await world.rows(deals);
    expect(rows.map(({ date, vendor, amount_eur: amount }) => [date, vendor, Number(amount)])).toEqual([
      ['2026-03-01', 'OpenAI', 4200],
      ['2026-03-02', 'Perplexity', 2500],
    ]);
  });
});
