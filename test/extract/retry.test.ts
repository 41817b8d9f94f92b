import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  earnRetry,
  type Fault,
  type FaultKind,
  INITIAL_RETRIES,
  jitterMs,
  verdictOf,
} from '../../src/extract/retry.ts';
import { apiErrorOf } from '../../src/extract/api-error.ts';
import { parseRetryAfter, readRateLimit } from '../../src/extract/headers.ts';
import { runs } from '../support/runs.ts';
import { START_MS } from './rig.ts';

const CHARGED: readonly FaultKind[] = ['connection', 'timeout', 'server', 'unreadable'];
const FREE: readonly FaultKind[] = ['minute_limit', 'hourly_limit'];
const NEVER: readonly FaultKind[] = ['redirect', 'refused'];
const KINDS = [...CHARGED, ...FREE, ...NEVER];
const RESET = { 'x-ratelimit-limit': '100', 'x-ratelimit-remaining': '7' };
const NEXT_WEEK = String(START_MS / 1000 + 604_800);
const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
/** A first attempt of five, with two saved retries. */
const FIRST = { attempt: 1, attempts: 5, unreadable: 1, savedRetries: 2, random: 0.5 };
const question = fc.record({
  fault: fc.record({
    kind: fc.constantFrom(...KINDS),
    message: fc.constant('x'),
    retryAfterMs: fc.option(fc.nat(3_600_000)),
  }),
  attempt: fc.integer({ min: 1, max: 12 }),
  attempts: fc.integer({ min: 1, max: 12 }),
  unreadable: fc.integer({ min: 0, max: 5 }),
  savedRetries: fc.constant(INITIAL_RETRIES),
  random,
});

it('retry decisions stay within the attempts, repeat no refusal, and reread an answer at most twice', () => {
  fc.assert(
    fc.property(question, (asked) => {
      const { again, delayMs } = verdictOf(asked);
      expect(delayMs).toBeGreaterThanOrEqual(0);
      expect(delayMs).toBeLessThanOrEqual(30_000);
      const isLast = asked.attempt >= asked.attempts;
      const { kind } = asked.fault;
      const isHopeless = NEVER.includes(kind) || (kind === 'unreadable' && asked.unreadable > 2);
      expect(again).toBe(!isLast && !isHopeless);
    }),
    runs(10_000),
  );
});

