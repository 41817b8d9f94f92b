import { expect, it } from 'vitest';
import { AnswerlakeError } from '../../src/errors.ts';
import { silentLog } from '../../src/log.ts';
import { GivenUp } from '../../src/run/refusals.ts';
import { refusal } from '../extract/rig.ts';

const at = (path: string, project: string | null = 'p1') => ({ account: 'acme', project, path });

it.each([401, 402, 403])('%i closes its path alone', (status) => {
  const givenUp = new GivenUp(silentLog);
  // Another refusal closes nothing.
  expect([givenUp.failed(at('/y'), refusal(404)), givenUp.closed(at('/y'))]).toEqual([false, null]);
  expect(givenUp.failed(at('/x'), refusal(status))).toBe(false);
  expect(givenUp.closed(at('/x'))?.message).toContain(`answered ${String(status)}`);
  expect(givenUp.closed(at('/x', 'p2')) === null).toBe(status !== 401);
  expect(givenUp.closed(at('/y'))).toBeNull();
  expect(givenUp.has(at('/x'))).toBe(false);
});

it('401 at a second path gives the account up, once, unless an answer came in between', () => {
  const givenUp = new GivenUp(silentLog);
  const error = refusal(401);
  expect(givenUp.failed(at('/x'), error)).toBe(false);
  givenUp.answered(at('/y'));
  expect(givenUp.failed(at('/z'), error)).toBe(false);
  expect(givenUp.failed(at('/z', 'p2'), error)).toBe(false);
  for (const path of ['/y', '/x']) expect(givenUp.failed(at(path), error)).toBe(true);
  expect([givenUp.takeProblems(), givenUp.takeProblems()]).toEqual([[{ error, account: 'acme' }], []]);
  expect(givenUp.has(at('/q', 'p3'))).toBe(true);
});

it('402 at a second path gives the project up; 403 never does', () => {
  const givenUp = new GivenUp(silentLog);
  for (const path of ['/x', '/y', '/z']) givenUp.failed(at(path, 'p2'), refusal(403));
  for (const path of ['/x', '/y']) expect(givenUp.failed(at(path), refusal(402))).toBe(false);
  expect([givenUp.has(at('/z')), givenUp.has(at('/z', 'p2'))]).toEqual([true, false]);
});

it('a used-up quota, a silence of the key and a process without memory stop the account at once', () => {
  const errors = [
    new AnswerlakeError('quota', { class: 'quota' }),
    new AnswerlakeError('silence', { class: 'transient', scope: 'slice', waitUntilMs: 1 }),
    new AnswerlakeError('memory', { class: 'storage' }),
    new AnswerlakeError('down', { class: 'transient', scope: 'run' }),
  ];
  for (const error of errors) expect(new GivenUp(silentLog).failed(at('/x'), error)).toBe(true);
  const slice = new AnswerlakeError('late', { class: 'transient', scope: 'slice' });
  expect(new GivenUp(silentLog).failed(at('/x'), slice)).toBe(false);
});

it('the list of a key stops nothing but for its quota', () => {
  const givenUp = new GivenUp(silentLog);
  for (const path of ['/a', '/b']) expect(givenUp.failed(at(path, null), refusal(401))).toBe(false);
  expect(givenUp.closed(at('/a', null))).toBeNull();
  expect(givenUp.has(at('/x'))).toBe(false);
});
