import { createServer } from 'node:http';
import { expect, it, afterEach, onTestFinished, vi } from 'vitest';
import { notificationText, postWebhook } from '../../../src/daemon/notify/webhook.ts';
import {
  decideNotifications,
  type FinishedRun,
  NOTHING_SENT,
  type NotifyState,
} from '../../../src/daemon/notify/decide-notifications.ts';
import { realEffects } from '../../../src/effects.ts';
import { secretOf } from '../../../src/secret.ts';
import { listen, openScriptedServer } from '../../support/scripted-server.ts';

const START = Date.parse('2025-03-05T02:00:00Z');
const HOUR = 3_600_000;
const CODES = { ok: 0, partial: 3, failed: 4, parked: 5, stopped: 143 } as const;

function run(status: FinishedRun['status'], rest: Partial<FinishedRun> = {}): FinishedRun {
  return {
    run_id: 'r1',
    job: 'nightly',
    status,
    exit_code: CODES[status],
    started_at: '2025-03-05T02:00:00.000Z',
    finished_at: '2025-03-05T02:05:00.000Z',
    requests: 10,
    slices_loaded: 9,
    slices_failed: 1,
    failures: [],
    ...rest,
  };
}

/** What is state over a sequence of runs an hour apart, everything delivered unless said otherwise. */
function tell(runs: readonly FinishedRun[], isDelivered = true): string[][] {
  let state: NotifyState = NOTHING_SENT;
  return runs.map((one, index) => {
    const now = START + index * HOUR;
    const started = { ...one, started_at: new Date(now).toISOString() };
    const decided = decideNotifications({ run: started, state, stale: null, now });
    return decided.flatMap(({ of, notification, kept, told }) => {
      const alert = notification !== null && isDelivered ? told : kept;
      const others = state.alerts.filter((known) => known.of !== of);
      state = { ...state, alerts: alert === null ? others : [...others, alert] };
      if (notification === null) return [];
      return notification.isOver ? `end of ${notification.alert.kind}` : notification.alert.kind;
    });
  });
}

const LOCKED = run('failed', { exit_code: 6 });
const OTHER_JOB = { job: 'events-hourly' };

it.each<[string, FinishedRun[], string]>([
  [
    'becoming known is no recovery',
    [run('partial'), run('ok', { newly_known: 1 }), run('ok'), run('failed'), run('ok', { newly_known: 1 })],
    'partial, , , failure, end of failure',
  ],
  ['no message is due while runs succeed', [run('ok'), run('ok')], ', '],
  ...(['failed', 'partial', 'parked'] as const).map((status): [string, FinishedRun[], string] => [
    `a message is due once for ${status} runs, and for the recovery`,
    [run(status), run(status), run('ok'), run('ok')],
    `${status === 'failed' ? 'failure' : 'partial'}, , end of ${status === 'failed' ? 'failure' : 'partial'}, `,
  ]),
  [
    'a message about the same failure is repeated after six hours',
    Array.from({ length: 8 }, () => run('failed')),
    'failure, , , , , , failure, ',
  ],
  [
    'a message is due when a failure changes',
    [run('failed'), run('failed', { exit_code: 7 }), run('partial')],
    'failure, failure, partial',
  ],
  ['no message is due for a stop by hand or a locked file', [run('stopped'), LOCKED], ', '],
  [
    'neither a stop by hand nor a locked file hides a failure',
    [run('failed'), run('stopped'), LOCKED, run('ok')],
    'failure, , , end of failure',
  ],
  [
    'a message is due when no run had the working file for a day, and again every six hours, and for the end',
    [...Array.from({ length: 31 }, () => LOCKED), run('ok')],
    `${', '.repeat(24)}failure, , , , , , failure, end of failure`,
  ],
  [
    'a working file that was free once within the day begins a new day',
    [...Array.from({ length: 23 }, () => LOCKED), run('ok'), ...Array.from({ length: 23 }, () => LOCKED)],
    ', '.repeat(46),
  ],
  [
    'messages about one job do not depend on another job',
    [run('failed'), run('ok', OTHER_JOB), run('failed', { job: null }), run('ok')],
    'failure, , failure, end of failure',
  ],
])('%s', (_title, runs, kinds) => {
  expect(tell(runs).join(', ')).toBe(kinds);
});

it('a message that could not be sent is due again', () => {
  const runs = [run('failed'), run('failed'), run('ok'), run('ok')];
  expect(tell(runs, false).flat()).toEqual(['failure', 'failure', 'end of failure', 'end of failure']);
});

it('a message is due when stale data is fresh again', () => {
  const since = '2025-03-01T00:00:00.000Z';
  const alert = { of: '*', kind: 'stale' as const, exit_code: 0, since, told_at: null };
  const state = { ...NOTHING_SENT, alerts: [alert] };
  const [decided] = decideNotifications({ run: run('ok'), state, stale: [], now: START });
  expect(decided).toMatchObject({ notification: { alert, isOver: true }, told: null });
});

const failures = Array.from({ length: 8 }, (_, index) => ({
  project: 'p1',
  project_name: null,
  endpoint: `e${index}`,
  class: 'contract' as const,
  // The key lies where the message is cut.
  message: `<!channel> & ${'x'.repeat(280)} pk_live_1 ${'x'.repeat(2000)}`,
}));
const since = '2025-03-05T02:00:00.000Z';
const notification = {
  alert: { of: 'nightly', kind: 'failure' as const, exit_code: 4, since, told_at: null },
  isOver: false,
  run: run('failed', { failures }),
  stale: [],
};
const message = notificationText(notification, (text) => text.replaceAll('pk_live_1', '[secret]'));
const shown = message.blocks[0]?.text.text ?? '';

