import { expect, it } from 'vitest';
import { secretOf } from '../../src/secret.ts';
import type { Simulator } from '../../simulator/simulator.ts';
import { contentHashes } from '../support/content-hash.ts';
import { openRig } from './rig.ts';

const SMALL = { world: 'small', today: '2026-07-14', startDate: '2026-07-05' } as const;
const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

function limited(simulator: Simulator): number {
  return simulator.requests.filter(({ status }) => status === 429).length;
}

it('an hourly quota that does not reach parks the run; the next run goes on without asking again', async () => {
  await using whole = await openRig(SMALL);
  const uninterrupted = await whole.sync();

  await using rig = await openRig({ ...SMALL, quota: { perHour: 40 } });
  const parked = await rig.sync();
  expect(parked).toMatchObject({ status: 'parked', exit_code: 5, published: rig.config.warehouse.path });
  expect(limited(rig.simulator)).toBe(0);
  // A tenth of the hour is left to other people.
  expect(rig.simulator.requests.filter(({ apiKeySent }) => apiKeySent)).toHaveLength(36);
  expect(await rig.rows('select status, exit_code from meta.runs')).toEqual([
    { status: 'parked', exit_code: 5 },
  ]);
  expect(await rig.rows("select status from meta.slices where status = 'failed'")).toEqual([]);

  await rig.effects.sleep(HOUR_MS + MINUTE_MS);
  const rest = await rig.sync();
  expect(rest).toMatchObject({ status: 'ok', exit_code: 0 });
  expect(limited(rig.simulator)).toBe(0);
  const validations = 2;
  expect(parked.requests + rest.requests).toBe(uninterrupted.requests + validations);
  expect(await contentHashes(rig.config.warehouse.path)).toEqual(
    await contentHashes(whole.config.warehouse.path),
  );
});

it('an empty hour is remembered: a run inside it sends one request to see whether that is still so', async () => {
  await using rig = await openRig({ ...SMALL, quota: { perHour: 40 } });
  await rig.sync();
  rig.simulator.resetRequests();
  await rig.effects.sleep(MINUTE_MS);
  const again = await rig.sync();
  expect(again).toMatchObject({ status: 'parked', exit_code: 5, requests: 1 });
  expect(rig.simulator.requests).toHaveLength(1);
});

it('a run that may wait waits for the reset of its hourly quota', async () => {
  await using rig = await openRig({ ...SMALL, quota: { perHour: 40 } });
  const before = rig.effects.now();
  const report = await rig.sync({ maxWaitMs: 2 * HOUR_MS });
  expect(report).toMatchObject({ status: 'ok', exit_code: 0 });
  expect(limited(rig.simulator)).toBe(0);
  expect(rig.effects.now() - before).toBeGreaterThanOrEqual(HOUR_MS);
  expect(rig.effects.now() - before).toBeLessThanOrEqual(HOUR_MS + MINUTE_MS);
});

it('an hourly quota that does not reach wastes at most one 429 a run when other clients use the hour up', async () => {
  await using rig = await openRig({ ...SMALL, quota: { perHour: 60, otherUse: 60 } });
  const first = await rig.sync();
  expect(first).toMatchObject({ status: 'parked', exit_code: 5 });
  expect(limited(rig.simulator)).toBe(1);
  await rig.sync();
  await rig.sync();
  expect(limited(rig.simulator)).toBe(3);
});

it('an hourly quota that resets in a year according to a 429 is tried again after an hour', async () => {
  let isSpent = true;
  await using rig = await openRig({
    ...SMALL,
    faults: (_, ordinal) =>
      isSpent && ordinal >= 10 ? { kind: 'quota', retryAfter: 31_536_000 } : undefined,
  });
  const parked = await rig.sync();
  expect(parked).toMatchObject({ status: 'parked', exit_code: 5 });
  expect(parked.warnings).toContainEqual(expect.stringContaining('asked us to wait 365 days'));
  isSpent = false;
  await rig.effects.sleep(HOUR_MS + MINUTE_MS);
  expect(await rig.sync()).toMatchObject({ status: 'ok', exit_code: 0 });
});

