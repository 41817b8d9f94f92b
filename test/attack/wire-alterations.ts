import { gzipSync } from 'node:zlib';
import type { Alteration, Altered } from './alteration.ts';
import { skewedClock } from './clock-alterations.ts';
import type { Dice } from './dice.ts';

const ERROR = { error: 'Internal', message: 'it broke', details: {}, statusCode: 500 };
const ODD_BODIES: readonly unknown[] = [
  null,
  {},
  true,
  0,
  'ok',
  ERROR,
  { data: [] },
  { error: null },
  [[[]]],
  { events: null, total: 0, totalPages: 0 },
];
const ODD_STATUSES = [
  201, 204, 206, 226, 304, 307, 400, 401, 402, 403, 404, 405, 409, 410, 418, 422, 451, 500, 501, 502, 503,
  504, 520, 599,
];
const ODD_WAITS = [
  '31536000',
  '-1',
  'NaN',
  '1e300',
  '9'.repeat(30),
  'Fri, 31 Dec 9999 23:59:59 GMT',
  'soon',
  '',
];
const YEAR_SECONDS = 31_536_000;

function wire(name: string, altered: (dice: Dice, body: unknown) => Altered): Alteration {
  return { name, belief: 'refused', alter: ({ body }, dice) => altered(dice, body) };
}

function textOnly(name: string, text: (json: string, dice: Dice) => string | Buffer): Alteration {
  return { name, belief: 'refused', alter: (_, dice) => ({ text: (json) => text(json, dice) }) };
}

export const wireAlterations: readonly Alteration[] = [
  skewedClock,
  textOnly('no body', () => ''),
  textOnly('blanks', () => ' \n\t '),
  textOnly('a page of HTML', () => '<!doctype html><title>Maintenance</title>'),
  textOnly('half of the JSON', (json, dice) => json.slice(0, 1 + dice.below(json.length - 1))),
  textOnly('two JSON documents', (json) => `${json}\n${json}`),
  textOnly('JSON after a guard', (json) => `)]}',\n${json}`),
  textOnly('JSON after a byte order mark', (json) => `\ufeff${json}`),
  textOnly('UTF-16', (json) => Buffer.from(json, 'utf16le')),
  textOnly('bytes that are no UTF-8', (json) => Buffer.from(json.replace(/[a-z](?=[a-z]+")/, 'é'), 'latin1')),
  textOnly('NaN without quotes', (json) => json.replace(/:\d+(\.\d+)?/, ':NaN')),
  textOnly('a number beyond all numbers', (json) => json.replace(/:\d+(\.\d+)?(?=[,}])/, ':1e999')),
  textOnly('a field `__proto__`', (json) =>
    json.replaceAll('{', '{"__proto__":{"date":"2020-01-01"},').replaceAll(',}', '}'),
  ),
  textOnly('a field nested 5,000 deep', (json) =>
    json.replace('{', `{"deep":${'['.repeat(5000)}${']'.repeat(5000)},`).replace(',}', '}'),
  ),
  textOnly('a field of 300,000 entries', (json) =>
    json.replace('{', `{"wide":[${'0,'.repeat(300_000)}0],`).replace(',}', '}'),
  ),
  wire('an odd body', (dice) => ({ body: dice.pick(ODD_BODIES) })),
  wire('the body in another', (dice, body) => ({
    body: dice.pick([{ data: body }, [body], { result: body, ok: true }]),
  })),
  wire('an odd status with the right body', (dice) => ({ status: dice.pick(ODD_STATUSES) })),
  wire('an odd status with an odd body', (dice) => ({
    status: dice.pick(ODD_STATUSES),
    body: dice.pick(ODD_BODIES),
  })),
  wire('absurd headers of the quota', (dice) => ({
    headers: {
      'x-ratelimit-limit': dice.pick(['-1', 'NaN', '1e300', '0']),
      'x-ratelimit-remaining': dice.pick(['-5', 'many', '1e300']),
      'x-ratelimit-reset': dice.pick(['0', '99999999999999', 'tomorrow']),
      'retry-after': dice.pick(ODD_WAITS),
    },
  })),
  wire('a redirect', (dice) => ({
    status: dice.pick([301, 302, 303, 307, 308]),
    headers: { location: dice.pick(['/', 'http://127.0.0.1:9/elsewhere', 'https://[', '']) },
  })),
  wire('a wrong content encoding', (dice) => ({
    headers: { 'content-encoding': dice.pick(['gzip', 'br', 'deflate', 'zstd', 'gzip, gzip']) },
  })),
  {
    name: 'half of a gzip stream',
    belief: 'refused',
    alter: () => ({
      headers: { 'content-encoding': 'gzip' },
      text: (json) => {
        const bytes = gzipSync(json);
        return bytes.subarray(0, Math.floor(bytes.length / 2));
      },
    }),
  },
  wire('another content type', (dice) => ({
    headers: {
      'content-type': dice.pick(['text/html', 'application/xml', 'x', 'text/plain; charset=utf-16']),
    },
  })),
  wire('a broken connection', () => ({ manner: 'reset' })),
  wire('half of the body, then the end', () => ({ manner: 'cut' })),
];

/** Each costs a deadline of real time, so a night has them rarely. */
export const slowAlterations: readonly Alteration[] = [
  wire('a drip of bytes', () => ({ manner: 'drip' })),
  wire('no answer', () => ({ manner: 'hang' })),
];

/** They speak of the whole key, so a night that has them says little of the rest. */
export const keyWideAlterations: readonly Alteration[] = [
  wire('a quota that asks for an absurd wait', (dice) => ({
    status: dice.pick([429, 503]),
    headers: { 'retry-after': dice.pick(ODD_WAITS) },
    body: {
      ...ERROR,
      retryAfter: dice.pick([YEAR_SECONDS, -1, 1e300, 'NaN', null]),
      limit: 100,
      remaining: 0,
    },
  })),
];
