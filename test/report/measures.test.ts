import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { toDay } from '../../src/day.ts';
import type { ChartData, Kpi } from '../../src/report/read-projects.ts';
import { rangeOf } from '../../src/report/cards.ts';
import {
  changeWords,
  goalOf,
  headlineOf,
  keyFigures,
  KEY_FIGURES,
  overviewBody,
} from '../../src/report/key-figures.ts';
import { emptyCharts, kpi } from './made.ts';

const [visibility] = KEY_FIGURES;

function wordsOf(values: Partial<Kpi>): unknown {
  return visibility === undefined ? null : changeWords(visibility, kpi(values));
}

test('a clear change has arrow, tone and range; one whose range holds 0 has neither arrow nor tone', () => {
  const range = '95%: −5.0 to −1.0';
  expect(wordsOf({ change: -3, is_clear: true })).toEqual({ text: '−3.0', tone: 'bad', arrow: '▼', range });
  expect(wordsOf({})).toEqual({ text: '+1.0', tone: 'flat', arrow: null, range: '95%: −1.0 to +3.0' });
});

test('a clear change of crawler requests is neither good nor bad', () => {
  const crawlers = KEY_FIGURES.find(({ key }) => key === 'crawler_requests') ?? KEY_FIGURES[0];
  const fall = kpi({ measure: 'crawler_requests', change: -3, is_clear: true });
  expect(crawlers && changeWords(crawlers, fall)).toMatchObject({ tone: 'flat', arrow: '▼' });
});

test('a grey change whose range leaves 0 out says why it is grey', () => {
  expect(wordsOf({ change: 3, is_clear: true, is_trend: true })).toMatchObject({
    range: '95%: +1.0 to +5.0, slow trend',
  });
  expect(wordsOf({ change: 3 })).toMatchObject({ tone: 'flat', range: '95%: +1.0 to +5.0, may be chance' });
});

test('a change that rounds to nothing has no arrow, whatever it is called', () => {
  const small = { change: 0.01, change_low: 0.005, change_high: 0.015, is_clear: true };
  expect(wordsOf(small)).toMatchObject({ text: '±0.0', tone: 'flat', arrow: null });
});

test('too few days give no comparison', () => {
  expect(wordsOf({ change: null })).toBeNull();
  const few = { typical_change: null, change_low: null, change_high: null };
  expect(wordsOf(few)).toMatchObject({ tone: 'flat', range: 'too early to judge' });
});

test('headline and key figures cover the longest chosen window with a comparison, and name its days', () => {
  const charts = emptyCharts({
    days: 400,
    kpis: [7, 28, 90].map((days) => kpi({ window_days: days, value: days, change: -days, is_clear: true })),
  });
  const drawn = (data: ChartData, days: number): string => keyFigures(data, rangeOf(data, days)).text;
  for (const [chosen, days] of Object.entries({ 7: 7, 14: 7, 28: 28, 90: 90, 365: 90, 0: 90 })) {
    const text = drawn(charts, Number(chosen));
    const now = days === 7 ? '' : 'last 7 days 7.0';
    expect(text).toContain(`${days} days to 4 Apr 2027: Visibility score fell by ${days}.0 to ${days}.0`);
    expect(text).toContain(
      `<div class="kpi-value">${days}.0${now && ` <span class="now">${now}</span>`}</div>`,
    );
    expect(text).toContain(`>Key figures, ${days} days to 4 Apr 2027<`);
    expect(text).toContain(`in ${days} days</div>`);
    expect(text.includes('no earlier days')).toBe(Number(chosen) !== days);
  }
  expect(drawn(emptyCharts(), 365)).toContain('Key figures, 28 days to 30 Mar 2026');
});

test('the headline names the clearest fall first, and a project with a rise alone is less urgent', () => {
  const fall = kpi({ change: -8, is_clear: true, value: 38 });
  const rise = kpi({ measure: 'citations', change: 20, change_low: 10, change_high: 30, is_clear: true });
  const fallen = headlineOf({ kpis: [rise, fall] }, 28);
  expect(fallen.words).toBe('Visibility score fell by 8.0 to 38.0. Citations rose by 50.0% to 41.');
  expect(headlineOf({ kpis: [rise] }, 28).urgency).toBeLessThan(fallen.urgency);
  const calm = headlineOf({ kpis: [kpi(), kpi({ window_days: 90, change: -8, is_clear: true })] }, 28);
  expect(calm).toEqual({ words: 'No clear change.', isJudged: false, urgency: -0 });
  expect(headlineOf({ kpis: [] }, 28).words).toContain('Too early to judge');
});

