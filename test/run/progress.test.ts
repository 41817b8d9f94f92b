import { expect, test } from 'vitest';
import { Progress, type SyncProgress } from '../../src/run/progress.ts';
import { sliceOf } from '../support/answers.ts';

test('progress counts requests of those planned, never backwards, and is whole only when the last round is planned', () => {
  const shown: SyncProgress[] = [];
  const progress = new Progress((one) => shown.push(one));
  const quotas = new Map(
    [7, 5].map((remaining) => {
      const snapshot = () => ({ limit: 9, remaining, resetAt: 0 });
      return [String(remaining), { snapshot, takeOver: () => undefined }];
    }),
  );
  const loaded = (requests: number, of = quotas): void =>
    progress.loaded({ quotas: of }, { requests, slice: sliceOf('visibility') });
  progress.begin('reference', 4);
  progress.expect(4);
  loaded(0, new Map());
  progress.nameProjects(new Map([['project-1', 'One']]));
  loaded(3);
  progress.begin('windows', 1);
  loaded(1);
  progress.begin('finer scopes', 2);
  progress.expect(2);
  loaded(1);
  loaded(1);
  progress.begin('confirmations', 2);
  progress.expect(2);
  loaded(1);
  loaded(1);
  expect(shown.map(({ percent, done, planned, isPlanned }) => [percent, done, planned, isPlanned])).toEqual([
    [2, 1, 4, false],
    [6, 4, 6, false],
    [8, 5, 6, false],
    [71, 6, 8, true],
    [83, 7, 8, true],
    [83, 8, 10, true],
    [90, 9, 10, true],
  ]);
  const [first, second] = shown.map(({ project, quotaRemaining }) => [project, quotaRemaining]);
  expect([first, second]).toEqual([
    ['project-1', null],
    ['One', 5],
  ]);
});
