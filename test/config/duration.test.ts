import { expect, it } from 'vitest';
import { formatDuration, parseDuration } from '../../src/text.ts';

it.each([
  ['2h', 7_200_000],
  ['90m', 5_400_000],
  ['45s', 45_000],
  ['1h30m', 5_400_000],
  ['1.5 h', 5_400_000],
  ['250ms', 250],
  ['0', 0],
])('parseDuration reads %s', (text, durationMs) => {
  expect(parseDuration(text)).toBe(durationMs);
});

it.each(['', '5', '-1h', 'h', '2 hours', '1h 30', 'NaN'])('parseDuration refuses %j', (text) => {
  expect(parseDuration(text)).toBeUndefined();
});

it.each([
  [820, '820 ms'],
  [12_400, '12.4 s'],
  [200_000, '3m 20s'],
  [7_200_000, '2h'],
  [7_500_000, '2h 5m'],
])('formatDuration writes %i', (durationMs, text) => {
  expect(formatDuration(durationMs)).toBe(text);
});
