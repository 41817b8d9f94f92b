import { expect, it } from 'vitest';
import { apiErrorOf } from '../../src/extract/api-error.ts';
import { type Fault, verdictOf } from '../../src/extract/retry.ts';

const CALL = { method: 'GET', path: '/api/v1/x' } as const;

function messageOf(fault: Fault, requests = 1): string {
  const { consequence } = verdictOf({
    fault,
    attempt: 5,
    attempts: 5,
    unreadable: 0,
    savedRetries: 1,
    random: 0,
  });
  return apiErrorOf({ call: CALL, account: 'acme', fault, consequence, requests }).message;
}

it('the message of a request that was given up has its own sentence after that of the server', () => {
  const fault = {
    kind: 'refused',
    message: 'answered 401',
    status: 401,
    serverMessage: 'Invalid API key.',
  } as const;
  expect(messageOf(fault)).toBe(
    'GET /api/v1/x (account acme): answered 401: Invalid API key. The key is missing, wrong or revoked',
  );
});

it('the message of a request that was given up follows a semicolon if the server ended no sentence', () => {
  const fault = {
    kind: 'server',
    message: 'answered 500',
    status: 500,
    code: 'INTERNAL_ERROR',
    serverMessage: 'it broke',
  } as const;
  expect(messageOf(fault, 5)).toBe(
    'GET /api/v1/x (account acme): answered 500 after 5 tries, INTERNAL_ERROR: it broke; run again later',
  );
});
