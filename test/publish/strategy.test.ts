import { expect, it } from 'vitest';
import type { Changes } from '../../src/publish/compare.ts';
import { chooseStrategy, type Found } from '../../src/publish/publish.ts';

const DAY_MS = 86_400_000;
const NOW = Date.UTC(2026, 6, 14);
const RECORD = { sha256: 'a', provenAt: NOW - DAY_MS, compactBytes: 30_000_000, program: 'answerlake 1' };
const CHANGES: Changes = { compared: [], tables: [], rows: 10, rowsInAll: 1000, days: [], windows: [] };
const USUAL: Found = {
  changes: CHANGES,
  records: [RECORD],
  sha256: 'a',
  bytes: 31_000_000,
  now: NOW,
  program: 'answerlake 1',
};

it.each([
  ['with what changed after a usual night', {}, 'changed'],
  [
    'from the file before the newest after a kill',
    { records: [{ ...RECORD, sha256: 'b' }, RECORD] },
    'changed',
  ],
  ['with what changed at the same instant', { now: NOW - DAY_MS }, 'changed'],
  ['with what changed if it grew by exactly a third', { bytes: 40_000_000 }, 'changed'],
  [
    'with what changed if exactly a third changed',
    { changes: { ...CHANGES, rows: 333, rowsInAll: 999 } },
    'changed',
  ],
  ['anew without a published file', { sha256: null }, 'full'],
  ['anew when tables or views are others', { changes: null }, 'full'],
  ['anew from a working file that has not published', { records: [] }, 'full'],
  ['anew by another version', { program: 'answerlake 2' }, 'full'],
  ['anew after a week', { now: NOW + 6 * DAY_MS }, 'full'],
  ['anew when the clock went back', { now: NOW - 2 * DAY_MS }, 'full'],
  ['anew when it grew by a third', { bytes: 40_000_001 }, 'full'],
  ['anew when a third of them changed', { changes: { ...CHANGES, rows: 334 } }, 'full'],
] as const)('a published file is made %s', (_what, found, strategy) => {
  expect(chooseStrategy({ ...USUAL, ...found })).toMatchObject({ strategy, warning: null });
});

it('a published file is made anew and with a warning when it is not the file that was published', () => {
  expect(chooseStrategy({ ...USUAL, sha256: 'c' })).toMatchObject({
    strategy: 'full',
    warning: expect.stringContaining('was not the one that answerlake wrote last') as string,
  });
});
