import { expect, test } from 'vitest';
import { openOwn } from './served.ts';

const LIST = 'key: [id]\ncolumns: { text: [name] }\n';
const FILES = {
  teams: `path: /own/teams\n${LIST}`,
  members: `path: /own/teams/{id}/members\nfor: teams\nat_most: 2\n${LIST}`,
};
const ENDPOINTS = Object.keys(FILES);

/** Five teams, each with a member, until `gone` has its id. */
async function openTeams() {
  const rig = await openOwn(FILES);
  const gone = new Set<string>();
  const items = ['a', 'b', 'c', 'd', 'e'].map((id) => ({ id, name: id }));
  rig.answer('/own/teams', () => ({ status: 200, body: items }));
  rig.simulator.override(
    ({ path }) => path.endsWith('/members'),
    ({ path }) => {
      const id = path.at(-'/members'.length - 1) ?? '';
      const error = { code: 'NOT_FOUND', error: 'Not Found', message: `no team ${id}` };
      if (gone.has(id)) return { status: 404, body: error };
      return { status: 200, body: [{ id: `${id}1`, name: id }] };
    },
  );
  const stored = async () =>
    await rig.rows('select team_id, removed_at is not null as is_removed from own.members order by all');
  return { rig, gone, stored };
}

test('a plan says after how many nights all parents were asked for, and each night asks for as many as it may', async () => {
  const { rig } = await openTeams();
  await using _ = rig;
  await rig.night('2026-07-14', { endpoints: ['teams'] });
  const plan = await rig.plan({ endpoints: ENDPOINTS });
  const ofMembers = plan.by_project_and_endpoint.find(({ endpoint }) => endpoint === 'members');
  expect(ofMembers).toMatchObject({ slices: 2, nights: 3 });
  for (const [night, asked] of [2, 2, 1, 0].entries()) {
    const day = `2026-07-${String(15 + night)}`;
    await rig.night(day, { endpoints: ENDPOINTS });
    expect(rig.asked('/members'), day).toHaveLength(asked);
  }
});

test('a parent that is gone has no rows any longer, and where all of a run are gone the endpoint is refused and its rows stay', async () => {
  const { rig, gone, stored } = await openTeams();
  await using _ = rig;
  gone.add('a');
  const first = await rig.night('2026-07-14', { endpoints: ENDPOINTS });
  expect(first).toMatchObject({ exit_code: 0, failures: [] });
  expect(await stored()).toEqual([{ team_id: 'b', is_removed: false }]);
  for (const id of ['c', 'd']) gone.add(id);
  const refused = await rig.night('2026-07-15', { endpoints: ENDPOINTS });
  expect(refused.exit_code).toBe(3);
  expect(refused.failures.map(({ message }) => message).join()).toContain(
    'the server answers 404 for all that the run asked for one by one',
  );
  expect(rig.asked('/members')).toHaveLength(2);
  expect(await stored()).toEqual([{ team_id: 'b', is_removed: false }]);
  expect(await rig.rows("select reason, scope from meta.alarms where endpoint = 'members'")).toEqual([
    { reason: 'refused', scope: 'parent' },
  ]);
});

test('an endpoint whose parents are all refused, and that never gave a row, is known at once', async () => {
  const { rig, gone } = await openTeams();
  await using _ = rig;
  for (const id of ['a', 'b', 'c', 'd', 'e']) gone.add(id);
  const first = await rig.night('2026-07-14', { endpoints: ENDPOINTS });
  expect(first).toMatchObject({ exit_code: 0, failures: [] });
  expect(first.warnings.join()).toContain('known');
});
