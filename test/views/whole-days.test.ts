import { expect, it } from 'vitest';
import { action, configure, days, inWorld, prompts, slice } from './world.ts';

const WHOLE = "select date, is_whole_day from daily_kpis where date >= '2025-06-03' order by date";

it('the day of the sync is not whole, and an hourly look at events does not make it so', async () => {
  await inWorld(async (world) => {
    await configure(world, '2025-06-05');
    await world.insert('meta.slices', [
      slice('visibility', '2025-06-01..2025-06-04'),
      slice('events', '2025-06-01..2025-06-05'),
    ]);
    expect(await world.rows(WHOLE)).toEqual([
      { date: '2025-06-03', is_whole_day: true },
      { date: '2025-06-04', is_whole_day: false },
      { date: '2025-06-05', is_whole_day: false },
    ]);
  });
});

it('a day is not whole where one series was asked for on that day alone, however often others were since', async () => {
  await inWorld(async (world) => {
    await configure(world, '2025-06-05');
    await world.insert('meta.slices', [
      slice('visibility', '2025-06-01..2025-06-05'),
      slice('citation_ranks', '2025-06-01..2025-06-03'),
      // Old days that are asked for again do not make it whole.
      slice('citation_ranks', '2025-05-01..2025-05-31', { sync_day: '2025-06-05' }),
    ]);
    const dates = ['2025-06-02', '2025-06-03', '2025-06-04'];
    await world.insert(
      'core.visibility',
      dates.map((date) => ({ date, visibility: 1 })),
    );
    await world.insert(
      'core.citation_ranks',
      dates.slice(0, 2).map((date) => ({ date, total_citations: 1 })),
    );
    const whole = [
      { date: '2025-06-02', is_whole_day: true },
      { date: '2025-06-03', is_whole_day: false },
      { date: '2025-06-04', is_whole_day: true },
    ];
    const from = (view: string): string =>
      `select date, is_whole_day from ${view} where date between '2025-06-02' and '2025-06-04' order by date`;
    expect(await world.rows(from('daily_kpis'))).toEqual(whole);
    expect(await world.rows(from('citation_rank_trend'))).toEqual(whole.slice(0, 2));
    expect(await world.rows(from('visibility_with_events'))).toEqual(
      dates.map((date) => ({ date, is_whole_day: true })),
    );
  });
});

it('traffic of a day that was asked for on that day alone is not whole, and that of another source is', async () => {
  await inWorld(async (world) => {
    const date = '2025-06-04';
    await configure(world, '2025-06-05');
    await world.insert('meta.slices', [
      slice('visitor_visits', '2025-06-01..2025-06-05'),
      slice('crawler_requests', '2025-06-01..2025-06-04'),
    ]);
    await world.insert('core.crawler_requests', [{ date, crawler: 'GPTBot', requests: 1 }]);
    await world.insert('core.visitor_visits', [{ date, referrer: 'chatgpt.com', visits: 1 }]);
    expect(await world.rows('select source_kind, is_whole_day from ai_traffic order by 1')).toEqual([
      { source_kind: 'crawler', is_whole_day: false },
      { source_kind: 'visitor', is_whole_day: true },
    ]);
    expect(await world.rows('select distinct is_whole_day from crawler_visitor_funnel')).toEqual([
      { is_whole_day: false },
    ]);
  });
});

it('a month that was asked for on its last day alone is no whole window', async () => {
  await inWorld(async (world) => {
    await configure(world, '2025-07-03');
    const window = { grain: null, window_kind: 'month' };
    const may = { window_kind: 'month', window_start: '2025-05-01', window_end: '2025-05-31' };
    const june = { window_kind: 'month', window_start: '2025-06-01', window_end: '2025-06-30' };
    await world.insert('meta.slices', [
      slice('visibility', '2025-04-01..2025-07-03'),
      slice('crawler_top_pages', '2025-05-01..2025-05-31', { ...window, sync_day: '2025-06-02' }),
      slice('crawler_top_pages', '2025-06-01..2025-06-30', window),
    ]);
    await world.insert(
      'core.crawler_top_pages',
      [may, june].map((one) => ({ ...one, request_path: '/', requests: 31 })),
    );
    expect(
      await world.rows(
        'select window_start, is_whole_window, crawler_requests_change as change from crawler_page_trend order by 1',
      ),
    ).toEqual([
      { window_start: '2025-05-01', is_whole_window: true, change: null },
      { window_start: '2025-06-01', is_whole_window: false, change: null },
    ]);
  });
});

it('the day of the sync stays what it was while the next sync fails for the project', async () => {
  await inWorld(async (world) => {
    await configure(world, '2025-06-05');
    await world.insert('meta.slices', [
      slice('visibility', '2025-06-01..2025-06-04'),
      slice('visibility', '2025-06-01..2025-06-05', { status: 'failed', covered_end: null }),
    ]);
    expect(await world.rows(WHOLE)).toEqual([
      { date: '2025-06-03', is_whole_day: true },
      { date: '2025-06-04', is_whole_day: false },
    ]);
  });
});

it('the day of the sync makes its week and its month partial', async () => {
  await inWorld(async (world) => {
    await configure(world, '2025-06-18');
    await world.insert(
      'core.share_of_voice',
      [
        ['day', '2025-06-17'],
        ['day', '2025-06-18'],
        ['week', '2025-06-09'],
        ['week', '2025-06-16'],
        ['month', '2025-05-01'],
        ['month', '2025-06-01'],
      ].map(([grain, date]) => ({ grain, date, share_of_voice: 1 })),
    );
    expect(
      await world.rows('select grain, is_whole_day as whole from share_of_voice_trend order by grain, date'),
    ).toEqual(['day', 'month', 'week'].flatMap((grain) => [true, false].map((whole) => ({ grain, whole }))));
  });
});

