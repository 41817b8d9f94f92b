import { expect, it } from 'vitest';
import { explainPostgres } from '../../../src/targets/postgres/session.ts';
import { secretOf } from '../../../src/secret.ts';

const url = secretOf('env:WAREHOUSE_URL', 'postgres://user:pass-word@host/db');

it.each([
  ['ECONNREFUSED', 7, /cannot be used: .*Check that it runs/],
  ['28P01', 7, /Check user and password/],
  ['42501', 7, /grant it CREATE/],
  ['53100', 7, /Free some space/],
  ['53300', 7, /has no connection left.*Raise max_connections/],
  ['25006', 7, /Name the primary server/],
  ['55P03', 6, /is locked by another program/],
  ['2BP01', 7, /Drop it, run answerlake publish/],
])('a failure %s ends with exit code %i and says what to do', (code, exitCode, message) => {
  const error = explainPostgres(url, Object.assign(new Error('no'), { code, detail: 'view mine' }));
  expect(error.exitCode).toBe(exitCode);
  expect(error.message).toMatch(message);
  expect(error.message).toContain('(view mine)');
  expect(error.message).toMatch(/^warehouse\.url \(env:WAREHOUSE_URL\): .*It is as it was/);
  expect(error.message).not.toContain('pass-word');
});