test('the overview has one window for all lines, and the most urgent project first', () => {
  const project = (name: string, change: number) => ({
    name,
    address: null,
    staleMs: 0,
    late: null,
    charts: emptyCharts({
      kpis: [28, 90].map((days) =>
        kpi({ window_days: days, change: days === 90 ? change : -change, is_clear: true }),
      ),
    }),
  });
  const projects = [project('A', 5), project('B', -5)];
  const names = (days: number) =>
    [...overviewBody(projects, days).text.matchAll(/data-name="(.)"/g)].map(([, name]) => name);
  expect(names(90)).toEqual(['B', 'A']);
  expect(names(28)).toEqual(['A', 'B']);
  expect(overviewBody(projects, 28).text).toContain('All projects, last 28 days');
  expect(overviewBody(projects, 0).text).toContain('All projects, last 90 days');
});

test('a change whose questions changed is grey and says so, and what is real of it follows', () => {
  const changed = { change: -5.9, is_changed: true };
  expect(wordsOf({ ...changed, real_change: -0.2 })).toEqual({
    text: '−5.9',
    tone: 'flat',
    arrow: null,
    range: 'questions changed; real change −0.2, not clear',
  });
  expect(wordsOf(changed)).toMatchObject({ range: 'questions changed' });
  const kpis = [kpi({ window_days: 28, ...changed, real_change: -3, real_is_clear: true })];
  expect(headlineOf({ kpis }, 28).words).toBe(
    'Questions changed. Visibility score changed by −5.9 to 41.0; real change −3.0, clear.',
  );
});

test('a figure that went the other way since says so in headline, tile and overview', () => {
  const down = kpi({ window_days: 90, value: 48, previous_value: 52, change: -4, is_clear: true });
  const up = kpi({ value: 55, previous_value: 45, change: 10 });
  const now = kpi({ window_days: 7, value: 57, change: 1 });
  const charts = emptyCharts({ days: 90, kpis: [down, up, now] });
  const turn = 'down over 90 days, up in the last 28';
  expect(headlineOf(charts, 90).words).toBe(
    `Visibility score fell by 4.0 to 48.0, last 7 days 57.0 (${turn}).`,
  );
  expect(keyFigures(charts, rangeOf(charts, 90)).text).toContain(`<span class="usual">${turn}</span>`);
  const project = { name: 'A', address: null, staleMs: 0, late: null, charts };
  expect(overviewBody([project], 90).text).toContain(`<span class="usual">${turn}</span>`);
});

test('headline and last week point the same way, or the headline says that they do not', () => {
  const figure = fc.double({ min: 1, max: 99, noNaN: true });
  fc.assert(
    fc.property(fc.tuple(figure, figure, figure, figure), ([previous, value, now, middle]) => {
      const of = (window_days: number, last: number, before: number): Kpi => {
        const ends = { change_low: last - before, change_high: last - before };
        const change = last - before;
        return kpi({ window_days, value: last, previous_value: before, change, is_clear: true, ...ends });
      };
      const kpis = [of(90, value, previous), of(28, middle, previous), of(7, now, middle)];
      const { words } = headlineOf({ kpis }, 90);
      const said = / (fell|rose) by /.exec(words)?.[1];
      const isOpposite = said === 'fell' ? now > previous : said === 'rose' && now < previous;
      expect(!isOpposite || /in the last|but the last 7 are/.test(words)).toBe(true);
    }),
  );
});

test('a goal is told with its day and whether it is on course', () => {
  const due_date = toDay('2026-12-31');
  const goal = (values: Partial<Kpi>) =>
    goalOf({ kpis: [kpi({ goal: 50, due_date, ...values })] }, 'visibility')?.words;
  expect(goal({ is_on_course: true })).toBe('Goal 50.0 by 31 Dec 2026: on course');
  expect(goal({ is_on_course: false })).toBe('Goal 50.0 by 31 Dec 2026: not on course');
  expect(goal({ is_reached: true })).toBe('Goal 50.0 by 31 Dec 2026: reached in the last 28 days');
  expect(goal({})).toBe('Goal 50.0 by 31 Dec 2026: too early to project');
});
