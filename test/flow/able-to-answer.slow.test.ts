import { expect, it } from 'vitest';
import { addDays, toDay } from '../../src/day.ts';
import { JULY, openRig, PROJECT_ONLY, withSync, type Rig } from './rig.ts';

type Row = Readonly<Record<string, unknown>>;
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
const dated = (row: Row): string => textOf(row['date']).slice(0, 10);

/** The nights from one day to another, with requests of each; `before`: what changes on a morning. */
async function nights(
  rig: Rig,
  [first, last]: readonly [string, string],
  { before = () => undefined, ...request }: Parameters<Rig['pull']>[0] & { before?: (day: string) => void },
) {
  const runs: { day: string; requests: number; exit: number; warnings: readonly string[] }[] = [];
  for (let day = toDay(first); day <= last; day = addDays(day, 1)) {
    rig.simulator.setToday(day);
    rig.simulator.resetRequests();
    before(day);
    const { requests, exit_code: exit, warnings } = await rig.pull(request);
    runs.push({ day, requests, exit, warnings });
  }
  return runs;
}

it('a day that is taken back on the last night of its look-back goes', async () => {
  await using rig = await openRig(JULY);
  const request = { endpoints: ['visibility'] };
  const before = (day: string): void => {
    if (day === '2026-07-16')
      rig.alter('/api/v1/visibility-time-series', (body) =>
        (body as Row[]).filter((row) => dated(row) !== '2026-07-09'),
      );
  };
  const runs = await nights(rig, ['2026-07-14', '2026-07-19'], { ...request, before });
  expect(runs.map(({ exit }) => exit)).toEqual([0, 0, 0, 0, 0, 0]);
  const [usual, ...others] = runs.slice(1).map(({ requests }) => requests);
  expect(others).toEqual(others.map(() => usual));
  const left =
    "select date from core.visibility where date between '2026-07-08' and '2026-07-10' and scope = 'project'";
  const days = ['2026-07-08', '2026-07-10'].map((date) => ({ date }));
  expect(await rig.workingRows(`${left} order by 1`)).toEqual(days);
  expect(await rig.workingRows('select * from meta.vanishing')).toEqual([]);
});

it('a closed month keeps what it has when the server no longer remembers a row from before it', async () => {
  const options = { world: 'small', today: '2026-06-28', startDate: '2026-05-20' } as const;
  const change = withSync({ windows: ['month'] });
  await using rig = await openRig({ ...options, keepDays: 30, tooOld: 'absent', change });
  const request = { endpoints: ['response_summary', 'response_sentiment'] };
  const summary =
    "select total_responses as n, asked_on from core.response_summary s join meta.asked_days a on a.endpoint = 'response_summary' " +
    "and a.window_kind = 'month' and a.date = s.window_start where window_start = '2026-06-01'";
  const before = await nights(rig, ['2026-06-28', '2026-06-30'], request);
  const [known] = await rig.workingRows(summary);
  const runs = await nights(rig, ['2026-07-01', '2026-07-03'], request);
  expect(await rig.workingRows(summary)).toEqual([known]);
  expect(known).toMatchObject({ asked_on: '2026-06-30' });
  expect([...before, ...runs].map(({ exit }) => exit)).toEqual([0, 0, 0, 0, 0, 0]);
  const line =
    '1 closed windows were not requested again and keep their rows: the server no longer has a row from before them';
  expect(runs.flatMap(({ warnings }) => warnings)).toEqual([line, line, line]);
});

it('a closed month is asked again inside the look-back where the server remembers it, also by a run that asks no series', async () => {
  const change = withSync({ windows: ['month'] });
  await using rig = await openRig({ ...JULY, startDate: '2026-05-20', today: '2026-07-01', change });
  await nights(rig, ['2026-07-01', '2026-07-01'], { endpoints: ['response_summary', 'response_sentiment'] });
  await nights(rig, ['2026-07-02', '2026-07-02'], { endpoints: ['response_summary', 'response_sentiment'] });
  expect(new Set(rig.asked('/responses/summary').map(({ startDate }) => startDate))).toEqual(
    new Set(['2026-06-01', '2026-07-01']),
  );
  expect(rig.asked('/responses/sentiment-time-series').map(({ startDate }) => startDate)).toEqual([
    '2026-05-31',
  ]);
  await nights(rig, ['2026-07-03', '2026-07-03'], { endpoints: ['response_summary'] });
  expect(rig.asked('/responses/summary')).toHaveLength(2);
  expect(rig.asked('/responses/sentiment-time-series')).toMatchObject([
    { startDate: '2026-05-31', endDate: '2026-06-01' },
  ]);
});

