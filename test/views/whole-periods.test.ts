import { it } from 'vitest';
import { days, openWorld, slice, window } from './world.ts';

const DATES = days('2025-06-01', 14);

it('a change against a period that is not whole is NULL, and a mean leaves such days out', async () => {
  await using world = await openWorld('2025-06-20', 1);
  const tables = {
    share_of_voice: { total_responses: 100, brand_mentions: 50, share_of_voice: 50 },
    citation_ranks: { average_rank: 2, total_citations: 5 },
    domain_citations: { domain: 'acme.com', citations: 5 },
    visibility: { visibility: 50 },
    sentiment: { sentiment: 50 },
  };
  for (const [table, figures] of Object.entries(tables)) {
    // The 10th was asked for on that day alone.
    const asked = ['2025-06-01..2025-06-10', '2025-06-11..2025-06-20'];
    await world.insert(
      'meta.slices',
      asked.map((span) => slice(table, span)),
    );
    await world.daily(`core.${table}`, DATES, (_, date) =>
      date === '2025-06-10' && 'visibility' in figures ? { visibility: 1 } : figures,
    );
  }
  for (const [view, change] of [
    ['share_of_voice_trend', 'change_points'],
    ['citation_rank_trend', 'average_citation_rank_change'],
    ['domain_citation_trend', 'citations_change'],
  ])
    await world.gives(
      `select date, ${change} from main.${view} where date between '2025-06-08' and '2025-06-13' order by date`,
      [
        ['2025-06-08', 0],
        ['2025-06-09', 0],
        ['2025-06-11', null],
        ['2025-06-12', 0],
        ['2025-06-13', 0],
      ],
    );
  await world.gives(
    `select visibility_7_day_mean, visibility_7_day_change from main.visibility_with_events where date = '2025-06-14'`,
    [[50, 0]],
  );
});

it('a month that began before the first answers is not put beside the mentions of the next one', async () => {
  await using world = await openWorld('2025-07-20');
  await world.daily('core.share_of_voice', days('2025-05-11', 60), () => ({ total_responses: 10 }));
  await world.insert(
    'core.competitor_mentions',
    ['2025-05-01..2025-05-31', '2025-06-01..2025-06-30'].map((span, index) => ({
      ...window('month', span),
      competitor: 'Rival',
      count: 5 + index,
      percentage: 50,
    })),
  );
  await world.gives(
    'select window_start, mention_count, previous_mention_count, previous_mention_share_pct from main.competitor_mention_trend',
    [['2025-06-01', 6, null, null]],
  );
});
