import { expect, it } from 'vitest';
import { secretOf } from '../../src/secret.ts';
import { openRig } from '../flow/rig.ts';

it('a list of the key is asked once a key, and one of the run once a run', async () => {
  const keys = { one: 'demo-organization-key', two: 'second-key' };
  await using rig = await openRig({
    world: 'demo',
    today: '2026-07-14',
    startDate: '2026-07-05',
    keys: [{ key: keys.two, id: 'k2', name: 'Second', type: 'organization' }],
    change: (config) => ({
      ...config,
      accounts: Object.entries(keys).map(([name, key]) => ({
        name,
        apiKey: secretOf(`env:${name}`, key),
        projects: 'all',
      })),
    }),
  });
  const endpoints = ['validate_v1', 'models'];
  expect(await rig.pull({ endpoints })).toMatchObject({ exit_code: 0, failures: [] });
  const lists = `select endpoint, scope_id from meta.slices where endpoint in ('validate_v1', 'models') order by all`;
  expect(await rig.workingRows(lists)).toEqual([
    { endpoint: 'models', scope_id: '' },
    { endpoint: 'validate_v1', scope_id: 'one' },
    { endpoint: 'validate_v1', scope_id: 'two' },
  ]);
});