it('a row of one monitor has the actions of the project and the prompt events of its own monitor', async () => {
  await inWorld(async (world) => {
    const date = '2025-06-01';
    const other = { event_id: 'prompts_created:2025-06-01:n', monitor_id: 'n', monitor_name: 'Hats' };
    await world.insert('meta.slices', [slice('events', '2025-06-01..2025-06-02')]);
    await world.insert(
      'core.visibility',
      ['m', 'n', 'quiet'].flatMap((scope_id) =>
        days(date, 2).map((day) => ({ date: day, scope: 'monitor', scope_id, visibility: 1 })),
      ),
    );
    await world.insert('core.events', [
      action('1', date),
      prompts('prompts_created', date, 5),
      { ...prompts('prompts_created', date, 7), ...other },
    ]);
    expect(
      await world.rows(
        `select scope_id, events_count as events, prompts_created as created, event_titles as titles
           from visibility_with_events where date = '${date}' order by scope_id`,
      ),
    ).toEqual([
      { scope_id: 'm', events: 2, created: 5, titles: '5 prompts created in Shoes; Action 1' },
      { scope_id: 'n', events: 2, created: 7, titles: '7 prompts created in Hats; Action 1' },
      { scope_id: 'quiet', events: 1, created: 0, titles: 'Action 1' },
    ]);
    expect(
      await world.rows(
        `select distinct events_count as events from visibility_with_events where date <> '${date}'`,
      ),
    ).toEqual([{ events: 0 }]);
  });
});

it.each(['failed', 'suspicious'])(
  'a month that was asked for on its last day is no whole one because the night after %s',
  async (status) => {
    await inWorld(async (world) => {
      await configure(world, '2025-07-01');
      const june = { window_kind: 'month', window_start: '2025-06-01', window_end: '2025-06-30' };
      await world.insert('meta.slices', [
        slice('visibility', '2025-04-01..2025-07-01'),
        // It took the place of the answer of June 30th.
        slice('crawler_top_pages', '2025-06-01..2025-06-30', {
          grain: null,
          window_kind: 'month',
          sync_day: '2025-07-01',
          status,
          covered_end: null,
        }),
      ]);
      await world.insert('core.crawler_top_pages', [{ ...june, request_path: '/', requests: 31 }]);
      expect(await world.rows('select is_whole_window from crawler_page_trend')).toEqual([
        { is_whole_window: false },
      ]);
    });
  },
);

it('a day whose events were asked for before it was over is no whole one while they fail', async () => {
  await inWorld(async (world) => {
    await configure(world, '2025-06-06');
    await world.insert('meta.slices', [
      slice('visibility', '2025-06-01..2025-06-06'),
      slice('events', '2025-06-01..2025-06-05', { grain: null }),
      slice('events', '2025-06-02..2025-06-06', { grain: null, status: 'failed', covered_end: null }),
    ]);
    const days = "where date between '2025-06-04' and '2025-06-05' order by date";
    const expected = [
      { date: '2025-06-04', is_whole_day: true },
      { date: '2025-06-05', is_whole_day: false },
    ];
    expect(await world.rows(`select date, is_whole_day from event_days ${days}`)).toEqual(expected);
    expect(await world.rows(`select date, is_whole_day from daily_kpis ${days}`)).toEqual(expected);
  });
});

it('the day of a sync is not settled by a look-back of 0', async () => {
  await inWorld(async (world) => {
    await configure(world, '2025-06-06', 0);
    await world.insert('meta.expected_series', [
      { endpoint: 'visibility', grain: 'day', start_date: '2025-06-03' },
    ]);
    await world.insert('meta.slices', [
      slice('visibility', '2025-06-01..2025-06-04'),
      slice('visibility', '2025-06-05..2025-06-06'),
    ]);
    expect(
      await world.rows(
        "select date, status from sync_series_coverage where date >= '2025-06-03' order by date",
      ),
    ).toEqual([
      { date: '2025-06-03', status: 'settled' },
      { date: '2025-06-04', status: 'partial' },
      { date: '2025-06-05', status: 'settled' },
    ]);
  });
});

it('answers that failed move the first partial day of a series neither on nor away', async () => {
  await inWorld(async (world) => {
    await configure(world, '2025-06-20');
    const failed = { status: 'failed', covered_end: null };
    await world.insert('meta.slices', [
      slice('share_of_voice', '2025-06-01..2025-06-20'),
      slice('visibility', '2025-06-01..2025-06-05'),
      slice('visibility', '2025-06-04..2025-06-10', { ...failed, sync_day: '2025-06-20' }),
      slice('visibility', '2025-06-11..2025-06-20', failed),
      // The answer of June 5th was asked for again on that day, which failed.
      slice('sentiment', '2025-06-01..2025-06-05', failed),
    ]);
    await world.insert('core.visibility', [
      { date: '2025-06-04', visibility: 1 },
      { date: '2025-06-05', visibility: 1 },
    ]);
    await world.insert('core.sentiment', [{ date: '2025-06-05', sentiment: 1 }]);
    expect(await world.rows('select date, is_whole_day from visibility_with_events order by date')).toEqual([
      { date: '2025-06-04', is_whole_day: true },
      { date: '2025-06-05', is_whole_day: false },
    ]);
    expect(await world.rows('select date, is_whole_day from sentiment_with_events order by date')).toEqual([
      { date: '2025-06-05', is_whole_day: false },
    ]);
  });
});
