import { expect, it } from 'vitest';
import { AnswerlakeError } from '../../src/errors.ts';
import { openLog, unblocked, type LogOptions } from '../../src/log.ts';
import { secretOf } from '../../src/secret.ts';
import { inspect } from 'node:util';

const KEY = 'pk/live+9f8e "7d6c" 5b4a';

function record(options: Partial<LogOptions> = {}) {
  const lines: string[] = [];
  const log = openLog({
    level: 'debug',
    quiet: false,
    secrets: [secretOf('env:KEY', KEY)],
    destination: { write: (line) => void lines.push(line) },
    ...options,
  });
  return { log, lines };
}

it('openLog writes one JSON line an event, with its fields, and class and causes of an error', () => {
  const { log, lines } = record();
  const cause = new Error('socket closed');
  const error = new AnswerlakeError('no answer', { class: 'transient', cause });
  log.child({ run_id: 'r1' }).error('run.failed', { error });
  expect(lines).toHaveLength(1);
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({
    level: 'error',
    event: 'run.failed',
    run_id: 'r1',
    error: { class: 'transient', message: 'no answer', cause: { message: 'socket closed' } },
  });
});

it.each<[string, (log: ReturnType<typeof record>['log']) => void]>([
  ['a field', (log) => log.info('a.b', { headers: { 'X-API-KEY': KEY, 'x-api-key': [KEY] } })],
  ['the event name', (log) => log.info(`called with ${KEY}`)],
  ['an error message and its stack', (log) => log.error('a.b', { error: new Error(`bad key ${KEY}`) })],
  ['the cause of an error', (log) => log.error('a.b', { error: new Error('x', { cause: new Error(KEY) }) })],
  ['a field name', (log) => log.info('a.b', { [KEY]: 1 })],
  ['lower-case URL-encoding', (log) => log.info('a.b', { url: encodeURIComponent(KEY).toLowerCase() })],
  ['a child log', (log) => log.child({ key: KEY }).warn('a.b')],
])('openLog redacts the secret in %s', (_, write) => {
  const { log, lines } = record();
  write(log);
  expect(lines).toHaveLength(1);
  const text = lines.join('');
  expect(text).toContain('[secret]');
  expect(() => JSON.parse(text) as unknown).not.toThrow();
  for (const form of [KEY, JSON.stringify(KEY).slice(1, -1)]) expect(text).not.toContain(form);
});

it('openLog writes keys in snake_case, also of a child and of an error', () => {
  const { log, lines } = record();
  const error = new AnswerlakeError('no answer', { class: 'transient' });
  log.child({ projectId: 'p1' }).info('quota.learned', { resetAt: 1, duration_ms: 2, error, rate2Xx: 3 });
  expect(lines.join('')).not.toMatch(/"[a-z]+[A-Z]\w*":/);
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({
    project_id: 'p1',
    reset_at: 1,
    duration_ms: 2,
    error: { exit_code: 5 },
  });
});

it('openLog stays JSON when a number looks like a secret', () => {
  const { log, lines } = record({ secrets: [secretOf('env:KEY', '12345678')] });
  log.info('a.b', { amount: 12_345_678 });
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ amount: '[secret]' });
});

it('openLog writes errors only when quiet', () => {
  const { log, lines } = record({ quiet: true });
  log.warn('a.b');
  log.error('c.d');
  expect(lines.map((line) => (JSON.parse(line) as { event: string }).event)).toEqual(['c.d']);
});

it('openLog writes lines for people on a terminal, without unknown fields', () => {
  const { log, lines } = record({ format: 'text' });
  log.info('slice.loaded', { endpoint: 'visibility', job: null, error: new Error('two words'), note: 'a b' });
  expect(lines[0]).toMatch(
    /^\d\d:\d\d:\d\d info {2}slice\.loaded endpoint=visibility error="two words" note="a b"\n$/,
  );
});

it('a log whose reader stands still drops lines, counts them, and says so when it is read again', () => {
  const written: string[] = [];
  const stream = { writableLength: 0, write: (text: string) => void written.push(text) };
  const log = openLog({ level: 'info', quiet: false, secrets: [], destination: unblocked(stream, String) });
  log.info('a.first');
  stream.writableLength = 2_000_000;
  log.info('a.second');
  log.info('a.third');
  stream.writableLength = 0;
  log.info('a.fourth');
  expect(written.map((line) => JSON.parse(line) as unknown)).toMatchObject([
    { event: 'a.first' },
    { event: 'log.dropped', lines: 2 },
    { event: 'a.fourth' },
  ]);
});

const text = 'pk_live_9f8e7d6c5b4a';
const secret: unknown = secretOf('env:ACME_API_KEY', text);
const shown = '[secret env:ACME_API_KEY]';

it('secretOf gives a secret that prints its origin only, also when it is copied or looked into', () => {
  expect(JSON.stringify(secret)).toBe(`"${shown}"`);
  expect(inspect(secret)).toBe(shown);
  expect(`key: ${secret as string}`).toBe(`key: ${shown}`);
  expect(JSON.stringify({ ...(secret as object) })).not.toContain(text);
  expect(inspect({ deep: [{ secret }] }, { depth: 9, showHidden: true })).not.toContain(text);
});
