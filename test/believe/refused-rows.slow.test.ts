import { expect, it } from 'vitest';
import { toDay } from '../../src/day.ts';
import { expectHealed, openNights, PROJECT_ONLY } from './nights.ts';
import { mapFigures, setDay, SHAPES, withoutDays } from './series-bodies.ts';

const NIGHTS = ['2026-07-15', '2026-07-16', '2026-07-17'] as const;

it.each(SHAPES)(
  'figures of $endpoint that arrive as text from the second night on leave their days owed until the server is repaired',
  async ({ endpoint, path, table }) => {
    await using nights = await openNights(PROJECT_ONLY);
    const request = { endpoints: [endpoint] };
    expect(await nights.night('2026-07-14', request)).toMatchObject({ exit_code: 0 });
    nights.alter(path, (body) => mapFigures(body, () => true, String));
    for (const day of NIGHTS) {
      const report = await nights.night(day, request);
      expect(report).toMatchObject({ exit_code: 3, rows_deleted: 0, rows_updated: 0 });
      expect(report.failures).toEqual([expect.objectContaining({ class: 'contract', endpoint })]);
    }
    // The first night's answer for its own day was partial.
    expect(await nights.gaps()).toMatchObject(
      ['2026-07-14', '2026-07-15', '2026-07-16'].map((date) => ({ endpoint, date })),
    );
    const slices = `select status, error_class from meta.slices where sync_day = date '2026-07-17'`;
    expect(await nights.rows(`${slices} and endpoint = '${endpoint}'`)).toEqual([
      { status: 'failed', error_class: 'contract' },
    ]);
    // Long after the look-back the days are still owed.
    expect(await nights.night('2026-07-30', request)).toMatchObject({ exit_code: 3 });
    await expectHealed(nights, { days: ['2026-07-31', '2026-08-01'], tables: [table], request });
  },
);

it.each(SHAPES)(
  'one unreadable day of $endpoint stays owed alone, every night, and is filled once it can be read',
  async ({ endpoint, path, table }) => {
    await using nights = await openNights(PROJECT_ONLY);
    const request = { endpoints: [endpoint] };
    nights.alter(path, (body) => mapFigures(body, (day) => day === '2026-06-25', String));
    for (const day of ['2026-07-14', '2026-07-15', '2026-07-16']) {
      expect(await nights.night(day, request), day).toMatchObject({ exit_code: 3 });
      expect(await nights.gaps(), day).toMatchObject([{ endpoint, date: '2026-06-25' }]);
    }
    expect(await nights.rows(`select count(distinct date) as days from core.${table}`)).toEqual([
      { days: 26 },
    ]);
    await expectHealed(nights, { days: ['2026-07-17', '2026-07-18'], tables: [table], request });
  },
);

it('a figure that the documents do not let be null covers nothing: its day is owed', async () => {
  await using nights = await openNights(PROJECT_ONLY);
  const endpoints = NULLS.map(({ endpoint }) => endpoint);
  for (const { path, alter } of NULLS) nights.alter(path, alter);
  const report = await nights.night('2026-07-14', { endpoints });
  expect(report).toMatchObject({ exit_code: 3 });
  expect(new Set(report.failures.map(({ endpoint }) => endpoint))).toEqual(new Set(endpoints));
  const owed = (await nights.gaps()).map(({ endpoint, date }) => `${String(endpoint)} ${String(date)}`);
  expect(owed.toSorted()).toEqual(endpoints.map((endpoint) => `${endpoint} 2026-07-01`).toSorted());
  await expectHealed(nights, {
    days: ['2026-07-15', '2026-07-16'],
    tables: endpoints,
    request: { endpoints },
  });
});

const onFirstOfJuly = (fields: Readonly<Record<string, unknown>>) => (body: unknown) =>
  setDay(body, '2026-07-01', fields);
const noFigures = (body: unknown): unknown =>
  mapFigures(
    body,
    (day) => day === '2026-07-01',
    () => null,
  );

const NULLS = [
  {
    endpoint: 'response_sentiment',
    path: '/responses/sentiment-time-series',
    alter: onFirstOfJuly({ positive: null }),
  },
  { endpoint: 'citation_ranks', path: '/citations/rank-analysis', alter: onFirstOfJuly({ worstRank: null }) },
  {
    endpoint: 'share_of_voice',
    path: '/share-of-voice/time-series',
    alter: onFirstOfJuly({ shareOfVoice: null }),
  },
  { endpoint: 'domain_citations', path: '/citations/domains-over-time', alter: noFigures },
  { endpoint: 'crawler_requests', path: '/analytics/crawlers/trend', alter: noFigures },
] as const;

