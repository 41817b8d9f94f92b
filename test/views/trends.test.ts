import { it } from 'vitest';
import { days, openWorld, slice } from './world.ts';
import { table } from '../support/table.ts';

const window = (kind: string, start: string, end: string): Record<string, unknown> => ({
  window_kind: kind,
  window_start: start,
  window_end: end,
});
const MAY = window('month', '2025-05-01', '2025-05-31');
const JUNE = window('month', '2025-06-01', '2025-06-20');
const WEEK = window('last_7_days', '2025-06-08', '2025-06-14');
const WEEK_BEFORE = window('last_7_days', '2025-06-01', '2025-06-07');

it('heatmap and crawler page trends compare each window with the one before, except a running month', async () => {
  await using world = await openWorld('2025-06-20');
  await world.insert('core.brands', [{ brand_id: 'own', name: 'Acme', relation: 'SELF' }]);
  const cell = (where: object, name: string, visibility: number): Record<string, unknown> => ({
    ...where,
    competitor_name: name,
    competitor_domain: '',
    model_id: 'gpt',
    visibility,
  });
  await world.insert('core.competitor_heatmap', [
    cell(MAY, 'Acme', 30),
    cell(JUNE, 'Acme', 20),
    cell(WEEK_BEFORE, 'Rival', 40),
    cell(WEEK, 'Rival', 45),
    cell(WEEK, 'Acme', 30),
  ]);
  await world.gives(
    `select window_start, days_in_window as days, is_whole_window as whole, competitor_name as name, gap_points as gap,
             previous_visibility_pct as before, change_points as change
           from competitor_heatmap_trend where window_start >= '2025-06-01' order by window_kind, window_start, name`,
    table(
      'window_start days whole name gap before change',
      ['2025-06-01', 7, true, 'Rival', null, null, null],
      ['2025-06-08', 7, true, 'Acme', 0, null, null],
      ['2025-06-08', 7, true, 'Rival', -15, 40, 5],
      ['2025-06-01', 20, false, 'Acme', 0, 30, null],
    ),
  );
  const page = (where: object, requests: number): Record<string, unknown> => ({
    ...where,
    request_path: '/',
    requests,
    unique_crawlers: 1,
    crawlers: ['GPTBot'],
  });
  await world.insert('core.crawler_top_pages', [
    page(MAY, 9),
    page(JUNE, 5),
    page(WEEK_BEFORE, 4),
    page(WEEK, 6),
  ]);
  await world.gives(
    `select window_kind as kind, previous_crawler_requests_count as before, crawler_requests_change as change,
             crawler_requests_per_day_change as per_day
           from crawler_page_trend where previous_crawler_requests_count is not null order by kind`,
    [
      { kind: 'last_7_days', before: 4, change: 2, per_day: 6 / 7 - 4 / 7 },
      { kind: 'month', before: 9, change: null, per_day: null },
    ],
  );
  await world.insert('core.crawler_requests', [{ date: '2025-06-05', crawler: 'GPTBot', requests: 4 }]);
  await world.gives(
    'select distinct window_start, is_whole_window as whole, crawler_requests_change as change from crawler_page_trend order by 1, 2',
    [
      { window_start: '2025-05-01', whole: false, change: null },
      { window_start: '2025-06-01', whole: false, change: null },
      { window_start: '2025-06-08', whole: true, change: null },
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
    `select date, prompt, monitor_name, previous_date, average_visibility_change as change, new_responses_count as fresh
           from prompt_trend order by date`,
    table(
      'date prompt monitor_name previous_date change fresh',
      ['2025-06-01', 'best shoes?', 'Shoes', null, null, null],
      ['2025-06-04', 'best shoes?', 'Shoes', '2025-06-01', 2, 6],
    ),
  );
});

it('domain_citation_trend puts your domain with its subdomains and the period before next to each domain', async () => {
  await using world = await openWorld('2025-06-03');
  await world.insert('core.brands', [{ brand_id: 'own', domain: 'https://www.Acme.com/', relation: 'SELF' }]);
  const row = (date: string, domain: string, citations: number): Record<string, unknown> => ({
    date,
    domain,
    citations,
  });
  await world.insert('core.domain_citations', [
    row('2025-06-01', 'acme.com', 2),
    row('2025-06-01', 'blog.acme.com', 1),
    row('2025-06-01', 'notacme.com', 9),
    row('2025-06-02', 'notacme.com', 10),
    row('2025-06-03', 'notacme.com', 2),
  ]);
  await world.gives(
    `select date, domain, is_own_domain as own, listed_citations_share_pct as share, own_citations_share_pct as own_share,
             previous_citations_count as before, citations_change as change, is_whole_day as whole
           from domain_citation_trend order by date, domain`,
    table(
      'date domain own share own_share before change whole',
      ['2025-06-01', 'acme.com', true, (100 * 2) / 12, 25, null, null, true],
      ['2025-06-01', 'blog.acme.com', true, (100 * 1) / 12, 25, null, null, true],
      ['2025-06-01', 'notacme.com', false, 75, 25, null, null, true],
      ['2025-06-02', 'notacme.com', false, 100, null, 9, 1, true],
      ['2025-06-03', 'notacme.com', false, 100, null, 10, null, false],
    ),
  );
});

it('domain_citation_trend has the last day with a figure of a domain that later lists are too short for', async () => {
  await using world = await openWorld('2025-06-11');
  const rows = (domain: string, count: number): Record<string, unknown>[] =>
    days('2025-06-01', count).map((date) => ({ date, domain, citations: 1 }));
  await world.insert('core.domain_citations', [...rows('kept.com', 10), ...rows('gone.com', 5)]);
  const cut = { truncated: true, status: 'truncated' };
  await world.insert('meta.slices', [
    slice('domain_citations', '2025-06-01..2025-06-05', cut),
    slice('domain_citations', '2025-06-03..2025-06-10', cut),
  ]);
  const told = "select domain, date from domain_citation_trend where last_told_on = date '2025-06-05'";
  // Nothing asked for 1 and 2 June again, so nothing was missed there.
  await world.gives(
    `${told} order by date`,
    days('2025-06-03', 3).map((date) => ({ domain: 'gone.com', date })),
  );
  await world.gives('select count(last_told_on) as told from domain_citation_trend', [{ told: 3 }]);
});