it('an hourly quota that does not reach loses no more than what is under way when others spend the hour in the middle of a run, and nothing later', async () => {
  let rig: Awaited<ReturnType<typeof openRig>> | null = null;
  await using opened = await openRig({
    ...SMALL,
    quota: { perHour: 500 },
    faults: (_, ordinal) => {
      if (ordinal === 20) rig?.simulator.spendQuota(500);
      return undefined;
    },
  });
  rig = opened;
  const parked = await opened.sync();
  expect(parked).toMatchObject({ status: 'parked', exit_code: 5 });
  const lost = limited(opened.simulator);
  expect(lost).toBeGreaterThan(0);
  // One of them is the validation, which shows that the limit is the key's.
  expect(lost).toBeLessThanOrEqual(opened.config.api.concurrency + 1);
  await opened.sync();
  expect(limited(opened.simulator)).toBe(lost + 1);
});

it('a used-up quota parks the account of its organization alone; the other is synced and not asked again', async () => {
  let isSpent = false;
  await using rig = await openRig({
    ...SMALL,
    world: 'demo',
    faults: ({ apiKey, path }) => {
      if (apiKey !== 'demo-project-key') return undefined;
      isSpent ||= path.endsWith('/events');
      return isSpent ? { kind: 'quota', retryAfter: 3000 } : undefined;
    },
    change: (config) => ({
      ...config,
      accounts: ['demo-project-key', 'demo-project-key-2'].map((key) => ({
        name: key,
        apiKey: secretOf('env:KEY', key),
        projects: 'all' as const,
      })),
    }),
  });
  // Each key's validation names an organization of its own.
  rig.simulator.override(
    ({ path, apiKey }) => path.endsWith('/validate') && apiKey === 'demo-project-key-2',
    (_: unknown, usual: { body: unknown }) => ({
      body: {
        ...(usual.body as object),
        organization: { id: 'another', name: 'Another', slug: 'another' },
      },
    }),
  );
  const few = { endpoints: ['validate', 'visibility', 'events', 'response_summary'] };
  const parked = await rig.sync(few);
  expect(parked).toMatchObject({ status: 'parked', exit_code: 5, slices_failed: 0 });
  // What is under way, and the validation.
  expect(limited(rig.simulator)).toBeLessThanOrEqual(3);
  expect(await rig.rows('select distinct project_id from core.response_summary')).toHaveLength(1);
  rig.simulator.setFaults(undefined);
  rig.simulator.resetRequests();
  await rig.effects.sleep(HOUR_MS);
  expect(await rig.sync(few)).toMatchObject({ status: 'ok', exit_code: 0 });
  const again = rig.simulator.requests.filter(({ apiKey }) => apiKey === 'demo-project-key-2');
  expect(again.map(({ path }) => path)).toEqual(['/api/v2/auth/validate']);
  expect(await rig.rows('select distinct project_id from core.response_summary')).toHaveLength(2);
});

it('a quota of the minute pauses the key and loses nothing', async () => {
  await using rig = await openRig({ ...SMALL, quota: { perMinute: 20 } });
  const report = await rig.sync();
  expect(report).toMatchObject({ status: 'ok', exit_code: 0, slices_failed: 0 });
  expect(limited(rig.simulator)).toBeLessThanOrEqual(3 * rig.config.api.concurrency);
});

it('an hourly quota that does not reach is one for all keys of an organization', async () => {
  await using rig = await openRig({
    ...SMALL,
    world: 'demo',
    quota: { perHour: 50 },
    change: (config) => ({
      ...config,
      accounts: [1, 2, 3].map((number) => ({
        name: `account-${String(number)}`,
        apiKey: secretOf('env:KEY', number === 1 ? 'demo-project-key' : `demo-project-key-${String(number)}`),
        projects: 'all' as const,
      })),
    }),
  });
  const first = await rig.sync();
  expect(first).toMatchObject({ status: 'parked', exit_code: 5, projects: 3 });
  expect(limited(rig.simulator)).toBeLessThanOrEqual(1);
  expect(rig.simulator.requests.filter(({ apiKeySent }) => apiKeySent).length).toBeLessThanOrEqual(47);
});

it('a quota that was remembered as used up does not block a run whose plan was raised: one request tells', async () => {
  const quota = { perHour: 8 };
  await using rig = await openRig({ ...SMALL, quota });
  Object.assign(rig.config.sync, { scopes: {} });
  const few = {
    endpoints: ['visibility', 'sentiment', 'response_summary', 'llm_sources', 'events', 'prompts'],
  };
  expect(await rig.sync(few)).toMatchObject({ status: 'parked', exit_code: 5 });
  quota.perHour = 500;
  rig.simulator.resetRequests();
  expect(await rig.sync(few)).toMatchObject({ status: 'ok', exit_code: 0 });
  expect(limited(rig.simulator)).toBe(0);
});
