import { expect, it } from 'vitest';
import { postgresError } from '../../src/scale/queue/postgres.ts';
import { secretOf } from '../../src/secret.ts';

const url = secretOf('env:QUEUE_URL', 'postgres://user:pass-word@host/db');

it.each([
  ['ECONNREFUSED', /Check that it runs and that the address is right/],
  ['28P01', /Check user and password/],
  ['3D000', /Create that database/],
  ['42501', /grant it CREATE/],
  ['53300', /Raise max_connections.*fewer workers/],
  ['53100', /Free some disk space/],
  ['25006', /Name the primary server/],
])('a failure %s of the queue ends with exit code 7 and says what to do', (code, message) => {
  const error = postgresError(url, Object.assign(new Error('no'), { code }));
  expect(error.exitCode).toBe(7);
  expect(error.message).toMatch(message);
  expect(error.message).toMatch(/^queue\.url \(env:QUEUE_URL\): PostgreSQL does not serve the queue: no\./);
  expect(error.message).not.toContain('pass-word');
});
