import { expect, it } from 'vitest';
import type { AccountConfig } from '../../src/config/config.ts';
import { addDays, toDay } from '../../src/day.ts';
import { noteUnreached } from '../../src/run/dropped.ts';
import { secretOf } from '../../src/secret.ts';
import { FIRST_RUN, WarehouseFile } from '../support/warehouse-file.ts';

const FIRST_NIGHT = toDay('2026-07-14');
const account: AccountConfig = {
  name: 'acme',
  apiKey: secretOf('env:KEY', 'a-key-of-nobody'),
  projects: 'all',
};
const reached = {
  projectId: 'kept',
  projectHeader: 'kept',
  account: { config: account, organizationId: null, isOrganizationKey: true },
};

/** One night; `listed` are the projects that the keys name. */
async function night(
  file: WarehouseFile,
  nights: number,
  {
    listed = ['kept'],
    projects = 'all',
    wanted = null,
  }: { listed?: string[] | null; projects?: AccountConfig['projects']; wanted?: string[] | null } = {},
) {
  const config = { accounts: [{ ...account, projects }] };
  const run = { ...FIRST_RUN, syncDay: addDays(FIRST_NIGHT, nights) };
  const parts = { connection: file.connection, config, run, request: { projects: wanted } };
  const known = { projects: [reached], listed: listed && new Set(listed) };
  const { problems, warnings } = await noteUnreached(parts, known);
  return [problems.map(({ projectId }) => projectId), warnings.length];
}

async function openKnown(): Promise<WarehouseFile> {
  const file = await WarehouseFile.open();
  const rows = ['kept', 'lost'].map((id) => ({
    endpoint: 'visibility',
    project_id: id,
    scope: 'project',
    scope_id: id,
    grain: 'day',
    start_date: '2026-07-01',
  }));
  await file.connection.appendRows({ schema: 'meta', table: 'expected_series', rows });
  return file;
}

it('a lost project is a failure for three nights, whatever runs a night has, and a warning from then on', async () => {
  await using file = await openKnown();
  expect(await night(file, 0)).toEqual([['lost'], 0]);
  expect(await night(file, 0)).toEqual([['lost'], 0]);
  expect(await night(file, 1)).toEqual([['lost'], 0]);
  expect(await night(file, 2)).toEqual([['lost'], 0]);
  expect(await night(file, 3)).toEqual([[], 1]);
  expect(await file.rows('select project_id from meta.expected_series')).toEqual([{ project_id: 'kept' }]);
  expect(await night(file, 4)).toEqual([[], 1]);
});

it('a project is not lost that a run does not ask for, a key may reach, or the configuration leaves out', async () => {
  await using file = await openKnown();
  for (const told of [{ wanted: ['kept'] }, { listed: null }])
    expect(await night(file, 0, told)).toEqual([[], 0]);
  await night(file, 0);
  expect(await night(file, 1, { listed: ['kept', 'lost'] })).toEqual([[], 0]);
  expect(await file.rows('select project_id from meta.expected_series')).toHaveLength(2);
  await night(file, 2);
  expect(await night(file, 3, { projects: ['kept'] })).toEqual([[], 0]);
  expect(await file.rows('select * from meta.unreached_projects')).toEqual([]);
  // Its days are no gaps any more.
  expect(await file.rows('select project_id from meta.expected_series')).toEqual([{ project_id: 'kept' }]);
});
