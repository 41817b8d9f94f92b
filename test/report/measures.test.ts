import { expect, test } from 'vitest';
import { changeWords, MEASURES } from '../../src/report/project-section.ts';
import type { Kpi } from '../../src/report/read-projects.ts';

const [visibility] = MEASURES;

function wordsOf(values: Partial<Kpi>): unknown {
  const kpi = {
    measure: 'visibility',
    value: 41,
    previous_value: 40,
    change: 1,
    typical_change: 2,
    is_clear: false,
    goal: null,
  };
  return visibility === undefined ? null : changeWords(visibility, { ...kpi, ...values });
}

test('a change within the usual has neither arrow nor tone', () => {
  expect(wordsOf({})).toEqual({ text: '+1.0', tone: 'flat', arrow: null, usual: 'usual ±2.0' });
});

test('a clear change has both, and says what is usual', () => {
  expect(wordsOf({ change: -3, is_clear: true })).toEqual({
    text: '−3.0',
    tone: 'bad',
    arrow: '▼',
    usual: 'clear, usual ±2.0',
  });
});

test('a change that rounds to nothing has no arrow, whatever it is called', () => {
  expect(wordsOf({ change: 0.01, typical_change: 0.005, is_clear: true })).toMatchObject({
    text: '±0.0',
    tone: 'flat',
    arrow: null,
  });
});

test('a small change against a slow trend is not coloured', () => {
  expect(wordsOf({ change: 1, is_clear: true })).toMatchObject({ tone: 'flat', arrow: null });
});

test('too few days give no comparison', () => {
  expect(wordsOf({ change: null })).toBeNull();
  expect(wordsOf({ typical_change: null })).toMatchObject({ tone: 'flat', usual: 'usual not known yet' });
});
