import { expect, it } from 'vitest';
import type { Config } from '../../src/config/config.ts';
import { addDays, toDay } from '../../src/day.ts';
import { openRig, type Rig } from './rig.ts';

const SUMMER = {
  world: 'small',
  today: '2026-07-14',
  startDate: '2026-06-20',
  change: (config: Config): Config => ({
    ...config,
    sync: { ...config.sync, scopes: {}, windows: ['month', 'last_7_days'] },
  }),
} as const;
const SERIES = ['response_sentiment', 'domain_citations'];
const WINDOWS = ['response_summary', 'domain_citation_totals'];
const TABLES = [...SERIES, ...WINDOWS, 'citation_totals'];

async function expectSame(rig: Rig, plain: Rig): Promise<void> {
  for (const table of TABLES) {
    const sql = `select * exclude (_run_id, _changed_at) from core.${table} order by all`;
    expect(await rig.rows(sql), table).toEqual(await plain.rows(sql));
  }
}

it('what a path shows of endDate holds for its windows, and for windows that cannot show it', async () => {
  await using rig = await openRig({ ...SUMMER, endDateInclusive: false });
  await using plain = await openRig(SUMMER);
  const endpoints = [...SERIES, ...WINDOWS];
  // Only windows at first: nothing shows whether the end day counts.
  expect(await rig.sync({ endpoints: WINDOWS })).toMatchObject({ exit_code: 0 });
  // Its path shows it; the others then ask for one day more at once, and show nothing.
  rig.simulator.resetRequests();
  expect(await rig.sync({ endpoints: ['domain_citations'] })).toMatchObject({ exit_code: 0 });
  const days = rig.simulator.requests.map(({ query }) =>
    ['startDate', 'endDate'].map((name) => new Map(query).get(name)),
  );
  // A probe of a day or two could lack domains that the whole has, and look suspicious.
  expect(days.filter(([start]) => start !== undefined)).toEqual([
    ['2026-06-20', '2026-07-14'],
    ['2026-06-20', '2026-07-13'],
    ['2026-07-14', '2026-07-15'],
  ]);
  rig.simulator.resetRequests();
  expect(await rig.sync({ endpoints })).toMatchObject({ exit_code: 0, warnings: [] });
  await plain.sync({ endpoints });
  const learned = `select endpoint, end_inclusive from meta.limits where end_inclusive is not null order by 1`;
  expect(await rig.rows(learned)).toEqual(
    ['domain_citation_totals', 'domain_citations'].map((endpoint) => ({
      endpoint,
      end_inclusive: false,
    })),
  );
  const today = rig.simulator.today;
  // The day of the sync too: it is asked for again as soon as it is known that the first request left it out.
  await expectSame(rig, plain);
  expect(await rig.rows('select max(window_end) as newest from core.response_summary')).toEqual([
    { newest: today },
  ]);

  for (const one of [rig, plain]) {
    one.simulator.setToday(addDays(today, 1));
    one.simulator.resetRequests();
    expect(await one.sync({ endpoints })).toMatchObject({ exit_code: 0, warnings: [] });
  }
  await expectSame(rig, plain);
  expect(rig.simulator.requests.length).toBe(plain.simulator.requests.length);
});

it('a server that counts the end day is never probed once its answers show it', async () => {
  await using rig = await openRig(SUMMER);
  await rig.sync({ endpoints: SERIES });
  expect(rig.simulator.requests.filter(({ path }) => path.includes('/v1/')).length).toBe(SERIES.length);
  rig.simulator.resetRequests();
  await rig.sync({ endpoints: WINDOWS });
  const ends = rig.simulator.requests.flatMap(({ query }) => query.filter(([name]) => name === 'endDate'));
  expect([...new Set(ends.map(([, day]) => day))].sort()).toEqual(['2026-06-30', '2026-07-13', '2026-07-14']);
});

