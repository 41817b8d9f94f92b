import { expect, test } from 'vitest';
import type { Config } from '../../src/config/config.ts';
import { listParts } from '../../src/scale/landing/part.ts';
import { silentLog } from '../../src/log.ts';
import { roundEndSchema, type RoundEnd, type Round } from '../../src/scale/queue/round.ts';
import { secretOf } from '../../src/secret.ts';
import { serveRound } from '../../src/scale/worker/serve-round.ts';
import { json, openScriptedServer } from '../support/scripted-server.ts';
import { newZone } from '../landing/zones.ts';
import { days, sliceOf } from '../support/answers.ts';
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

async function serve(origin: string): Promise<{ end: RoundEnd; parts: number }> {
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
    slices: SLICES.map((slice) => ({
      slice,
      asked: null,
      limit: null,
      askedWith: '',
      wanted: [],
      account: 'acme',
      projectHeader: null,
    })),
  };
  const { signal } = new AbortController();
  const context = { config, effects: virtualEffects(NOW), log: silentLog, signal, version: '0.0.0' };
  const end = await serveRound(round, { context, zone, lost: signal, enough: signal });
  return { end: roundEndSchema.parse(end), parts: (await listParts(zone, '')).length };
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
