import { expect, test } from 'vitest';
import type { Config } from '../../src/config/config.ts';
import { listParts } from '../../src/scale/landing/part.ts';
import type { Slice } from '../../src/slice.ts';
import { silentLog } from '../../src/log.ts';
import { roundEndSchema, type RoundEnd, type Round } from '../../src/scale/queue/round.ts';
import { secretOf } from '../../src/secret.ts';
import { serveRound } from '../../src/scale/worker/serve-round.ts';
import { json, openScriptedServer } from '../support/scripted-server.ts';
import { newZone, readLanded } from '../landing/zones.ts';
import { days, PROJECT, sliceOf } from '../support/answers.ts';
import { virtualEffects } from '../support/virtual-effects.ts';
import { FIRST_RUN } from '../support/warehouse-file.ts';

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
  const account = { name: 'acme', apiKey: secretOf('env:KEY', 'a-key'), projects: 'all' as const };
  const config = {
    path: 'answerlake.yaml',
    api: {
      baseUrl: origin,
      requestsPerMinute: 0,
      reserveQuota: 0,
      concurrency: 1,
      timeoutMs: 60_000,
      attempts: 3,
      maxBodyBytes: 1_000_000,
    },
    accounts: [account],
    sync: { endpoints: {}, timezone: 'UTC' },
  } as unknown as Config;
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
