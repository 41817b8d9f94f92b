import { expect, it } from 'vitest';
import { secretOf } from '../../src/secret.ts';
import { openRig, type Rig } from './rig.ts';

const SMALL = { world: 'small', today: '2026-07-14', startDate: '2026-07-05' } as const;
const FEW = { endpoints: ['validate', 'visibility', 'sentiment', 'response_summary', 'llm_sources'] };
const QUOTAS = `select organization_id as organization, quota_limit as quota from meta.quotas
  where quota_limit is not null order by all`;

/** Two keys of two organizations, of which each has its own hour. */
async function openTwo(): Promise<Rig & { left: Record<string, number>; swap(): void }> {
  const keys = ['demo-project-key', 'demo-project-key-2'];
  const accounts = (order: readonly string[]) =>
    ['main', 'second'].map((name, index) => ({
      name,
      apiKey: secretOf('env:KEY', order[index] ?? ''),
      projects: 'all' as const,
    }));
  const rig = await openRig({
    ...SMALL,
    world: 'demo',
    change: (config) => ({ ...config, accounts: accounts(keys) }),
  });
  const left: Record<string, number> = { 'demo-project-key': 500, 'demo-project-key-2': 50_000 };
  const limits: Record<string, number> = { ...left };
  const resetSeconds = Math.ceil(rig.effects.now() / 3_600_000 + 0.01) * 3600;
  rig.simulator.override(
    () => true,
    ({ apiKey = '', path }: { apiKey?: string; path: string }, usual: { body: unknown }) => {
      left[apiKey] = (left[apiKey] ?? 0) - 1;
      const organization = { id: apiKey === keys[0] ? 'small' : 'large', name: 'Name', slug: 'slug' };
      return {
        headers: {
          'x-ratelimit-limit': String(limits[apiKey] ?? 1),
          'x-ratelimit-remaining': String(left[apiKey]),
          'x-ratelimit-reset': String(resetSeconds),
        },
        body: path.endsWith('/validate') ? { ...(usual.body as object), organization } : usual.body,
      };
    },
  );
  return Object.assign(rig, {
    left,
    swap: () => {
      Object.assign(rig.config, { accounts: accounts(keys.toReversed()) });
    },
  });
}

it('keys that were swapped between two accounts are counted by the quota of each key, not of the account', async () => {
  await using rig = await openTwo();
  expect((await rig.pull(FEW)).exitCode).toBe(0);
  const remembered = [
    { organization: 'large', quota: 50_000 },
    { organization: 'small', quota: 500 },
  ];
  expect(await rig.workingRows(QUOTAS)).toEqual(remembered);
  // Others spend the smaller hour; a tenth of it is kept.
  rig.left['demo-project-key'] = 40;
  rig.swap();
  rig.simulator.resetRequests();
  expect((await rig.pull({ ...FEW, full: true })).exitCode).toBe(5);
  const askedBy = (key: string): number =>
    rig.simulator.requests.filter(({ apiKey }) => apiKey === key).length;
  expect(askedBy('demo-project-key')).toBe(1);
  expect(askedBy('demo-project-key-2')).toBeGreaterThan(5);
  expect(await rig.workingRows(QUOTAS)).toEqual(remembered);
});

it('a plan divides the requests of each organization by its own quota', async () => {
  await using rig = await openTwo();
  const request = { ...FEW, maxWaitMs: 7_200_000 };
  expect(await rig.plan(request, false)).toMatchObject({ hours: 1 });
  // Two requests of the smaller hour are left; the account of the larger one comes first.
  rig.swap();
  rig.left['demo-project-key'] = 53;
  expect(await rig.plan(request, false)).toMatchObject({ hours: 2, quota: { limit: 500 } });
});

it('a plan does not wait for the reset of an hour, however long its run may wait', async () => {
  await using rig = await openRig({ ...SMALL, quota: { perHour: 10, otherUse: 10 } });
  const { effects } = rig;
  const before = effects.now();
  const planned = rig.plan({ ...FEW, maxWaitMs: 7_200_000 }, false);
  await expect(planned).rejects.toMatchObject({ class: 'quota' });
  expect(effects.now()).toBe(before);
});
