import { expect, it } from 'vitest';
import { openRig, withSync, type Rig } from './rig.ts';

type Row = Readonly<Record<string, unknown>>;

const JUNE = { world: 'small', today: '2026-07-01', startDate: '2026-06-01' } as const;
/** From this day on the server has the figures of the last days of June, which have left the look-back. */
const ARRIVAL = '2026-07-11';

function withoutNewest(rig: Rig, row: Row): boolean {
  return rig.simulator.today >= ARRIVAL || String(row['date']).slice(0, 10) < '2026-06-28';
}

const sumOf = (counts: Row): number => Object.values(counts).reduce<number>((sum, n) => sum + Number(n), 0);

/** The nights until the figures have arrived, and the requests of the last three. */
async function nights(rig: Rig, endpoints: readonly string[]): Promise<number[]> {
  const requests: number[] = [];
  for (const day of ['2026-07-01', '2026-07-08', '2026-07-10', ARRIVAL, '2026-07-12', '2026-07-13']) {
    const report = await rig.night(day, { endpoints });
    expect(report.exit_code).toBe(0);
    requests.push(report.requests);
  }
  return requests.slice(3);
}

it('a closed month is asked again once when figures of its days come after its look-back', async () => {
  await using rig = await openRig({ ...JUNE, change: withSync({ scopes: {}, windows: ['month'] }) });
  rig.alter('/api/v1/responses/sentiment-time-series', (body) =>
    (body as Row[]).filter((row) => withoutNewest(rig, row)),
  );
  rig.alter('/api/v1/responses/summary', (body, { startDate = '' }) =>
    rig.simulator.today < ARRIVAL && startDate < '2026-07-01'
      ? { ...(body as Row), totalResponses: 7 }
      : body,
  );
  const [, again = 0, usual = 0] = await nights(rig, ['response_summary', 'response_sentiment']);
  const month = "select total_responses as n from core.response_summary where window_start = '2026-06-01'";
  const days = "from core.response_sentiment where date between '2026-06-01' and '2026-06-30'";
  const sum = `select sum(positive + negative + neutral + unknown)::bigint as n ${days}`;
  expect(await rig.rows(month)).toEqual(await rig.rows(sum));
  expect(again - usual).toBe(1);
});

it('a closed month of a series is asked again, without a request more, when figures of its days come after its look-back', async () => {
  await using rig = await openRig({ ...JUNE, change: withSync({ scopes: {}, grains: ['day', 'month'] }) });
  rig.alter('/api/v1/analytics/brands/visibility-over-time', (body, { granularity }) => {
    const rows = body as Row[];
    if (granularity === 'daily') return rows.filter((row) => withoutNewest(rig, row));
    return rows.map((row) =>
      withoutNewest(rig, { date: '2026-06-30' }) ? row : { ...row, mentionCount: 7 },
    );
  });
  const [, again = 0, usual = 0] = await nights(rig, ['brand_visibility']);
  const sums = (grain: string): string =>
    `select brand_id, sum(mention_count)::bigint as n from core.brand_visibility where grain = '${grain}' and date between '2026-06-01' and '2026-06-30' group by all order by 1`;
  expect(await rig.rows(sums('month'))).toEqual(await rig.rows(sums('day')));
  // The nightly question of months reaches back to it.
  expect(again - usual).toBe(0);
});

it.each([
  [7, [0, 0, 0]],
  // Such a month is not asked again.
  [1, [0, 3, 3]],
])(
  'a total that lacks the last day of its month on the next day alone ends the runs with a look-back of %i as %j',
  async (lookbackDays, codes) => {
    const change = withSync({ scopes: {}, windows: ['month'], lookbackDays });
    await using rig = await openRig({ ...JUNE, today: '2026-06-30', change });
    let ofLastDay = 0;
    rig.alter('/api/v1/responses/sentiment-time-series', (body) => {
      for (const { date, ...counts } of body as Row[]) if (date === '2026-06-30') ofLastDay = sumOf(counts);
    });
    rig.alter('/api/v1/responses/summary', (body, { endDate }) => {
      const isBehind = rig.simulator.today === '2026-07-01' && endDate === '2026-06-30';
      const { totalResponses } = body as Row;
      return isBehind ? { ...(body as Row), totalResponses: Number(totalResponses) - ofLastDay } : undefined;
    });
    const found: number[] = [];
    for (const day of ['2026-06-30', '2026-07-01', '2026-07-02']) {
      const { exit_code: code } = await rig.night(day, {
        endpoints: ['response_sentiment', 'response_summary'],
      });
      found.push(code);
    }
    expect(found).toEqual(codes);
  },
);

it.each([
  ['agrees', 'has', 0],
  ['lacks its last day too', 'has', 3],
  ['agrees', 'lacks', 3],
])(
  'a total from which as many answers were hidden as the last day has: the month before %s, the answer %s today',
  async (before, last, code) => {
    const change = withSync({ scopes: {}, windows: ['month'] });
    await using rig = await openRig({ ...JUNE, today: '2026-07-14', startDate: '2026-05-01', change });
    const ofDay = new Map<unknown, number>();
    rig.alter('/api/v1/responses/sentiment-time-series', (body) => {
      for (const { date, ...counts } of body as Row[]) ofDay.set(date, sumOf(counts));
      return last === 'has' ? undefined : (body as Row[]).filter(({ date }) => date !== '2026-07-14');
    });
    rig.alter('/api/v1/responses/summary', (body, { endDate = '' }) => {
      if (endDate !== '2026-06-30' && (endDate !== '2026-05-31' || before === 'agrees')) return undefined;
      const { totalResponses } = body as Row;
      return { ...(body as Row), totalResponses: Number(totalResponses) - (ofDay.get(endDate) ?? NaN) };
    });
    const run = await rig.pull({ endpoints: ['response_sentiment', 'response_summary'] });
    expect(run.exit_code).toBe(code);
  },
);

it('the day after days whose figures came late has their share as that of the period before, as a new warehouse has', async () => {
  await using rig = await openRig({ ...JUNE, change: withSync({ scopes: {} }) });
  rig.alter('/api/v1/share-of-voice/time-series', (body) => {
    const isLate = rig.simulator.today === '2026-07-01';
    const dayOf = ({ date }: Row): string => String(date).slice(0, 10);
    return (body as Row[]).flatMap((row) => {
      if (!isLate || dayOf(row) < '2026-06-20' || dayOf(row) > '2026-06-23') return [row];
      return dayOf(row) < '2026-06-23' ? [] : [{ ...row, previousPeriodShareOfVoice: null, change: null }];
    });
  });
  const endpoints = ['share_of_voice'];
  await rig.night('2026-07-01', { endpoints });
  const requests: number[] = [];
  for (const day of ['2026-07-02', '2026-07-03'])
    requests.push((await rig.night(day, { endpoints })).requests);
  expect(requests.map((count) => count - (requests[1] ?? 0))).toEqual([1, 0]);
  const [after] = await rig.rows(
    "select change is null as is_null from core.share_of_voice where date = '2026-06-23'",
  );
  expect(after).toEqual({ is_null: false });
});
