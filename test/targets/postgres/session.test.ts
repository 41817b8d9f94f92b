import { DatabaseError } from 'pg';
import { expect, it } from 'vitest';
import { postgresError } from '../../../src/scale/queue/postgres.ts';
import { explainPostgres } from '../../../src/targets/postgres/session.ts';
import { secretOf } from '../../../src/secret.ts';

const url = secretOf('env:PG_URL', 'postgres://user:pass-word@host/db');

it.each([
  ['ECONNREFUSED', 7, [/^cannot be used$/, /^Check that it runs and that the address is right$/]],
  ['28P01', 7, [/^refuses the connection$/, /^Check user and password, and add sslmode=require/]],
  ['3D000', 7, [/^has no such database$/, /^Create that database/]],
  ['42501', 7, [/^lacks a right/, /grant it CREATE/]],
  ['53100', 7, [/^has no disk space left$/, /^Free some disk space/]],
  ['53300', 7, [/^has no connection left$/, /^Raise max_connections.*fewer workers/]],
  ['25006', 7, [/^is read-only$/, /^Name the primary server/]],
  ['55P03', 6, [/^is locked by another program$/, /^Wait/]],
  ['2BP01', 7, [/^has an object of yours/, /^Drop it, run answerlake publish/]],
] as const)(
  'a failure %s of the target ends with exit code %i, one of the queue with 7',
  (code, exitCode, [what, todo]) => {
    const failure = Object.assign(new DatabaseError('no', 1, 'error'), { code, detail: 'view mine\nmore' });
    const target = explainPostgres(url, failure);
    const queue = postgresError(url, failure);
    expect([target.exitCode, queue.exitCode]).toEqual([exitCode, 7]);
    const ofTarget =
      /^warehouse\.url \(env:PG_URL\): PostgreSQL (.*): no \(view mine\)\. (.*)\. It is as it was, and/;
    const ofQueue =
      /^queue\.url \(env:PG_URL\): PostgreSQL (does not serve the queue): no \(view mine\)\. (.*); then run again\.$/;
    expect(ofTarget.exec(target.message)?.slice(1)).toEqual([
      expect.stringMatching(what),
      expect.stringMatching(todo),
    ]);
    expect(ofQueue.exec(queue.message)?.[2]).toMatch(todo);
  },
);
