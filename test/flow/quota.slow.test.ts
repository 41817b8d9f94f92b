import { expect, it } from 'vitest';
import { contentHashes } from '../support/content-hash.ts';
import { openRig, SMALL, withKeys, type Rig } from './rig.ts';

const HOUR_MS = 3_600_000;

function limited({ simulator }: Rig): number {
  return simulator.requests.filter(({ status }) => status === 429).length;
}

it('an hourly quota that does not reach parks the run; the next run goes on without asking again', async () => {
  await using whole = await openRig(SMALL);
  const uninterrupted = await whole.sync();
  await using rig = await openRig({ ...SMALL, quota: { perHour: 40 } });
  const parked = await rig.sync();
  expect(parked).toMatchObject({ status: 'parked', exit_code: 5, published: rig.config.warehouse.path });
  // A tenth of the hour is left to other people.
  expect(rig.simulator.requests.filter(({ apiKey }) => apiKey !== undefined)).toHaveLength(36);
  expect(await rig.rows('select status from meta.runs')).toEqual([{ status: 'parked' }]);
  expect(await rig.rows("select status from meta.slices where status = 'failed'")).toEqual([]);
  await rig.effects.sleep(HOUR_MS + 60_000);
  const rest = await rig.sync();
  expect(rest).toMatchObject({ status: 'ok', exit_code: 0 });
  expect(limited(rig)).toBe(0);
  const validations = 2;
  expect(parked.requests + rest.requests).toBeLessThanOrEqual(uninterrupted.requests + validations);
  const [found, expected] = [rig, whole].map(({ config }) => contentHashes(config.warehouse.path));
  expect(await found).toEqual(await expected);
});

it('a used-up quota parks the account of its organization alone; the other is synced and not asked again', async () => {
  const [first, second] = ['demo-project-key', 'demo-project-key-2'];
  let isSpent = false;
  await using rig = await openRig({
    ...SMALL,
    world: 'demo',
    faults: ({ apiKey, path }) => {
      if (apiKey !== first) return undefined;
      isSpent ||= path.endsWith('/events');
      return isSpent ? { kind: 'quota', retryAfter: 3000 } : undefined;
    },
    change: withKeys({ first, second }),
  });
  // Each key's validation names an organization of its own.
  const organization = { id: 'another', name: 'Another', slug: 'another' };
  rig.answer('/validate', ({ apiKey }, { body }) =>
    apiKey === second ? { body: { ...(body as object), organization } } : undefined,
  );
  const few = { endpoints: ['validate', 'visibility', 'events', 'response_summary'] };
  const stored = 'select distinct project_id from core.response_summary';
  expect(await rig.sync(few)).toMatchObject({ status: 'parked', exit_code: 5, slices_failed: 0 });
  // What is under way, and the validation.
  expect(limited(rig)).toBeLessThanOrEqual(3);
  expect(await rig.rows(stored)).toHaveLength(1);
  rig.simulator.setFaults(undefined);
  rig.simulator.resetRequests();
  await rig.effects.sleep(HOUR_MS);
  expect(await rig.sync(few)).toMatchObject({ status: 'ok', exit_code: 0 });
  const again = rig.simulator.requests.filter(({ apiKey }) => apiKey === second);
  expect(again.map(({ path }) => path)).toEqual(['/api/v2/auth/validate']);
  expect(await rig.rows(stored)).toHaveLength(2);
});
