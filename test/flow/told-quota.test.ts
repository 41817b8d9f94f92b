import { expect, it } from 'vitest';
import { toldHour } from '../extract/rig.ts';
import { table } from '../support/table.ts';
import { openRig, SMALL, withKeys } from './rig.ts';

const FEW = { endpoints: ['validate', 'visibility', 'sentiment', 'response_summary', 'llm_sources'] };
const HOUR_MS = 3_600_000;
const ONE = 'demo-project-key';
const OTHER = 'demo-project-key-2';
const LIMITS: Readonly<Record<string, number>> = { [ONE]: 500, [OTHER]: 50_000 };

/** Two keys of two organizations, of which each has its own hour. */
async function openTwo() {
  const rig = await openRig({ ...SMALL, world: 'demo', change: withKeys({ main: ONE, second: OTHER }) });
  const left = { ...LIMITS };
  const resetMs = Math.ceil(rig.effects.now() / HOUR_MS + 0.01) * HOUR_MS;
  rig.simulator.override(
    () => true,
    ({ apiKey = '', path }, { body }) => {
      const remaining = (left[apiKey] ?? 0) - 1;
      left[apiKey] = remaining;
      const organization = { id: apiKey === ONE ? 'small' : 'large', name: 'Name', slug: 'slug' };
      return {
        headers: toldHour(LIMITS[apiKey] ?? 1, remaining, resetMs),
        body: path.endsWith('/validate') ? { ...(body as object), organization } : body,
      };
    },
  );
  const swap = (): unknown => Object.assign(rig.config, withKeys({ main: OTHER, second: ONE })(rig.config));
  return Object.assign(rig, { left, swap });
}

it('keys that were swapped between two accounts are counted by the quota of each key, not of the account', async () => {
  await using rig = await openTwo();
  expect(await rig.pull(FEW)).toMatchObject({ exit_code: 0 });
  const quotas = `select organization_id as organization, quota_limit as quota from meta.quotas
    where quota_limit is not null order by all`;
  const remembered = table('organization quota', ['large', 50_000], ['small', 500]);
  expect(await rig.workingRows(quotas)).toEqual(remembered);
  // Others spend the smaller hour; a tenth of it is kept.
  rig.left[ONE] = 40;
  rig.swap();
  rig.simulator.resetRequests();
  expect(await rig.pull({ ...FEW, full: true })).toMatchObject({ exit_code: 5 });
  const askedBy = (key: string) => rig.simulator.requests.filter(({ apiKey }) => apiKey === key).length;
  expect([askedBy(ONE), askedBy(OTHER) > 5]).toEqual([1, true]);
  expect(await rig.workingRows(quotas)).toEqual(remembered);
});

it('a plan divides the requests of each organization by its own quota', async () => {
  await using rig = await openTwo();
  const request = { ...FEW, maxWaitMs: 2 * HOUR_MS };
  expect(await rig.plan(request, false)).toMatchObject({ hours: 1 });
  // Two requests of the smaller hour are left; the account of the larger one comes first.
  rig.swap();
  rig.left[ONE] = 53;
  expect(await rig.plan(request, false)).toMatchObject({ hours: 2, quota: { limit: 500 } });
});

it('a plan does not wait for the reset of an hour, however long its run may wait', async () => {
  await using rig = await openRig({ ...SMALL, quota: { perHour: 10, otherUse: 10 } });
  const before = rig.effects.now();
  const planned = rig.plan({ ...FEW, maxWaitMs: 2 * HOUR_MS }, false);
  await expect(planned).rejects.toMatchObject({ class: 'quota' });
  expect(rig.effects.now()).toBe(before);
});