it('the first run of a server that leaves out the end day has the sync day too, and asks nothing twice', async () => {
  const change = (config: Config): Config => ({
    ...config,
    sync: { ...config.sync, scopes: { visibility: ['project', 'model'] }, windows: ['month'] },
  });
  // The model list calls a model deprecated that only the heatmap shows.
  const settings = { ...SUMMER, world: 'hostile', change } as const;
  await using rig = await openRig({ ...settings, endDateInclusive: false });
  await using plain = await openRig(settings);
  const endpoints = ['models', 'visibility', 'share_of_voice', 'events', 'competitor_heatmap'];
  await rig.sync({ endpoints });
  await plain.sync({ endpoints });
  for (const table of ['visibility', 'share_of_voice', 'events']) {
    const sql = `select * exclude (_run_id, _changed_at) from core.${table} order by all`;
    expect(await rig.rows(sql), table).toEqual(await plain.rows(sql));
  }
  const asked = rig.simulator.requests
    .filter(({ path }) => path.includes('visibility-time-series'))
    .map(({ projectId, query }) => JSON.stringify([projectId, query]));
  expect(asked).toEqual([...new Set(asked)]);
});

it('weeks and months of an endpoint that is asked by no day have their last day on a server that leaves it out', async () => {
  const change = (config: Config): Config => ({
    ...config,
    sync: {
      ...config.sync,
      scopes: {},
      endpoints: { visibility: { grains: ['week', 'month'] }, brand_visibility: { grains: ['week'] } },
    },
  });
  const settings = { ...SUMMER, startDate: '2025-09-10', change } as const;
  await using rig = await openRig({ ...settings, endDateInclusive: false });
  await using plain = await openRig(settings);
  // Only the others show that the end day is left out, in the same round.
  const endpoints = ['visibility', 'brand_visibility', 'sentiment', 'response_sentiment'];
  for (const night of [0, 1]) {
    for (const one of [rig, plain]) {
      one.simulator.setToday(addDays(toDay(SUMMER.today), night));
      expect(await one.sync({ endpoints })).toMatchObject({ exit_code: 0 });
    }
    for (const table of ['visibility', 'brand_visibility', 'sentiment']) {
      const sql = `select * exclude (_run_id, _changed_at) from core.${table} order by all`;
      expect(await rig.rows(sql), `${table}, night ${String(night)}`).toEqual(await plain.rows(sql));
    }
  }
});

it('traffic that is asked day by day is whole on a server that leaves out the end day: one empty day is not "not enabled"', async () => {
  const crawlers = { endpoints: ['crawler_requests'] };
  const change = (config: Config): Config => ({
    ...config,
    sync: {
      ...config.sync,
      scopes: {},
      lookbackDays: 2,
      endpoints: { crawler_requests: { maxWindowDays: 1 } },
    },
  });
  await using rig = await openRig({ ...SUMMER, endDateInclusive: false, change });
  await using plain = await openRig({ ...SUMMER, change });
  await rig.sync(crawlers);
  await plain.sync(crawlers);
  // Nothing shows it in this run, so its own day, which is partial, follows in the next one.
  const sql = `select * exclude (_run_id, _changed_at) from core.crawler_requests where date < '${rig.simulator.today}' order by all`;
  const truth = await plain.rows(sql);
  expect(truth.length).toBeGreaterThan(20);
  expect(await rig.rows(sql)).toEqual(truth);
});

it('the day of the sync is not missing where its window has that day alone', async () => {
  const crawlers = { endpoints: ['crawler_requests', 'visibility'] };
  // 24 days and one.
  const change = (config: Config): Config => ({
    ...config,
    sync: { ...config.sync, scopes: {}, endpoints: { crawler_requests: { maxWindowDays: 24 } } },
  });
  await using rig = await openRig({ ...SUMMER, endDateInclusive: false, change });
  await using plain = await openRig({ ...SUMMER, change });
  await rig.sync(crawlers);
  await plain.sync(crawlers);
  const sql = 'select * exclude (_run_id, _changed_at) from core.crawler_requests order by all';
  const truth = await plain.rows(sql);
  expect(truth.length).toBeGreaterThan(20);
  expect(await rig.rows(sql)).toEqual(truth);
});

it('what a server refused is not asked again once it shows that it leaves out the end day', async () => {
  await using rig = await openRig({ ...SUMMER, endDateInclusive: false });
  rig.simulator.override('/analytics/crawlers/trend', () => ({
    status: 403,
    body: { error: 'Forbidden', message: 'Not part of your plan.', details: {} },
  }));
  expect(
    await rig.sync({ endpoints: ['crawler_requests', 'visibility', 'sentiment', 'domain_citations'] }),
  ).toMatchObject({
    exit_code: 3,
  });
  const asked = rig.simulator.requests.filter(({ path }) => path.endsWith('/analytics/crawlers/trend'));
  expect(asked).toHaveLength(1);
});
