import { expect, test } from 'vitest';
import { toDay } from '../../src/day.ts';
import { Refusals } from '../../src/run/refusals.ts';
import { refusal } from '../extract/rig.ts';
import { days, sliceOf, type SliceChanges } from '../support/answers.ts';

const slice = (changes: SliceChanges = {}) => sliceOf('share_of_voice', changes);

test('three refusals close one series of a project for the run, and no other', () => {
  const refusals = new Refusals();
  const refused = (changes?: SliceChanges): string | null =>
    refusals.of(slice(changes), 'acme').refused?.message ?? null;
  for (const status of [400, 400, 402]) {
    expect(refused()).toBeNull();
    refusals.of(slice(), 'acme').add(refusal(status));
  }
  expect(refused()).toBe('answered 402');
  expect(refused({ grain: 'week' })).toBeNull();
  expect(refused({ scope: 'model', scopeId: 'm' })).toBeNull();
  expect(refused({ projectId: 'q', scopeId: 'q' })).toBeNull();
});

test('a young project takes nothing from an old one, and a monitor starts from its project', () => {
  const refusals = new Refusals();
  const rangeOf = (changes: SliceChanges, account = 'acme') => refusals.of(slice(changes), account).range;
  const young = { projectId: 'young', scopeId: 'young' };
  const monitor = { projectId: 'young', scope: 'monitor', scopeId: 'm' } as const;
  rangeOf(young).tooOld(toDay('2026-02-28'));
  expect(rangeOf({ ...young, grain: 'month' }).available).toBe('2026-03-01');
  expect(rangeOf(monitor).available).toBe('2026-03-01');
  expect(rangeOf({ projectId: 'old', scopeId: 'old' }).available).toBeNull();
  expect(rangeOf({ ...monitor, projectId: 'old' }).available).toBeNull();
  rangeOf(young).answered(days('2026-03-01', '2026-03-05'));
  rangeOf(young).refused(days('2026-03-01', '2026-03-31'), { isSmallest: false, first: toDay('2026-03-01') });
  expect(rangeOf({ projectId: 'old', scopeId: 'old' }).maxDays).toBe(5);
  expect(rangeOf({ projectId: 'old', scopeId: 'old' }, 'other').maxDays).toBeNull();
});
