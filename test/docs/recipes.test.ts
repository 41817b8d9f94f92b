import { readFileSync } from 'node:fs';
import { it } from 'vitest';
import { openWorld, slice, type World, window } from '../views/world.ts';

const [analytics = '', pages = '', deals = ''] = [
  ...readFileSync('docs/recipes/README.md', 'utf8').matchAll(/```sql\n([\s\S]*?)```/g),
].map(([, sql = '']) => sql.replace(/;\s*$/, ''));

const DAYS = ['2026-03-01', '2026-03-02'];

async function openRecipeWorld(): Promise<World> {
  const world = await openWorld('2026-03-20');
  await world.insert('core.projects', [{ name: 'Fernhill' }]);
  await world.insert(
    'meta.slices',
    ['visibility', 'visitor_visits', 'crawler_requests'].map((endpoint) =>
      slice(endpoint, '2026-03-01..2026-03-20'),
    ),
  );
  await world.daily('core.visibility', DAYS, () => ({ visibility: 40 }));
  for (const referrer of ['chatgpt.com', 'perplexity.ai'])
    await world.daily('core.visitor_visits', DAYS, () => ({ referrer, visits: 10 }));
  const month = window('month', '2026-02-01..2026-02-28');
  const asked = Object.entries({ '/pricing': 100, '/guides/espresso': 99, '/': 98, '/about': 97 });
  await world.insert(
    'core.crawler_top_pages',
    asked.map(([request_path, requests]) => ({ ...month, request_path, requests })),
  );
  return world;
}

it('sessions of Google Analytics join by vendor however the source is spelled', async () => {
  await using world = await openRecipeWorld();
  await world.gives(`select date, vendor, sessions_count from (${analytics})`, [
    ['2026-03-01', 'OpenAI', 44],
    ['2026-03-01', 'Perplexity', 17],
    ['2026-03-02', 'OpenAI', 44],
    ['2026-03-02', 'Perplexity', 15],
  ]);
});

it('pages of Search Console join by path; one that no crawler asked for has NULL', async () => {
  await using world = await openRecipeWorld();
  await world.gives(`select path, crawler_requests_count from (${pages})`, [
    ['/', 98],
    ['/pricing', 100],
    ['/guides/espresso', 99],
    ['/careers', null],
  ]);
});

it('deals are credited to the vendor of their referrer or utm_source, and to no other', async () => {
  await using world = await openRecipeWorld();
  await world.gives(`select date, vendor, amount_eur from (${deals})`, [
    ['2026-03-01', 'OpenAI', 4200],
    ['2026-03-02', 'Perplexity', 2500],
  ]);
});
