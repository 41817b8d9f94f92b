import { expect, it } from 'vitest';
import type { AccountConfig } from '../../src/config/config.ts';
import type { OpenRun } from '../../src/run/run-context.ts';
import { readUnreached } from '../../src/run/stages.ts';
import { syncRequest } from '../../src/run/sync-request.ts';
import { PLAIN } from '../config/loaded.ts';
import { ACCOUNT } from '../plan/input.ts';
import { WarehouseFile } from '../support/warehouse-file.ts';

const reached = { projectId: 'kept', account: ACCOUNT, except: [] };

/** The projects that a run misses; `listed` are those that the keys name. */
async function missed(
  { connection }: WarehouseFile,
  {
    listed = ['kept'],
    projects = 'all',
    wanted = null,
  }: { listed?: string[] | null; projects?: AccountConfig['projects']; wanted?: string[] | null } = {},
) {
  const config = { ...PLAIN, accounts: [{ ...ACCOUNT.config, projects }] };
  const listedBy = new Map(listed === null ? [] : [['acme', listed]]);
  const named = { listedBy, listed: listed && new Set(listed) };
  const known = { accounts: [], projects: [reached], answers: [], problems: [], ...named, serverAheadMs: 0 };
  const request = syncRequest({ projects: wanted });
  const run = { connection, config, request } as unknown as OpenRun;
  const { unreached } = await readUnreached(run, known);
  return [...unreached.keys()];
}

const EXPECTED = 'select project_id from meta.expected_series order by 1';

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

it('a project that no key reaches any more is a failure in every run, and its days stay expected', async () => {
  await using file = await openKnown();
  for (let night = 1; night <= 5; night += 1) expect(await missed(file)).toEqual(['lost']);
  expect(await file.rows(EXPECTED)).toEqual([{ project_id: 'kept' }, { project_id: 'lost' }]);
});

it('a project is not lost that a run does not ask for, a key may reach, or the configuration leaves out', async () => {
  await using file = await openKnown();
  for (const told of [{ wanted: ['kept'] }, { listed: null }, { listed: ['kept', 'lost'] }])
    expect(await missed(file, told)).toEqual([]);
  expect(await missed(file, { projects: ['kept'] })).toEqual([]);
  expect(await file.rows(EXPECTED)).toEqual([{ project_id: 'kept' }]);
});