interface Trend {
  dates: string[];
  series: { name: string; data: number[] }[];
}

const TRENDS = [
  { endpoint: 'crawler_requests', path: '/analytics/crawlers/trend' },
  { endpoint: 'domain_citations', path: '/citations/domains-over-time' },
] as const;

it.each(TRENDS)(
  'a series of $endpoint that is shorter than its dates is refused, and its days stay owed',
  async ({ endpoint, path }) => {
    await using nights = await openNights(PROJECT_ONLY);
    const request = { endpoints: [endpoint] };
    expect(await nights.night('2026-07-14', request)).toMatchObject({ exit_code: 0 });
    nights.alter(path, (body) => {
      const trend = body as Trend;
      return { ...trend, series: trend.series.map((one) => ({ ...one, data: one.data.slice(2) })) };
    });
    expect(await nights.night('2026-07-15', request)).toMatchObject({
      exit_code: 3,
      rows_inserted: 0,
      rows_updated: 0,
      rows_deleted: 0,
    });
    expect(await nights.gaps()).toMatchObject([{ endpoint, date: '2026-07-14' }]);
    await expectHealed(nights, { days: ['2026-07-16', '2026-07-17'], tables: [endpoint], request });
  },
);

it.each(TRENDS)(
  'a series of $endpoint that has nothing yet for the sync day is taken without that day',
  async ({ endpoint, path }) => {
    await using nights = await openNights(PROJECT_ONLY);
    const request = { endpoints: [endpoint] };
    nights.alter(path, (body) => {
      const trend = body as Trend;
      return { ...trend, series: trend.series.map((one) => ({ ...one, data: one.data.slice(0, -1) })) };
    });
    expect(await nights.night('2026-07-14', request)).toMatchObject({ exit_code: 0, rows_rejected: 0 });
    expect(await nights.gaps()).toEqual([]);
    expect(await nights.rows(`select max(date) as last from core.${endpoint}`)).toEqual([
      { last: '2026-07-13' },
    ]);
    await expectHealed(nights, { days: ['2026-07-15', '2026-07-16'], tables: [endpoint], request });
  },
);

it('a series that lacks the end of a range that is over is refused: the missing day is not the sync day', async () => {
  await using nights = await openNights(PROJECT_ONLY);
  const request = { endpoints: ['crawler_requests'], from: toDay('2026-07-01'), to: toDay('2026-07-10') };
  nights.alter('/analytics/crawlers/trend', (body) => {
    const trend = body as Trend;
    return { ...trend, series: trend.series.map((one) => ({ ...one, data: one.data.slice(0, -1) })) };
  });
  expect(await nights.night('2026-07-14', request)).toMatchObject({ exit_code: 3 });
  expect(await nights.rows('select * from core.crawler_requests')).toEqual([]);
});

it('an unreadable item without a day leaves every day without a row owed', async () => {
  await using nights = await openNights(PROJECT_ONLY);
  const request = { endpoints: ['visibility'] };
  nights.alter('/v1/visibility-time-series', (body) => [
    ...(withoutDays(body, '2026-06-30', '2026-07-02') as unknown[]),
    { day: 'somewhere', value: 3 },
  ]);
  expect(await nights.night('2026-07-14', request)).toMatchObject({ exit_code: 3 });
  expect(await nights.gaps()).toMatchObject([{ date: '2026-06-30' }, { date: '2026-07-02' }]);
  await expectHealed(nights, { days: ['2026-07-15', '2026-07-16'], tables: ['visibility'], request });
});

it('one unreadable prompt is a warning: its run is done and the prompt stays as it was', async () => {
  await using nights = await openNights(PROJECT_ONLY);
  const request = { endpoints: ['prompts'] };
  await nights.night('2026-07-14', request);
  const [prompt] = await nights.rows('select prompt_id from core.prompts order by created_at, prompt_id');
  const stored = `select * from core.prompts where prompt_id = '${String(prompt?.['prompt_id'])}'`;
  const before = await nights.rows(stored);
  nights.alter('/v1/prompts', (body) => {
    const list = body as { prompts: { id: string }[] };
    const prompts = list.prompts.map((one) =>
      one.id === prompt?.['prompt_id'] ? { ...one, isActive: 'perhaps' } : one,
    );
    return { ...list, prompts };
  });
  expect(await nights.night('2026-07-15', request)).toMatchObject({ exit_code: 0, rows_rejected: 1 });
  expect(await nights.rows(stored)).toEqual(before);
  expect(await nights.vanishing()).toEqual([]);
});
