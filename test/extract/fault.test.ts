import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { type Fault, type FaultKind, jitterMs, verdictOf } from '../../src/extract/fault.ts';
import { parseRetryAfter, readRateLimit } from '../../src/extract/headers.ts';
import { openRetryBudget } from '../../src/extract/pace.ts';
import { START_MS } from './rig.ts';

const KINDS: FaultKind[] = [
  'connection',
  'timeout',
  'server',
  'minute_limit',
  'hourly_limit',
  'unreadable',
  'refused',
];
const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
const question = fc.record({
  fault: fc.record({
    kind: fc.constantFrom(...KINDS),
    message: fc.constant('x'),
    retryAfterMs: fc.option(fc.nat(3_600_000)),
  }),
  attempt: fc.integer({ min: 1, max: 12 }),
  attempts: fc.integer({ min: 1, max: 12 }),
  unreadable: fc.integer({ min: 0, max: 5 }),
  random,
});

it('retry decisions never go beyond the attempts, repeat no refusal, and read an unreadable answer at most twice again', () => {
  fc.assert(
    fc.property(question, (asked) => {
      const { again, delayMs } = verdictOf(asked);
      expect(delayMs).toBeGreaterThanOrEqual(0);
      expect(delayMs).toBeLessThanOrEqual(30_000);
      const isLast = asked.attempt >= asked.attempts;
      const isHopeless =
        asked.fault.kind === 'refused' || (asked.fault.kind === 'unreadable' && asked.unreadable > 2);
      expect(again).toBe(!isLast && !isHopeless);
    }),
    { numRuns: 10_000 },
  );
});

it('retry decisions leave the delay to the server where it named one', () => {
  fc.assert(
    fc.property(question, fc.nat(3_600_000), (asked, retryAfterMs) => {
      const fault: Fault = { ...asked.fault, retryAfterMs };
      const verdict = verdictOf({ ...asked, fault });
      expect(verdict.delayMs).toBe(0);
      const silent = fault.kind === 'refused' || fault.kind === 'hourly_limit';
      expect(verdict.pauseMs).toBe(silent ? 0 : retryAfterMs);
    }),
  );
});

it('retry decisions spread over the whole range up to 500 ms, doubled each time, 30 s at most', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 40 }), random, (attempt, drawn) => {
      const ceiling = Math.min(30_000, 500 * 2 ** (attempt - 1));
      const delay = jitterMs(attempt, drawn);
      expect(delay).toBe(Math.round(drawn * ceiling));
      expect(delay).toBeLessThanOrEqual(ceiling);
    }),
  );
  expect(jitterMs(1, 0)).toBe(0);
  expect(jitterMs(7, 0.999_999)).toBe(30_000);
});

it('retry decisions pause the key for a minute when the limit per address names no time', () => {
  const asked = { attempt: 1, attempts: 5, unreadable: 0, random: 0.5 };
  const pauseMs = (kind: FaultKind): number => verdictOf({ ...asked, fault: { kind, message: 'x' } }).pauseMs;
  expect(pauseMs('minute_limit')).toBe(60_000);
  expect(pauseMs('server')).toBe(0);
});

it('the retry budget lets retries be 13 % of the requests and 30 more', () => {
  fc.assert(
    fc.property(fc.array(fc.boolean(), { maxLength: 3_000 }), (steps) => {
      const budget = openRetryBudget();
      let requests = 0;
      let retries = 0;
      for (const isRequest of steps) {
        if (isRequest) {
          requests += 1;
          budget.earn();
        } else if (budget.spend()) retries += 1;
      }
      expect(retries).toBeLessThanOrEqual(30 + 0.13 * requests);
    }),
  );
});

it('the retry budget is empty after 30 retries in a row', () => {
  const budget = openRetryBudget();
  const allowed = Array.from({ length: 50 }, () => budget.spend()).filter(Boolean);
  expect(allowed).toHaveLength(30);
});

it.each([
  ['0', 0],
  ['120', 120_000],
  [' 3.5 ', 3_500],
  [new Date(START_MS + 90_000).toUTCString(), 90_000],
  [new Date(START_MS - 90_000).toUTCString(), 0],
  ['-5', null],
  ['soon', null],
  ['', null],
  ['1e99', null],
])('Retry-After %j is %j ms', (text, expected) => {
  expect(parseRetryAfter(text, START_MS)).toBe(expected);
});

it.each([
  ['Unix seconds', String(START_MS / 1000 + 60), START_MS + 60_000],
  ['seconds from now', '60', START_MS + 60_000],
  ['an hour that is just over', String(START_MS / 1000 - 1), START_MS - 1_000],
  ['long ago', String(START_MS / 1000 - 3_600), null],
  ['next week', String(START_MS / 1000 + 604_800), START_MS + 3_600_000],
  ['nonsense', 'x', null],
])('a reset in %s is understood', (_name, reset, resetAt) => {
  const headers = { 'x-ratelimit-limit': '100', 'x-ratelimit-remaining': '7', 'x-ratelimit-reset': reset };
  expect(readRateLimit(headers, START_MS)).toEqual({ limit: 100, remaining: 7, resetAt });
});

it.each([
  [-1_800_000, 3_600_000],
  [1_800_000, 5_400_000],
  [90_000_000, 7_200_000],
])('a server whose clock is %i ms ahead may name a reset %i ms ahead', (aheadMs, longestMs) => {
  const headers = {
    'x-ratelimit-limit': '100',
    'x-ratelimit-remaining': '7',
    'x-ratelimit-reset': String(START_MS / 1000 + 604_800),
    date: new Date(START_MS + aheadMs).toUTCString(),
  };
  expect(readRateLimit(headers, START_MS)?.resetAt).toBe(START_MS + longestMs);
});

it('headers without a limit or a remainder say nothing', () => {
  expect(readRateLimit({ 'x-ratelimit-remaining': '7' }, START_MS)).toBeNull();
  expect(readRateLimit({ 'x-ratelimit-limit': '0', 'x-ratelimit-remaining': '0' }, START_MS)).toBeNull();
});
