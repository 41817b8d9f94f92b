import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { loadConfig } from '../../src/config/file.ts';
import { baseUrlRule } from '../../src/config/rules.ts';
import { decodeText, isSameName } from '../../src/text.ts';
import { openFolder } from '../support/folder.ts';

const TEXT = `version: 1
api: { base_url: 'https://server.example.com/prefix' }
accounts: [{ name: café, api_key: env:ACME_KEY }]
sync: { start_date: 2025-03-01 }
`;

const swapped = (bytes: Buffer): Buffer => Buffer.from(bytes).swap16();

it.each([
  ['UTF-8', Buffer.from(TEXT)],
  ['UTF-8 with a mark', Buffer.from(`\uFEFF${TEXT}`)],
  ['UTF-16, little end first', Buffer.from(`\uFEFF${TEXT}`, 'utf16le')],
  ['UTF-16, big end first', swapped(Buffer.from(`\uFEFF${TEXT}`, 'utf16le'))],
])('a configuration in %s is read', (_, bytes) => {
  expect(decodeText(bytes)).toBe(TEXT);
  const path = join(openFolder(), 'answerlake.yaml');
  writeFileSync(path, bytes);
  expect(loadConfig({ path, env: { ACME_KEY: 'a-key' } }).accounts[0]?.name).toBe('café');
});

it.each([
  [
    'https://a.example/api/v1',
    'ends with /api/v1, with which the paths of the API begin: write https://a.example',
  ],
  [
    'https://a.example/p/api/v2/',
    'ends with /api/v2, with which the paths of the API begin: write https://a.example/p',
  ],
  ['https://a.example/api', 'ends with /api, with which the paths of the API begin: write https://a.example'],
  ['https://a.example/api-gateway', undefined],
])('the base URL %s is judged', (url, problem) => {
  expect(baseUrlRule(url)).toBe(problem);
});

it.each([
  ['Proj\u00E9ct 0', 'Proje\u0301ct 0', true],
  ['\u00C9cole', 'e\u0301cole', true],
  ['Project', 'Projéct', false],
  [null, 'x', false],
])('names are one in each spelling of an accent: %s, %s', (name, typed, isOne) => {
  expect(isSameName(name, typed)).toBe(isOne);
});
