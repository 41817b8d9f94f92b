import { expect, it } from 'vitest';
import { toDay } from '../../src/day.ts';
import { planStarts } from '../../src/run/plan-sync.ts';
import { syncRequest } from '../../src/run/sync-request.ts';
import { secretOf } from '../../src/secret.ts';
import { openRig, type RigOptions } from '../flow/rig.ts';

const DEMO: RigOptions = { world: 'demo', today: '2026-07-14', startDate: '2026-07-05' };
const FEW = { endpoints: ['validate', 'models', 'prompts', 'visibility', 'events', 'response_summary'] };

/** Accounts by key; their projects. */
const accounts = (keys: Readonly<Record<string, 'all' | string[]>>): Partial<RigOptions> => ({
  change: (config) => ({
    ...config,
    accounts: Object.entries(keys).map(([key, projects]) => ({
      name: key,
      apiKey: secretOf('env:KEY', key),
      projects,
      except: [],
    })),
  }),
});

it('plans of two first days ask for the lists once, and each counts exactly what its sync asks', async () => {
  await using rig = await openRig(DEMO);
  const { context, simulator } = rig;
  const request = { ...syncRequest({ maxWaitMs: 0 }), ...FEW, today: simulator.today };
  const starts = ['2026-07-05', '2026-05-05'].map(toDay);
  const plans = await planStarts(starts, request, { context, isOffline: false });
  // The key, three projects, the models, and the prompts of each.
  expect(simulator.requests).toHaveLength(1 + 3 + 1 + 3);
  for (const [index, startDate] of starts.entries()) {
    const sync = { ...rig.config.sync, startDate };
    await using plain = await openRig({ ...DEMO, change: (config) => ({ ...config, sync }) });
    const { requests } = await plain.pull(FEW);
    expect(plans[index]).toMatchObject({ requests, projects: 3 });
    const sums = plans[index]?.by_project_and_endpoint ?? [];
    // The validations and the models belong to no project.
    expect(sums.reduce((sum, one) => sum + one.requests, 1 + 3 + 1)).toBe(requests);
    expect(new Set(sums.map((sum) => sum.project_id)).size).toBe(3);
  }
});

it('a plan without requests counts the known projects of each account', async () => {
  await using rig = await openRig(DEMO);
  await rig.sync({ endpoints: ['validate'] });
  const [first = '', second = ''] = rig.simulator.world.projects.map(({ id }) => id);
  const projectsOf = async (keys: Parameters<typeof accounts>[0]): Promise<number> => {
    const { change = (config) => config } = accounts(keys);
    Object.assign(rig.context, { config: change(rig.config) });
    return (await rig.plan({ endpoints: ['events'] })).projects;
  };
  expect(await projectsOf({ one: 'all' })).toBe(3);
  expect(await projectsOf({ one: [first], other: [second] })).toBe(2);
  // A job's project that no run has seen may be there when the job runs.
  expect(
    (await rig.plan({ endpoints: ['events'], projects: [first, 'nosuch'], job: 'nightly' })).projects,
  ).toBe(1);
  await expect(rig.plan({ projects: [first, 'nosuch'] })).rejects.toMatchObject({ exitCode: 2 });
});

it.each<[string, Parameters<typeof accounts>[0], number]>([
  ['a wrong key', { nosuch: 'all' }, 4],
  ['a key that answers nothing', { away: 'all' }, 5],
  ['a wrong key behind one that answers nothing', { away: 'all', nosuch: 'all' }, 5],
  ['a project that its key does not reach', { 'demo-project-key': ['nosuch'] }, 4],
  ['such a project before a key that answers nothing', { 'demo-project-key': ['nosuch'], away: 'all' }, 5],
])('a plan of %s ends with its error', async (_, keys, exitCode) => {
  await using rig = await openRig({
    ...DEMO,
    ...accounts(keys),
    faults: ({ apiKey }) => (apiKey === 'away' ? { kind: 'status', status: 503 } : undefined),
  });
  await expect(rig.plan({}, false)).rejects.toMatchObject({ exitCode });
});
