import { expect, test } from 'vitest';
import type { Kpi } from '../../src/report/read-projects.ts';
import { changeWords, headlineOf, MEASURES, tiles } from '../../src/report/key-figures.ts';
import { emptyCharts, kpi } from './made.ts';

const [visibility] = MEASURES;

function wordsOf(values: Partial<Kpi>): unknown {
  return visibility === undefined ? null : changeWords(visibility, kpi(values));
}

test('a change whose range holds 0 has neither arrow nor tone', () => {
  expect(wordsOf({})).toEqual({ text: '+1.0', tone: 'flat', arrow: null, range: 'from −1.0 to +3.0' });
});

test('a clear change has both, beside the range that makes it clear', () => {
  const range = 'from −5.0 to −1.0';
  expect(wordsOf({ change: -3, is_clear: true })).toEqual({ text: '−3.0', tone: 'bad', arrow: '▼', range });
});

test('a clear change of crawler requests is neither good nor bad', () => {
  const crawlers = MEASURES.find(({ key }) => key === 'crawler_requests') ?? MEASURES[0];
  const fall = kpi({ measure: 'crawler_requests', change: -3, is_clear: true });
  expect(crawlers && changeWords(crawlers, fall)).toMatchObject({ tone: 'flat', arrow: '▼' });
});

test('a grey change whose range leaves 0 out says why it is grey', () => {
  expect(wordsOf({ change: 3, is_clear: true, is_trend: true })).toMatchObject({
    range: 'from +1.0 to +5.0: a slow trend',
  });
  expect(wordsOf({ change: 3 })).toMatchObject({ tone: 'flat', range: 'from +1.0 to +5.0: may be chance' });
});

test('a change that rounds to nothing has no arrow, whatever it is called', () => {
  expect(wordsOf({ change: 0.01, change_low: 0.005, change_high: 0.015, is_clear: true })).toMatchObject({
    text: '±0.0',
    tone: 'flat',
    arrow: null,
  });
});

test('too few days give no comparison', () => {
  expect(wordsOf({ change: null })).toBeNull();
  expect(wordsOf({ typical_change: null, change_low: null, change_high: null })).toMatchObject({
    tone: 'flat',
    range: 'usual variation not known yet',
  });
});

test('the key figures follow the chosen days, and say when they cannot', () => {
  const charts = emptyCharts({
    kpis: [7, 28, 90].map((days) => kpi({ window_days: days, value: days })),
  });
  const drawn = (days: number): string => tiles(charts, days, { from: 0, days: 30 }).text;
  expect(drawn(7)).toMatch(/Last 7 whole days.*<div class="kpi-value">7\.0</s);
  expect(drawn(90)).toMatch(/Last 90 whole days.*<div class="kpi-value">90\.0</s);
  expect(drawn(90)).not.toContain('cannot be compared');
  for (const [days, shown] of [
    [7, 7],
    [365, 28],
    [0, 28],
  ] as const)
    expect(tiles(emptyCharts(), days, { from: 0, days: 30 }).text).toContain(`Last ${shown} whole days`);
  for (const days of [365, 0])
    expect(drawn(days)).toMatch(/Last 90 whole days.*more days cannot be compared/s);
});

test('the headline names the clearest fall first, and without one a project is less urgent', () => {
  const slow = kpi({ window_days: 90, change: -8, is_clear: true, value: 38 });
  const rise = kpi({ measure: 'citations', change: 20, change_low: 10, change_high: 30, is_clear: true });
  const fallen = headlineOf(emptyCharts({ kpis: [rise, slow] }));
  expect(fallen.words).toMatch(
    /^Visibility score fell to 38\.0 in 90 days \(−8\.0, from −10\.0 to −6\.0\)\. Citations rose to 41 in 28 days \(\+50\.0\u00A0%, from \+25\.0 to \+75\.0\u00A0%\)\.$/,
  );
  const regained = headlineOf(emptyCharts({ kpis: [kpi({ change: 3, is_clear: true }), slow] }));
  expect(regained.words).toMatch(/^Visibility score rose to 41\.0 in 28 days \([^()]*\)\.$/);
  const calm = headlineOf(emptyCharts({ kpis: [kpi()] }));
  expect(calm.words).toBe('No figure changed clearly in 7, 28 or 90 days.');
  expect(fallen.urgency).toBeGreaterThan(calm.urgency);
  expect(headlineOf(emptyCharts()).words).toContain('Too young to judge');
});
