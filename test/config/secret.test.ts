import { inspect } from 'node:util';
import { expect, it } from 'vitest';
import { secretOf } from '../../src/secret.ts';

const text = 'pk_live_9f8e7d6c5b4a';
const secret: unknown = secretOf('env:ACME_API_KEY', text);
const shown = '[secret env:ACME_API_KEY]';

it('secretOf gives a secret that prints its origin only', () => {
  expect(JSON.stringify(secret)).toBe(`"${shown}"`);
  expect(inspect(secret)).toBe(shown);
  expect(`key: ${secret as string}`).toBe(`key: ${shown}`);
});

it('secretOf gives a secret that stays hidden when it is copied or looked into', () => {
  expect(JSON.stringify({ ...(secret as object) })).not.toContain(text);
  expect(inspect({ deep: [{ secret }] }, { depth: 9, showHidden: true })).not.toContain(text);
});
