import { afterAll, beforeAll, expect, it } from 'vitest';
import { toDay } from '../../src/day.ts';
import type { Simulator } from '../../simulator/simulator.ts';
import { QUARTER, start, truth } from './ask.ts';

let simulator: Simulator;
beforeAll(async () => {
  simulator = await start({ world: 'demo' });
});
afterAll(() => simulator.close());

function rows(path: string, query: Record<string, string>): Record<string, unknown>[] {
  return truth(simulator, `/api/v1/${path}`, query);
}

interface Share {
  date: string;
  totalResponses: number;
  brandMentions: number;
  shareOfVoice: number;
  previousPeriodShareOfVoice: number | null;
  change: number | null;
}

it('the simulated world is decided by the seed', async () => {
  await using same = await start({ world: 'demo' });
  await using other = await start({ world: 'demo', seed: 7 });
  const path = '/api/v1/visibility-time-series';
  expect(truth(same, path, QUARTER)).toEqual(truth(simulator, path, QUARTER));
  expect(truth(other, path, QUARTER)).not.toEqual(truth(simulator, path, QUARTER));
  expect(other.world.projects[0]?.id).toBe(simulator.world.projects[0]?.id);
});

it('the simulated world adds days up to weeks and months', () => {
  for (const range of ['week', 'month']) {
    const window =
      range === 'week'
        ? { startDate: '2025-06-02', endDate: '2025-06-29' }
        : { startDate: '2025-06-01', endDate: '2025-07-31' };
    const days = rows('share-of-voice/time-series', window) as unknown as Share[];
    const periods = rows('share-of-voice/time-series', { ...window, range }) as unknown as Share[];
    expect(periods).toHaveLength(range === 'week' ? 4 : 2);
    const total = (list: Share[]): number =>
      list.reduce((sum, { totalResponses }) => sum + totalResponses, 0);
    expect(total(periods)).toBe(total(days));
  }
});

it('the simulated world gives every share but the first one its previous period', () => {
  const shares = rows('share-of-voice/time-series', QUARTER) as unknown as Share[];
  shares.forEach((share, index) => {
    const previous = shares[index - 1]?.shareOfVoice ?? null;
    expect(share.previousPeriodShareOfVoice).toBe(previous);
    expect(share.change).toBe(previous === null ? null : share.shareOfVoice - previous);
    expect(share.shareOfVoice).toBeCloseTo((share.brandMentions / share.totalResponses) * 100, 9);
  });
});

it('the simulated world sums sentiments to responses and citations to their total', () => {
  const { totalResponses } = rows('responses/summary', QUARTER) as unknown as { totalResponses: number };
  const sentiments = rows('responses/sentiment-time-series', QUARTER);
  const counted = sentiments.reduce(
    (sum, day) =>
      sum +
      Number(day['positive']) +
      Number(day['negative']) +
      Number(day['neutral']) +
      Number(day['unknown']),
    0,
  );
  expect(counted).toBe(totalResponses);
  const citations = rows('citations/domains-over-time', { ...QUARTER, domainLimit: '50' }) as unknown as {
    series: { data: number[]; total: number; percentage: number; averageRank: number }[];
    totalCitations: number;
  };
  expect(citations.series.reduce((sum, { total }) => sum + total, 0)).toBe(citations.totalCitations);
  for (const { data, total } of citations.series) expect(data.reduce((a, b) => a + b, 0)).toBe(total);
});

it('the simulated world has data from the first day to today and nothing outside', async () => {
  await using late = await start({ firstDay: toDay('2025-09-01') });
  const window = { startDate: '2025-08-20', endDate: '2025-12-31' };
  const dates = truth<{ date: string }[]>(late, '/api/v1/visibility-time-series', window).map(
    ({ date }) => date,
  );
  expect(dates[0]).toBe('2025-09-01');
  expect(dates.at(-1)).toBe('2025-09-30');
  await using nulls = await start({ firstDay: toDay('2025-09-01'), missingDays: 'null' });
  const points = truth<{ date: string; value: number | null }[]>(
    nulls,
    '/api/v1/visibility-time-series',
    window,
  );
  expect(points[0]).toEqual({ date: '2025-08-20', value: null });
  expect(points.at(-1)?.date).toBe('2025-09-30');
});
