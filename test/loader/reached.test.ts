import { expect, test } from 'vitest';
import { reachedOf } from '../../src/scale/loader/reached.ts';
import { openRig } from '../flow/rig.ts';

const endWith = (accounts: readonly string[]): Parameters<typeof reachedOf>[0] => ({
  problems: [],
  reached: {
    syncDay: '2026-03-10' as never,
    accounts: accounts.map((name) => ({ name, organizationId: 'o1', isOrganizationKey: true, listed: null })),
    projects: accounts.map((account) => ({
      projectId: `project of ${account}`,
      account,
      projectHeader: null,
    })),
    warnings: [],
    listed: ['project of the world'],
    serverAheadMs: 0,
  },
});

test('an account that the worker lacks is reported as not asked, and its projects do not count as gone', async () => {
  await using rig = await openRig({ today: '2026-03-10', startDate: '2026-03-01', world: 'empty' });
  const [own] = rig.config.accounts;
  const name = own?.name ?? '';
  expect(reachedOf(endWith([name]), rig.config)).toMatchObject({
    problems: [],
    projects: [{}],
    listed: expect.any(Set),
  });
  const lacking = reachedOf(endWith(['another']), rig.config);
  expect(lacking).toMatchObject({ accounts: [], projects: [], listed: null });
  expect(lacking.problems).toMatchObject([{ account: name, error: { exitCode: 3 } }]);
});
