import { it } from 'vitest';
import { days, openWorld, slice } from './world.ts';

it.each([
  { truncated: true, lost: ['lost.com'] },
  // Nothing was cut off: a domain that is not listed was not cited.
  { truncated: false, lost: ['few.com', 'lost.com'] },
])(
  'cited_domains compares a cut list with as many domains of the days before: $truncated',
  async ({ truncated, lost }) => {
    await using world = await openWorld('2025-06-15');
    const last = { window_kind: 'last_7_days', window_start: '2025-06-08', window_end: '2025-06-14' };
    await world.insert('meta.slices', [
      slice('domain_citation_totals', '2025-06-08..2025-06-14', {
        ...last,
        grain: null,
        sync_day: '2025-06-15',
        truncated,
      }),
    ]);
    await world.insert('core.domain_citation_totals', [
      { ...last, domain: 'kept.com', total: 20 },
      { ...last, domain: 'new.com', total: 3 },
    ]);
    await world.insert(
      'core.domain_citations',
      days('2025-06-01', 7).flatMap((date) => [
        { date, domain: 'kept.com', citations: 9 },
        { date, domain: 'lost.com', citations: 5 },
        { date, domain: 'few.com', citations: 1 },
      ]),
    );
    await world.gives(
      "select domain from cited_domains where domain_status = 'lost' order by domain",
      lost.map((domain) => ({ domain })),
    );
  },
);
