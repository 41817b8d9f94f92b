import { describe, expect, test } from 'vitest';
import { catalogue, endpointNamed } from '../support/catalogue.ts';
import { AnswerlakeError } from '../../src/errors.ts';
import type { ValidatedAnswer } from '../../src/believe/read-answer.ts';
import { listed, readBody, sliceOf, SYNC_DAY } from '../support/answers.ts';
import { breakagesOf, fewBreakagesOf } from '../support/broken-bodies.ts';
import { documentedBodies, fixtures } from '../support/fixtures.ts';
import { isThorough } from '../support/runs.ts';

/** The answer read, or the error of class contract that it deserves; anything else is thrown on. */
function read(endpoint: string, body: unknown): ValidatedAnswer | 'refused' {
  const slice = fixtures.get(endpoint)?.slice ?? {};
  try {
    return readBody(endpoint, body, { slice });
  } catch (error) {
    if (error instanceof AnswerlakeError && error.class === 'contract' && error.scope === 'slice')
      return 'refused';
    throw error;
  }
}

/** A competitor's rank is its place in the list, and the list is shorter without the broken one. */
function rowTexts({ rows }: ValidatedAnswer): string[] {
  return listed(rows).map(({ table, values }) =>
    JSON.stringify({ table, values: { ...values, competitor_rank: null } }),
  );
}

/** True where a body is one item, which has no neighbours. */
function isSingle(endpoint: string, body: unknown): boolean {
  const of = { slice: sliceOf(endpoint), syncDay: SYNC_DAY, fetchedAt: 0, status: 200, page: 1 };
  const reading = endpointNamed(endpoint).readBody(body, of);
  return reading.success && [...reading.data.items].every(({ path }) => !path().includes('['));
}

describe.each(catalogue.map(({ name }) => name))('%s', (endpoint) => {
  const body = documentedBodies[endpoint];
  const breakages = isThorough ? breakagesOf(body) : fewBreakagesOf(body);

  test(`${endpoint} reads the documented body without reject or drift`, () => {
    expect(read(endpoint, body)).toMatchObject({ rejects: [], drift: [] });
  });

  test(`${endpoint} treats every broken field as a reject, a drift or a refused answer, and as nothing else`, () => {
    let bad = 0;
    for (const { what, body: broken } of breakages) {
      const answer = read(endpoint, broken);
      if (answer === 'refused' || answer.rejects.length > 0 || answer.drift.length > 0) bad += 1;
      for (const { reason, row } of answer === 'refused' ? [] : answer.rejects) {
        expect(reason.length, what).toBeGreaterThan(0);
        expect(() => JSON.parse(row) as unknown, what).not.toThrow();
      }
    }
    expect(bad).toBeGreaterThan(0);
  });

  test(`${endpoint} loads the items beside a broken one`, () => {
    let compared = 0;
    for (const { what, body: broken, bodyWithoutItem } of breakages) {
      const answer = read(endpoint, broken);
      if (answer === 'refused' || answer.rejects.length === 0 || bodyWithoutItem === undefined) continue;
      const neighbours = read(endpoint, bodyWithoutItem);
      if (neighbours === 'refused') throw new Error('a shorter list is read');
      const expected = expect.arrayContaining(rowTexts(neighbours)) as unknown;
      expect(rowTexts(answer), what).toEqual(expected);
      compared += 1;
    }
    expect(compared > 0).toBe(!isSingle(endpoint, body));
  });
});