it('events that a server of 60 days no longer lists stay', async () => {
  const options = { world: 'small', today: '2026-07-14', startDate: '2026-04-20' } as const;
  await using rig = await openRig({ ...options, firstDay: toDay('2026-04-01') });
  const request = { endpoints: ['events'] };
  await rig.pull(request);
  const count = "select count(*) as n from core.events where date < '2026-06-01'";
  const [known] = await rig.workingRows(count);
  expect(known).not.toEqual({ n: 0 });
  rig.alter('/api/v2/events', (body) => {
    const { events } = body as { events: Row[] };
    const listed = events.filter((day) => dated(day) > addDays(rig.simulator.today, -60));
    return { ...(body as Row), events: listed, total: 0 };
  });
  for (const day of ['2026-07-21', '2026-07-28', '2026-07-29']) {
    rig.simulator.setToday(toDay(day));
    await rig.pull({ ...request, lookbackDays: 120 });
  }
  expect(await rig.workingRows(count)).toEqual([known]);
});

it('the history of a rival that was added is asked once more', async () => {
  await using rig = await openRig(JULY);
  const request = { endpoints: ['brand_visibility'] };
  const [rival] = await (async () => {
    await rig.pull(request);
    return await rig.workingRows(
      "select brand_id as id from core.brands where relation = 'DIRECT_COMPETITOR' order by 1",
    );
  })();
  await using young = await openRig(JULY);
  const hidden = (since: string): void =>
    young.alter('/api/v1/analytics/brands/visibility-over-time', (body) =>
      (body as { brand: { id: string } }[]).filter(
        ({ brand }) => brand.id !== rival?.['id'] || young.simulator.today >= since,
      ),
    );
  hidden('2026-07-16');
  const runs = await nights(young, ['2026-07-14', '2026-07-18'], request);
  const [, usual = 0, found = 0, ...after] = runs.map(({ requests }) => requests);
  expect([found - usual, ...after]).toEqual([1, usual, usual]);
  const history = `select min(date) as first from core.brand_visibility where brand_id = '${textOf(rival?.['id'])}'`;
  expect(await young.workingRows(history)).toEqual([{ first: '2026-06-20' }]);
});

it('history that comes later is asked for once rows stand after it', async () => {
  await using rig = await openRig({ ...JULY, change: withSync({ scopes: {} }) });
  rig.alter('/api/v1/sentiment-time-series', (body) =>
    (body as Row[]).filter(
      (row) =>
        rig.simulator.today >= '2026-07-19' ||
        (rig.simulator.today >= '2026-07-17' && dated(row) >= '2026-07-13'),
    ),
  );
  const runs = await nights(rig, ['2026-07-14', '2026-07-20'], { endpoints: ['sentiment'] });
  expect(runs.map(({ exit }) => exit)).toEqual([0, 0, 0, 0, 0, 0, 0]);
  expect(await rig.workingRows('select min(date) as first from core.sentiment')).toEqual([
    { first: '2026-06-20' },
  ]);
});

it('a day of which one crawler could not be read shows no sum of the others', async () => {
  const path = '/api/v1/analytics/crawlers/trend';
  const request = { endpoints: ['crawler_requests'] };
  await using rig = await openRig(PROJECT_ONLY);
  rig.alter(path, (body) => {
    const { dates, series } = body as { dates: string[]; series: { name: string; data: number[] }[] };
    const [first, ...others] = series;
    return { dates, series: [{ ...first, name: { unknown: true } }, ...others] };
  });
  expect((await rig.night('2026-07-14', request)).exit_code).toBe(3);
  const sums = (schema: string) =>
    rig.rows(`select count(*) as days, count(crawler_requests_count) as sums from ${schema}.daily_kpis`);
  const [read] = await rig.rows('select count(distinct date) as days from core.crawler_requests');
  expect(read).toEqual({ days: 25 });
  const [main, detail] = [await sums('main'), await sums('detail')];
  expect(main).toEqual([expect.objectContaining({ sums: 0 })]);
  expect(detail).toEqual([expect.objectContaining({ sums: 25 })]);
  expect(await rig.gaps()).toHaveLength(24);
  rig.repair();
  expect((await rig.night('2026-07-15', request)).exit_code).toBe(0);
  expect(await sums('main')).toEqual([expect.objectContaining({ sums: 25 })]);
});