it('a message says what failed, how, and what to do', () => {
  expect(message.text).toBe('answerlake: job nightly failed (exit code 4)');
  expect(shown).toContain('p1 e0 (contract): ');
  expect(shown).toContain('… and 3 more');
  expect(shown).toContain('run answerlake check');
});

it('a message holds no secret and no mention, and fits into a block', () => {
  expect(shown).not.toContain('pk_l');
  expect(shown).not.toContain('<!channel>');
  expect(shown.length).toBeLessThanOrEqual(3000);
});

it.each([0, 1, 2, 3, 4])('a message is not cut inside an escaped character (%i)', (offset) => {
  const escaped = failures.map((one) => ({ ...one, message: 'x'.repeat(offset) + '&'.repeat(280) }));
  const long = { ...notification, run: run('failed', { failures: escaped }) };
  const [block] = notificationText(long, (text) => text).blocks;
  expect(block?.text.text).toMatch(/…$/);
  expect(block?.text.text).not.toMatch(/&(?!amp;|lt;|gt;)/);
});

afterEach(() => void vi.restoreAllMocks());

const MESSAGE = { text: 'hello', blocks: [] };

async function post(
  statuses: readonly (number | 'hang' | 'cut')[],
  headers: Record<string, string> = {},
  isRotated = false,
) {
  const deadlines: AbortController[] = [];
  vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => {
    deadlines.push(new AbortController());
    return deadlines.at(-1)?.signal ?? AbortSignal.abort();
  });
  await using server = await openScriptedServer((number) => (response) => {
    const status = statuses[number - 1] ?? 200;
    if (status === 'cut') response.socket?.destroy();
    else if (status === 'hang') deadlines.at(-1)?.abort();
    else response.writeHead(status, headers).end('ok');
  });
  const pauses: number[] = [];
  const address = `${server.origin}/canary`;
  const hook = secretOf('file:hook', address, (current) => (isRotated ? `${server.origin}/next` : current));
  const { problem, waitMs } = await postWebhook(hook, MESSAGE, {
    effects: {
      ...realEffects,
      sleep: (delayMs) => {
        pauses.push(delayMs);
        return Promise.resolve();
      },
    },
    signal: new AbortController().signal,
  });
  return { seen: server.seen, problem, waitMs, pauses };
}

it('postWebhook sends JSON once', async () => {
  const { seen, problem } = await post([200]);
  expect(problem).toBeNull();
  expect(seen.map(({ method, headers, body }) => [method, headers['content-type'], body])).toEqual([
    ['POST', 'application/json', JSON.stringify(MESSAGE)],
  ]);
});

it.each([
  [500, 'answered 500'],
  ['cut' as const, /^failed: /],
  ['hang' as const, /^failed: /],
])('postWebhook tries once more after %s, and then gives up', async (status, reason) => {
  const again = await post([status]);
  expect([again.problem, again.seen.length, again.pauses]).toEqual([null, 2, [1000]]);
  const given = await post([status, status, 200]);
  expect(given.seen).toHaveLength(2);
  expect(given.problem).toMatch(reason);
  expect(given.problem).not.toContain('canary');
});

it('a proxy that refuses the webhook is named with its remedy, and the address is not', async () => {
  const proxy = createServer().on('connect', (_, client) => client.end('HTTP/1.1 407 Refused\r\n\r\n'));
  vi.stubEnv('NO_PROXY', '');
  vi.stubEnv('no_proxy', '');
  vi.stubEnv('http_proxy', '');
  vi.stubEnv('HTTP_PROXY', `http://127.0.0.1:${String(await listen(proxy))}`);
  onTestFinished(() => void proxy.close());
  onTestFinished(() => void vi.unstubAllEnvs());
  const effects = { ...realEffects, sleep: () => Promise.resolve() };
  const hook = secretOf('env:HOOK', 'http://hooks.test/canary');
  const { problem } = await postWebhook(hook, MESSAGE, { effects, signal: new AbortController().signal });
  expect(problem).toMatch(
    /^failed: the proxy 127\S+ \(HTTP_PROXY\) answered 407; correct that variable: write/,
  );
});

it('postWebhook follows no redirect', async () => {
  const { seen, problem } = await post([300, 302], { location: '/elsewhere' });
  expect(problem).toBe('answered 302');
  expect(seen.map(({ url }) => url)).toEqual(['/canary', '/canary']);
});

it('postWebhook waits as long as the webhook asks, and leaves a longer wait to a later run', async () => {
  const short = await post([429], { 'retry-after': '3' });
  expect([short.problem, short.seen.length, short.pauses]).toEqual([null, 2, [3000]]);
  const long = await post([429, 200], { 'retry-after': '120' });
  expect([long.problem, long.waitMs, long.seen.length]).toEqual(['answered 429', 120_000, 1]);
  const absurd = await post([503], { 'retry-after': '99999999' });
  expect(absurd.waitMs).toBe(3_600_000);
});

it('an address that its webhook refuses is read again from its file, and the message goes to the new one', async () => {
  const { seen, problem, pauses } = await post([404], { 'retry-after': '120' }, true);
  expect([problem, pauses, seen.map(({ url }) => url)]).toEqual([null, [0], ['/canary', '/next']]);
});

it('a name with line breaks stays in its line', () => {
  const stale = [{ projectId: 'p', project: 'Fern\nhill\u2028*x*', endpoint: 'e', ageMs: 0, maxMs: 0 }];
  const alert = { of: '*', kind: 'stale' as const, exit_code: 0, since, told_at: null };
  const [block] = notificationText({ ...notification, alert, stale }, String).blocks;
  expect(block?.text.text.split(/[\n\u2028]/)).toHaveLength(4);
  expect(block?.text.text).toContain('• Fern hill *x* e: answered 0 hours ago');
});
