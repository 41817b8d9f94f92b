import { expect, it } from 'vitest';
import { AnswerlakeError, type AnswerlakeErrorOptions } from '../../src/errors.ts';
import { openAccess, refusal } from './rig.ts';

const at = (path: string, project: string | null = 'p1') => ({ project, path });

it.each([401, 402, 403, 501])('%i closes its path alone', (status) => {
  const { access } = openAccess();
  // Another refusal closes nothing.
  expect([access.sliceFailed(at('/y'), refusal(404)), access.refusalOf(at('/y'))]).toEqual([false, null]);
  expect(access.sliceFailed(at('/x'), refusal(status))).toBe(false);
  expect(access.refusalOf(at('/x'))?.message).toContain(`answered ${String(status)}`);
  expect(access.refusalOf(at('/x', 'p2')) === null).toBe(status !== 401);
  expect(access.refusalOf(at('/y'))).toBeNull();
  expect(access.isBlocked).toBe(false);
});

it('401 at a second path gives the account up, once, unless an answer came in between', () => {
  const { access } = openAccess();
  const error = refusal(401);
  expect(access.sliceFailed(at('/x'), error)).toBe(false);
  access.sliceAnswered(at('/y').project);
  expect(access.sliceFailed(at('/z'), error)).toBe(false);
  expect(access.sliceFailed(at('/z', 'p2'), error)).toBe(false);
  for (const path of ['/y', '/x']) expect(access.sliceFailed(at(path), error)).toBe(true);
  expect([access.takeProblem(), access.takeProblem()]).toEqual([error, null]);
  expect(access.isBlocked).toBe(true);
});

it('a plan without several features stops nothing but their paths, and a limited path is limited for every project', () => {
  const { access } = openAccess();
  for (const status of [402, 403, 501])
    for (const path of ['/x', '/y', '/z'])
      access.sliceFailed(at(`${path}${String(status)}`), refusal(status));
  expect([access.isBlocked, access.refusalOf(at('/q'))]).toEqual([false, null]);
  access.sliceFailed(at('/l'), refusal(429));
  expect(access.refusalOf(at('/l', 'p2'))?.message).toContain('answered 429');
});

it('a used-up quota, a silence of the key and a process without memory stop the account at once', () => {
  const stops = (options: AnswerlakeErrorOptions): boolean =>
    openAccess().access.sliceFailed(at('/x'), new AnswerlakeError('failed', options));
  expect(stops({ class: 'quota' })).toBe(true);
  expect(stops({ class: 'transient', scope: 'slice', waitUntilMs: 1 })).toBe(true);
  expect(stops({ class: 'storage' })).toBe(true);
  expect(stops({ class: 'transient', scope: 'run' })).toBe(true);
  expect(stops({ class: 'transient', scope: 'slice' })).toBe(false);
});

it('the list of a key stops nothing but for its quota', () => {
  const { access } = openAccess();
  for (const path of ['/a', '/b']) expect(access.sliceFailed(at(path, null), refusal(401))).toBe(false);
  expect(access.refusalOf(at('/a', null))).toBeNull();
  expect(access.isBlocked).toBe(false);
});
