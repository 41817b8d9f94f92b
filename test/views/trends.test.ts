import { it } from 'vitest';
import { days, openWorld, slice, window } from './world.ts';

const MAY = window('month', '2025-05-01..2025-05-31');
const JUNE = window('month', '2025-06-01..2025-06-20');
const WEEK = window('last_7_days', '2025-06-08..2025-06-14');
const WEEK_BEFORE = window('last_7_days', '2025-06-01..2025-06-07');

it('heatmap and crawler page trends compare each window with the one before, except a running month', async () => {
  await using world = await openWorld('2025-06-20');
  await world.insert('core.brands', [{ brand_id: 'own', name: 'Acme', relation: 'SELF' }]);
  const cell = { competitor_domain: '', model_id: 'gpt' };
  await world.insert('core.competitor_heatmap', [
    { ...cell, ...MAY, competitor_name: 'Acme', visibility: 30 },
    { ...cell, ...JUNE, competitor_name: 'Acme', visibility: 20 },
    { ...cell, ...WEEK_BEFORE, competitor_name: 'Rival', visibility: 40 },
    { ...cell, ...WEEK, competitor_name: 'Rival', visibility: 45 },
    { ...cell, ...WEEK, competitor_name: 'Acme', visibility: 30 },
  ]);
  await world.gives(
    `select window_start, days_in_window, is_whole_window, competitor_name as name, gap_points,
             previous_visibility_pct, change_points
           from competitor_heatmap_trend where window_start >= '2025-06-01' order by window_kind, window_start, name`,
    [
      ['2025-06-01', 7, true, 'Rival', null, null, null],
      ['2025-06-08', 7, true, 'Acme', 0, null, null],
      ['2025-06-08', 7, true, 'Rival', -15, 40, 5],
      ['2025-06-01', 20, false, 'Acme', 0, 30, null],
    ],
  );
  await world.insert('core.crawler_top_pages', [
    { ...MAY, request_path: '/', requests: 9 },
    { ...JUNE, request_path: '/', requests: 5 },
    { ...WEEK_BEFORE, request_path: '/', requests: 4 },
    { ...WEEK, request_path: '/', requests: 6 },
  ]);
  await world.gives(
    `select window_kind as kind, previous_crawler_requests_count, crawler_requests_change,
             crawler_requests_per_day_change
           from crawler_page_trend where previous_crawler_requests_count is not null order by kind`,
    [
      ['last_7_days', 4, 2, 6 / 7 - 4 / 7],
      ['month', 9, null, null],
    ],
  );
  await world.insert('core.crawler_requests', [{ date: '2025-06-05', crawler: 'GPTBot', requests: 4 }]);
  await world.gives(
    'select distinct window_start, is_whole_window, crawler_requests_change from crawler_page_trend order by 1, 2',
    [
      ['2025-05-01', false, null],
      ['2025-06-01', false, null],
      ['2025-06-08', true, null],
    ],
  );
});

it('prompt_trend puts the sync before beside each state of a prompt', async () => {
  await using world = await openWorld();
  await world.insert('core.monitors', [{ monitor_id: 'm', name: 'Shoes' }]);
  await world.insert('core.prompts', [{ prompt_id: 'a', prompt: 'best shoes?', monitor_id: 'm' }]);
  await world.insert('core.prompt_snapshots', [
    { prompt_id: 'a', date: '2025-06-01', amount_of_responses: 10, average_visibility: 40 },
    { prompt_id: 'a', date: '2025-06-04', amount_of_responses: 16, average_visibility: 42 },
  ]);
  await world.gives(
    `select date, prompt, monitor_name, previous_date, average_visibility_change, new_responses_count
           from prompt_trend order by date`,
    [
      ['2025-06-01', 'best shoes?', 'Shoes', null, null, null],
      ['2025-06-04', 'best shoes?', 'Shoes', '2025-06-01', 2, 6],
    ],
  );
});

it('domain_citation_trend puts your domain with its subdomains and the period before next to each domain', async () => {
  await using world = await openWorld('2025-06-03');
  await world.insert('core.brands', [{ brand_id: 'own', domain: 'https://www.Acme.com/', relation: 'SELF' }]);
  await world.insert('core.domain_citations', [
    { date: '2025-06-01', domain: 'acme.com', citations: 2 },
    { date: '2025-06-01', domain: 'blog.acme.com', citations: 1 },
    { date: '2025-06-01', domain: 'notacme.com', citations: 9 },
    { date: '2025-06-02', domain: 'notacme.com', citations: 10 },
    { date: '2025-06-03', domain: 'notacme.com', citations: 2 },
    { date: '2025-06-02', domain: 'acme.com', citations: 2, scope: 'model', scope_id: 'm' },
    { date: '2025-06-02', domain: 'notacme.com', citations: 6, scope: 'model', scope_id: 'm' },
  ]);
  await world.gives(
    `select date, domain, is_own_domain, listed_citations_share_pct, own_citations_share_pct,
             previous_citations_count, citations_change, is_whole_day
           from domain_citation_trend order by scope desc, date, domain`,
    [
      ['2025-06-01', 'acme.com', true, (100 * 2) / 12, 25, null, null, true],
      ['2025-06-01', 'blog.acme.com', true, (100 * 1) / 12, 25, null, null, true],
      ['2025-06-01', 'notacme.com', false, 75, 25, null, null, true],
      ['2025-06-02', 'notacme.com', false, 100, null, 9, 1, true],
      ['2025-06-03', 'notacme.com', false, 100, null, 10, null, false],
      ['2025-06-02', 'acme.com', true, 25, 25, null, null, true],
      ['2025-06-02', 'notacme.com', false, 75, 25, null, null, true],
    ],
  );
});

it('domain_citation_trend has the last day with a figure of a domain that later lists are too short for', async () => {
  await using world = await openWorld('2025-06-11');
  for (const [domain, count] of [
    ['kept.com', 10],
    ['gone.com', 5],
  ] as const)
    await world.daily('core.domain_citations', days('2025-06-01', count), () => ({ domain, citations: 1 }));
  const cut = { truncated: true, status: 'truncated' };
  await world.insert('meta.slices', [
    slice('domain_citations', '2025-06-01..2025-06-05', cut),
    slice('domain_citations', '2025-06-03..2025-06-10', cut),
  ]);
  // Nothing asked for 1 and 2 June again, so nothing was missed there.
  await world.gives(
    'select domain, date, last_told_on from domain_citation_trend where last_told_on is not null order by date',
    days('2025-06-03', 3).map((date) => ['gone.com', date, '2025-06-05']),
  );
});
