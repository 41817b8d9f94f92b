import { expect, it } from 'vitest';
import { apiErrorOf } from '../../src/extract/api-error.ts';
import { type Fault, verdictOf } from '../../src/extract/retry.ts';

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
    'answered 402; nothing more of the project is asked in this run',
    { kind: 'refused', message: 'answered 402', status: 402 },
    1,
  ],
])('the message of a request that was given up %s', (...[, message, fault, requests]) => {
  const asked = { fault, attempt: 5, attempts: 5, unreadable: 0, savedRetries: 1, random: 0 };
  const call = { method: 'GET', path: '/api/v1/x' } as const;
  const told = { call, account: 'acme', fault, consequence: verdictOf(asked).consequence, requests };
  expect(apiErrorOf(told).message).toBe(`GET /api/v1/x (account acme): ${message}`);
});
