import { expect, it } from 'vitest';
import { openRig, SMALL, withKeys } from './rig.ts';

const DEMO = { ...SMALL, world: 'demo' } as const;
const ONE = { endpoints: ['validate', 'visibility'] };
const STORED = 'select distinct project_id as id from core.visibility';

it('an answer of another project to the project header stores nothing of either; their siblings load', async () => {
  await using rig = await openRig(DEMO);
  const [first, second] = rig.simulator.world.projects;
  rig.answer('/validate', ({ projectId }, { body }) =>
    projectId === first?.id ? { body: { ...(body as object), project: second } } : undefined,
  );
  const report = await rig.sync(ONE);
  expect(report).toMatchObject({ exit_code: 3, projects: 2 });
  expect(report.failures[0]?.message).toContain(first?.id);
  const stored = await rig.rows(STORED);
  expect(stored).toHaveLength(2);
  expect(stored).not.toContainEqual({ id: first?.id });
  const asked = rig.simulator.requests.filter(({ path }) => path.endsWith('series'));
  expect(asked.filter(({ projectId }) => projectId === first?.id)).toEqual([]);
});

it('a project that two keys reach is asked once', async () => {
  const change = withKeys({ whole: 'demo-organization-key', part: 'demo-project-key' });
  await using rig = await openRig({ ...DEMO, change });
  expect(await rig.sync(ONE)).toMatchObject({ exit_code: 0, projects: 3 });
  const asked = rig.simulator.requests
    .filter(({ path }) => path.endsWith('time-series'))
    .map(({ query, projectId, apiKey }) => JSON.stringify([query, projectId ?? apiKey]));
  expect(new Set(asked).size).toBe(asked.length);
  expect(await rig.rows('select count(*) as keys from core.api_keys')).toEqual([{ keys: 2 }]);
});

const HOUR_MS = 3_600_000;

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
  expect(rig.simulator.requests.filter(({ status }) => status === 429)).toEqual([]);
  const validations = 2;
  expect(parked.requests + rest.requests).toBeLessThanOrEqual(uninterrupted.requests + validations);
  expect(await rig.hashes()).toEqual(await whole.hashes());
});