it('retry decisions leave the delay to the server where it named one', () => {
  fc.assert(
    fc.property(question, fc.nat(3_600_000), (asked, retryAfterMs) => {
      const fault: Fault = { ...asked.fault, retryAfterMs };
      const verdict = verdictOf({ ...asked, fault });
      expect(verdict.delayMs).toBe(0);
      const silent = [...NEVER, 'hourly_limit'].includes(fault.kind);
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

it.each(KINDS)('a retry after the fault %s is charged unless the server asked for it', (kind) => {
  const fault: Fault = { kind, message: 'x' };
  const verdict = { again: !NEVER.includes(kind), savedRetries: CHARGED.includes(kind) ? 1 : 2 };
  expect(verdictOf({ ...FIRST, fault })).toMatchObject(verdict);
  const isSpent = verdictOf({ ...FIRST, savedRetries: 0.9, fault });
  expect(isSpent).toMatchObject({ again: FREE.includes(kind), savedRetries: 0.9 });
});

it.each([
  ['the last saved retry is used', { savedRetries: 1 }, { again: true, savedRetries: 0 }],
  ['a fault that is given up anyway costs no retry', { attempt: 5 }, { again: false, savedRetries: 2 }],
])('%s', (_, asked, verdict) => {
  const fault: Fault = { kind: 'server', message: 'x' };
  expect(verdictOf({ ...FIRST, ...asked, fault })).toMatchObject(verdict);
});

it('retries are at most 13 % of the requests and 30 more', () => {
  fc.assert(
    fc.property(fc.array(fc.boolean(), { maxLength: 3_000 }), (steps) => {
      let savedRetries = INITIAL_RETRIES;
      let requests = 0;
      let retries = 0;
      for (const isRequest of steps) {
        if (isRequest) {
          requests += 1;
          savedRetries = earnRetry(savedRetries);
        } else {
          const verdict = verdictOf({ ...FIRST, savedRetries, fault: { kind: 'server', message: 'x' } });
          retries += verdict.again ? 1 : 0;
          savedRetries = verdict.savedRetries;
        }
      }
      expect(retries).toBeLessThanOrEqual(30 + 0.13 * requests);
      expect(savedRetries).toBeLessThanOrEqual(60);
      expect(savedRetries).toBeGreaterThanOrEqual(0);
    }),
  );
});

it.each([
  ['timeout', undefined, true],
  ['server', 503, true],
  ['server', 500, false],
  ['connection', undefined, false],
  ['minute_limit', 429, true],
  ['hourly_limit', 429, true],
  ['unreadable', 200, false],
] as const)('%s with status %j shows an overloaded server: %j', (kind, status, isOverloaded) => {
  const fault: Fault = { kind, message: 'x', ...(status === undefined ? {} : { status }) };
  expect(verdictOf({ ...FIRST, fault }).isOverloaded).toBe(isOverloaded);
});

it.each([
  ['0', 0],
  ['120', 120_000],
  [String(START_MS / 1000 + 5), 5_000],
  [String(START_MS + 5_000), 5_000],
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
  ['Unix milliseconds', String(START_MS + 60_000), START_MS + 60_000],
  ['seconds from now', '60', START_MS + 60_000],
  ['an hour that is just over', String(START_MS / 1000 - 60), START_MS - 60_000],
  ['an hour that is over', String(START_MS / 1000 - 61), null],
  ['next week', NEXT_WEEK, START_MS + 3_600_000],
  ['nonsense', 'x', null],
])('a reset in %s is understood', (_name, reset, resetAt) => {
  expect(readRateLimit({ ...RESET, 'x-ratelimit-reset': reset }, START_MS)).toEqual({
    limit: 100,
    remaining: 7,
    resetAt,
  });
});

it.each([
  [-1_800_000, 3_600_000],
  [1_800_000, 5_400_000],
  [90_000_000, 7_200_000],
])('a server whose clock is %i ms ahead may name a reset %i ms ahead', (aheadMs, longestMs) => {
  const date = new Date(START_MS + aheadMs).toUTCString();
  expect(readRateLimit({ ...RESET, 'x-ratelimit-reset': NEXT_WEEK, date }, START_MS)?.resetAt).toBe(
    START_MS + longestMs,
  );
});

it('headers without a limit or a remainder are ignored', () => {
  expect(readRateLimit({ 'x-ratelimit-remaining': '7' }, START_MS)).toBeNull();
  expect(readRateLimit({ 'x-ratelimit-limit': '0', 'x-ratelimit-remaining': '0' }, START_MS)).toBeNull();
});

it.each<[string, string, Fault, number]>([
  [
    'has its own sentence after that of the server',
    'answered 401: Invalid API key. The key is missing, wrong or revoked',
    { kind: 'refused', message: 'answered 401', status: 401, serverMessage: 'Invalid API key.' },
    1,
  ],
  [
    'follows a semicolon if the server ended no sentence',
    'answered 500 after 5 tries, INTERNAL_ERROR: it broke; run again later',
    {
      kind: 'server',
      message: 'answered 500',
      status: 500,
      code: 'INTERNAL_ERROR',
      serverMessage: 'it broke',
    },
    5,
  ],
  [
    'ends with the advice for its status',
    'answered 402; the plan does not have it',
    { kind: 'refused', message: 'answered 402', status: 402 },
    1,
  ],
])('the message of a request that was given up %s', (...[, message, fault, requests]) => {
  const asked = { fault, attempt: 5, attempts: 5, unreadable: 0, savedRetries: 1, random: 0 };
  const call = { method: 'GET', path: '/api/v1/x' } as const;
  const { consequence } = verdictOf(asked);
  const error = apiErrorOf(call, fault, { account: 'acme', consequence, requests });
  expect(error.message).toBe(`GET /api/v1/x (account acme): ${message}`);
});
