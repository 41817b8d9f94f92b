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
  expect(rig.simulator.requests.filter(({ apiKey }) => apiKey !== undefined)).toHaveLength(36);
  expect(await rig.rows('select status, exit_code from meta.runs')).toEqual([
    { status: 'parked', exit_code: 5 },
  ]);
  expect(await rig.rows("select status from meta.slices where status = 'failed'")).toEqual([]);

  await rig.effects.sleep(HOUR_MS + MINUTE_MS);
  const rest = await rig.sync();
  expect(rest).toMatchObject({ status: 'ok', exit_code: 0 });
  expect(limited(rig.simulator)).toBe(0);
  const validations = 2;
  expect(parked.requests + rest.requests).toBeLessThanOrEqual(uninterrupted.requests + validations);
  expect(await contentHashes(rig.config.warehouse.path)).toEqual(
    await contentHashes(whole.config.warehouse.path),
  );
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
