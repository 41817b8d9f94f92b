import { expect, test } from 'vitest';
import { listParts } from '../../src/scale/landing/part.ts';
import type { Slice } from '../../src/slice.ts';
import { silentLog } from '../../src/log.ts';
import { roundEndSchema, type RoundEnd, type Round } from '../../src/scale/queue/round.ts';
import { secretOf } from '../../src/secret.ts';
import { serveRound, landingWriter, WrongClockError } from '../../src/scale/worker/run-worker.ts';
import { json, openScriptedServer } from '../support/scripted-server.ts';
import { newZone, readLanded } from '../landing/zones.ts';
import { PLAIN } from '../config/loaded.ts';
import { answered, days, PROJECT, sliceOf, answerOf, FETCHED_AT } from '../support/answers.ts';
import { virtualEffects } from '../support/virtual-effects.ts';
import { FIRST_RUN } from '../support/warehouse-file.ts';
import type { Zone } from '../../src/scale/landing/zone.ts';

const NOW = Date.parse('2026-03-10T02:00:00Z');
const WAIT_SECONDS = 300;
const QUOTA: Round['quotas'][number] = ['o1', { limit: 9, remaining: 8, resetAt: NOW + 600_000 }];

/** A round for a list of the key and two weeks of a project. */
const SLICES = [
  sliceOf('models', { projectId: null }),
  sliceOf('visibility'),
  sliceOf('visibility', { window: days('2026-02-23', '2026-03-01') }),
];

async function serve(
  origin: string,
  slices: readonly Slice[] = SLICES,
): Promise<{ end: RoundEnd; parts: number; verdicts: unknown[] }> {
  const zone = await newZone('a folder');
  const account = {
    name: 'acme',
    apiKey: secretOf('env:KEY', 'a-key'),
    projects: 'all' as const,
    except: [],
  };
  const api = { ...PLAIN.api, baseUrl: origin, requestsPerMinute: 0, reserveQuota: 0, concurrency: 1 };
  const config = { ...PLAIN, api: { ...api, attempts: 3 }, accounts: [account] };
  const round: Round = {
    run: FIRST_RUN,
    round: '000001',
    organization: 'o1',
    accounts: [{ name: 'acme', organizationId: 'o1', isOrganizationKey: true }],
    quotas: [QUOTA],
    maxWaitMs: 7_200_000,
    probed: [],
    slices: slices.map((slice) => ({
      slice,
      asked: null,
      limit: null,
      askedWith: '',
      wanted: [],
      account: 'acme',
    })),
  };
  const { signal } = new AbortController();
  const context = { config, effects: virtualEffects(NOW), log: silentLog, signal, version: '0.0.0' };
  const end = await serveRound(round, { context, zone, enough: signal });
  const parts = await listParts(zone, '');
  const verdicts: unknown[] = [];
  for (const name of parts) {
    const { answers } = await readLanded(zone, name);
    verdicts.push(...answers.map(({ slice, verdict }) => [slice.scopeId, verdict]));
  }
  return { end: roundEndSchema.parse(end), parts: parts.length, verdicts };
}

test('a worker leaves a Retry-After beyond its two minutes to the loader, and hands lists of the key back', async () => {
  await using server = await openScriptedServer(() =>
    json({ error: 'busy' }, 503, { 'retry-after': String(WAIT_SECONDS) }),
  );
  const { end, parts } = await serve(server.origin);
  expect(end.problems).toMatchObject([
    { class: 'transient', account: 'acme', waitUntilMs: NOW + WAIT_SECONDS * 1_000 },
  ]);
  expect(end).toMatchObject({ at: NOW, failed: [], warnings: [], quotas: [QUOTA] });
  expect([server.seen.length, parts]).toEqual([1, 0]);
});

test('a worker finds out with one question that a filter is ignored, and lands that', async () => {
  await using server = await openScriptedServer(() =>
    json(
      [
        { date: '2026-03-02', value: 1 },
        { date: '2026-03-03', value: 2 },
      ],
      200,
      { date: new Date(NOW).toUTCString() },
    ),
  );
  const { end, verdicts } = await serve(server.origin, [
    sliceOf('visibility'),
    sliceOf('visibility', { scope: 'model', scopeId: 'm' }),
    sliceOf('visibility', { scope: 'model', scopeId: 'n' }),
  ]);
  expect(verdicts).toEqual([
    [PROJECT, undefined],
    ['m', 'filter'],
    ['n', 'filter'],
  ]);
  expect(end.probes).toEqual([
    { endpoint: 'visibility', projectId: PROJECT, parameter: 'models', askedWith: '', verdict: 'ignored' },
  ]);
  expect([end.failed, server.seen.length]).toEqual([[], 4]);
});

const HOUR = 3_600_000;
const answer = answerOf('visibility', []);
const ANSWERED = answered(answer);

function writerOf(zone: Zone, { serverAheadMs = 0 } = {}) {
  let requests = 0;
  return landingWriter({
    zone,
    run: FIRST_RUN,
    version: '0.0.0',
    round: '000001',
    effects: virtualEffects(0),
    aheadOf: () => serverAheadMs,
    // Two more at each look.
    totals: () => ({ requests: (requests += 2), retries: requests / 2 }),
    lossSignal: new AbortController().signal,
  });
}

test('a worker whose clock is ahead lands its answers by the clock of the server', async () => {
  const zone = await newZone('a folder');
  const writer = writerOf(zone, { serverAheadMs: -30 * HOUR });
  const failure = { slice: answer.slice, error: new Error('no'), requests: 1, httpStatus: null };
  const failed = { kind: 'failed', ...failure, at: FETCHED_AT } as const;
  await writer.write([ANSWERED, failed].map((outcome) => writer.prepare(outcome)));
  expect(writer.uncounted()).toEqual({ requests: 2, retries: 1 });
  const [name = ''] = await listParts(zone, '');
  expect(await readLanded(zone, name)).toMatchObject({
    manifest: { requests: 2, retries: 1 },
    answers: [{ pages: [{ fetchedAt: FETCHED_AT - 30 * HOUR }] }],
  });
  expect(writer.failed).toMatchObject([{ at: FETCHED_AT - 30 * HOUR }]);
});

test('a worker whose clock is two days off lands nothing of a round of slices', async () => {
  const zone = await newZone('a folder');
  const writer = writerOf(zone, { serverAheadMs: 48 * HOUR });
  expect(() => writer.prepare(ANSWERED)).toThrow(WrongClockError);
  expect(() => writer.prepare(ANSWERED)).toThrow("this machine's clock is 48h behind the server's");
});
