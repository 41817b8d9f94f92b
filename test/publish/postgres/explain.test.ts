import { expect, it } from 'vitest';
import { explainPostgres } from '../../../src/publish/postgres/explain.ts';
import { secretOf } from '../../../src/secret.ts';

const url = secretOf('env:WAREHOUSE_URL', 'postgres://user:pass-word@host/db');

it.each([
  ['ECONNREFUSED', 7, /cannot be brought up to date: .*check that it runs/],
  ['28P01', 7, /check user and password/],
  ['42501', 7, /grant it CREATE/],
  ['53100', 7, /free some space/],
  ['25006', 7, /name the primary server/],
  ['55P03', 6, /is held by somebody else/],
  ['2BP01', 7, /drop it, run answerlake publish/],
])('a failure %s ends with exit code %i and says what to do', (code, exitCode, message) => {
  const error = explainPostgres(url, Object.assign(new Error('no'), { code, detail: 'view mine' }));
  expect(error.exitCode).toBe(exitCode);
  expect(error.message).toMatch(message);
  expect(error.message).toContain('(view mine)');
  expect(error.message).toMatch(/^warehouse\.url \(env:WAREHOUSE_URL\): .*the published file is in place/);
  expect(error.message).not.toContain('pass-word');
});
