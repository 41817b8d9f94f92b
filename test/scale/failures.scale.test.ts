import { statSync } from 'node:fs';
import { expect, test } from 'vitest';
import { openWorkingFile, workingPath } from '../../src/warehouse/working-file.ts';
import { rowsOfFile } from '../support/file-reader.ts';
import { mostRepeated } from './asked-often.ts';
import { startOrganizations } from './organizations.ts';
import { Fleet } from './fleet.ts';

const TODAY = '2026-03-01';

/** A working file that is free for the most part. */
async function fillWithFreeBlocks(publishedPath: string): Promise<void> {
  const working = await openWorkingFile({ publishedPath, now: Date.now() });
  await using database = working.database;
  const connection = await database.connect();
  await connection.run(
    `insert into meta.drift select 'visibility', cast(i as varchar), 'new_field', md5(cast(i as varchar)), now()::timestamp, now()::timestamp, 'run' from range(1200000) t(i)`,
  );
  await connection.run('checkpoint');
  await connection.run("update meta.drift set sample = md5(sample); delete from meta.drift where path > '1'");
  await connection.run('checkpoint');
}

const json = (text: string): Record<string, unknown> => JSON.parse(text) as Record<string, unknown>;

test('a loader gives free blocks of the working file back between two runs', async () => {
  await using organizations = await startOrganizations(1, { today: TODAY });
  const fleet = await Fleet.open({ organizations, startDate: '2026-02-20' });
  await fillWithFreeBlocks(fleet.published);
  const before = statSync(workingPath(fleet.published)).size;
  const loader = fleet.start(['loader']);
  fleet.start(['worker']);
  expect((await fleet.run(['queue', 'run', '--wait', '--today', TODAY])).code).toBe(0);
  await loader.saw('working_file.compacted');
  expect(statSync(workingPath(fleet.published)).size).toBeLessThan(before / 2);
  const again = await fleet.run(['queue', 'run', '--wait', '--today', TODAY, '--json']);
  expect(json(again.stdout)).toMatchObject({ exit_code: 0, rows_inserted: 0, rows_updated: 0 });
});

test('an organization without quota waits for its reset, or ends the run with 5; the other is loaded once', async () => {
  const quota = { perHour: 1_000, hourMs: 3_000 };
  await using organizations = await startOrganizations(2, { today: TODAY, quota });
  const fleet = await Fleet.open({ organizations, startDate: '2026-02-20' });
  for (const role of ['loader', 'worker']) fleet.start([role]);
  // However slow the machine is: no hour has anything left until all was seen.
  const spending = setInterval(() => organizations.simulators[1]?.spendQuota(quota.perHour), 20);
  const short = await fleet.run(['queue', 'run', '--wait', '--max-wait', '0', '--today', TODAY, '--json']);
  expect(json(short.stdout)).toMatchObject({ exit_code: 5 });
  expect(await rowsOfFile(fleet.published, 'select distinct project_id from core.visibility')).toEqual([
    { project_id: 'organization-0-project' },
  ]);

  const [answering] = organizations.simulators;
  answering?.resetRequests();
  const run = fleet.start(['queue', 'run', '--wait', '--today', TODAY]);
  while (!(await fleet.run(['queue', 'status'])).stdout.includes('account a1: parked until')) continue;
  clearInterval(spending);
  expect(await run.ended).toMatchObject({ code: 0 });
  const validations = answering?.requests.filter(({ path }) => path.includes('validate'));
  expect(mostRepeated(validations ?? [])).toBe(1);
  expect(await fleet.differences(TODAY)).toEqual([]);
});
