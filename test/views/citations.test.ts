import { it } from 'vitest';
import { days, openWorld, slice, window } from './world.ts';

const MAY = window('month', '2025-05-01..2025-05-31');
const JUNE = window('month', '2025-06-01..2025-06-30');
const WEEK = window('last_7_days', '2025-06-08..2025-06-14');
const OF_WEEK = [
  { ...WEEK, domain: 'kept.com', total: 20 },
  { ...WEEK, domain: 'new.com', total: 3 },
];

it('cited_domains gives no new or lost domains while the month is running, nor how much it changed', async () => {
  await using world = await openWorld();
  await world.insert('core.domain_citation_totals', [
    { ...MAY, domain: 'acme.com', total: 10 },
    { ...MAY, domain: 'old.com', total: 5 },
    { ...window('month', '2025-06-01..2025-06-20'), domain: 'acme.com', total: 6 },
  ]);
  await world.gives(
    `select days_in_window, is_whole_window, domain_status, previous_citations_count, citations_change
     from cited_domains where window_start = '2025-06-01' and domain = 'acme.com'`,
    [[20, false, null, 10, null]],
  );
});

it('cited_domains compares months of different length per day', async () => {
  await using world = await openWorld();
  await world.insert('core.domain_citation_totals', [
    { ...window('month', '2025-01-01..2025-01-31'), domain: 'acme.com', total: 310 },
    { ...window('month', '2025-02-01..2025-02-28'), domain: 'acme.com', total: 280 },
  ]);
  await world.gives(
    `select citations_change, citations_per_day_change, previous_days_in_window
           from cited_domains where window_start = '2025-02-01'`,
    [[-30, 0, 31]],
  );
});

it('cited_domains compares nothing with a month that began before the first figures', async () => {
  await using world = await openWorld();
  await world.insert('core.domain_citations', [{ date: '2025-05-24', domain: 'acme.com', citations: 2 }]);
  await world.insert('core.domain_citation_totals', [
    { ...MAY, domain: 'acme.com', total: 10 },
    { ...JUNE, domain: 'acme.com', total: 40 },
  ]);
  await world.gives(
    `select is_whole_window, domain_status, previous_citations_count, citations_change
           from cited_domains order by window_start`,
    [
      [false, null, null, null],
      [true, null, null, null],
    ],
  );
});

it('cited_domains adds up the days before a rolling window whose predecessor was never asked for', async () => {
  await using world = await openWorld();
  await world.insert('core.domain_citation_totals', OF_WEEK);
  await world.insert('core.domain_citations', [
    ...days('2025-06-01', 7).map((date) => ({ date, domain: 'kept.com', citations: 2 })),
    { date: '2025-06-03', domain: 'lost.com', citations: 4 },
    { date: '2025-05-31', domain: 'older.com', citations: 4 },
  ]);
  await world.gives(
    'select domain, domain_status, previous_citations_count, citations_change from cited_domains order by domain',
    [
      ['kept.com', 'kept', 14, 6],
      ['lost.com', 'lost', 4, null],
      ['new.com', 'new', null, null],
    ],
  );
  await world.run(`delete from core.domain_citations where date = '2025-06-05'`);
  await world.gives('select domain_status from cited_domains', [[null], [null]]);
});

it('cited_domains gives no new or lost domains where the window before is not stored', async () => {
  await using world = await openWorld();
  await world.insert('core.domain_citation_totals', [
    { ...WEEK, domain: 'a.com', total: 1 },
    { ...window('last_7_days', '2025-06-07..2025-06-13'), domain: 'b.com', total: 1 },
    { ...window('last_7_days', '2025-06-01..2025-06-07'), domain: 'c.com', total: 1 },
  ]);
  await world.gives(
    'select window_start, domain, domain_status from cited_domains order by window_start, domain',
    [
      ['2025-06-01', 'c.com', null],
      ['2025-06-07', 'b.com', null],
      ['2025-06-08', 'a.com', 'new'],
      ['2025-06-08', 'c.com', 'lost'],
    ],
  );
});

it('rank and share trends compare whole periods with the one before that has data, and name it', async () => {
  await using world = await openWorld('2025-07-20', 10);
  await world.insert('core.citation_ranks', [
    { date: '2025-06-01', total_citations: 8, citations_with_rank: 4, average_rank: 3 },
    { date: '2025-06-03', total_citations: 0, citations_with_rank: 0, average_rank: null },
    { date: '2025-06-04', total_citations: 4, citations_with_rank: 1, average_rank: 2 },
  ]);
  await world.insert('core.share_of_voice', [
    { grain: 'month', date: '2025-05-01', share_of_voice: 25 },
    { grain: 'month', date: '2025-06-01', share_of_voice: 50, change: 20 },
    { grain: 'month', date: '2025-07-01', share_of_voice: 75 },
    { date: '2025-06-15', share_of_voice: 0 },
  ]);
  await world.gives(
    'select date, ranked_citations_pct, previous_date, average_citation_rank_change from citation_rank_trend order by date',
    [
      ['2025-06-01', 50, null, null],
      ['2025-06-03', null, '2025-06-01', null],
      ['2025-06-04', 25, '2025-06-03', null],
    ],
  );
  await world.gives(
    `select date, previous_date, change_points, reported_change_points, is_final
           from share_of_voice_trend where grain = 'month' order by date`,
    [
      ['2025-05-01', null, null, null, true],
      ['2025-06-01', '2025-05-01', 25, 20, true],
      ['2025-07-01', '2025-06-01', null, null, false],
    ],
  );
});

it('model_sources keeps models that the list lacks and flags deprecated ones', async () => {
  await using world = await openWorld();
  const gpt = { model_id: 'openai_gpt', label: 'GPT', provider_name: 'OpenAI' };
  await world.insert('core.models', [{ ...gpt, deprecated: true }]);
  await world.insert('core.llm_sources', [
    { ...MAY, llm: 'openai_gpt', provider: 'openai', model: 'gpt', total_citations: 3 },
    { ...MAY, llm: 'new_one', provider: 'new', model: 'one', total_citations: 1 },
  ]);
  await world.gives(
    'select model_name, provider_name, is_known_model, is_deprecated_model, citations_share_pct, days_in_window, is_whole_window from model_sources order by model_name',
    [
      ['GPT', 'OpenAI', true, true, 75, 31, true],
      ['one', 'new', false, false, 25, 31, true],
    ],
  );
});

it.each([
  { truncated: true, lost: ['lost.com'] },
  // Nothing was cut off: a domain that is not listed was not cited.
  { truncated: false, lost: ['few.com', 'lost.com'] },
])(
  'cited_domains compares a cut list with as many domains of the days before: $truncated',
  async ({ truncated, lost }) => {
    await using world = await openWorld('2025-06-15');
    const asked = { grain: null, sync_day: '2025-06-15' };
    await world.insert('meta.slices', [
      slice('domain_citation_totals', '2025-06-08..2025-06-14', { ...WEEK, ...asked, truncated }),
    ]);
    await world.insert('core.domain_citation_totals', OF_WEEK);
    for (const [domain, citations] of Object.entries({ 'kept.com': 9, 'lost.com': 5, 'few.com': 1 }))
      await world.daily('core.domain_citations', days('2025-06-01', 7), () => ({ domain, citations }));
    const domains = "select domain from cited_domains where domain_status = 'lost' order by domain";
    await world.gives(
      domains,
      lost.map((domain) => [domain]),
    );
  },
);
