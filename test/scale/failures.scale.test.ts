import { tables } from '../support/tables.ts';
import { statSync } from 'node:fs';
import { expect, test } from 'vitest';
import { openWorkingFile, workingPath } from '../../src/warehouse/working-file.ts';
import { rowsOfFile } from '../support/file-reader.ts';
import { mostRepeated } from './organizations.ts';
import { Fleet, TODAY, inDatabase, wait } from './fleet.ts';
import { openPostgres } from '../../src/scale/queue/postgres.ts';
import { newBoss } from '../../src/scale/queue/schema.ts';
import { secretOf } from '../../src/secret.ts';

/** A working file that is free for the most part. */
async function fillWithFreeBlocks(publishedPath: string): Promise<void> {
  const working = await openWorkingFile({ tables, publishedPath, now: Date.now() });
  await using database = working.database;
  const connection = await database.connect();
  await connection.run(
    `insert into meta.drift select 'visibility', cast(i as varchar), 'new_field', md5(cast(i as varchar)), now()::timestamp, now()::timestamp, 'run' from range(1200000) t(i)`,
  );
  await connection.run('checkpoint');
  await connection.run("update meta.drift set sample = md5(sample); delete from meta.drift where path > '1'");
  await connection.run('checkpoint');
}

test('a loader gives free blocks of the working file back between two runs', async () => {
  const fleet = await Fleet.open(1);
  await fillWithFreeBlocks(fleet.published);
  const before = statSync(workingPath(fleet.published)).size;
  const loader = fleet.start(['loader']);
  fleet.start(['worker']);
  expect((await fleet.run(['queue', 'run', '--wait', '--today', TODAY])).code).toBe(0);
  await loader.saw('working_file.compacted');
  expect(statSync(workingPath(fleet.published)).size).toBeLessThan(before / 2);
  const again = await fleet.run(['queue', 'run', '--wait', '--today', TODAY, '--json']);
  expect(JSON.parse(again.stdout)).toMatchObject({ exit_code: 0, rows_inserted: 0, rows_updated: 0 });
});

test('an organization without quota waits for its reset, or ends the run with 5; the other is loaded once', async () => {
  const quota = { perHour: 1_000, hourMs: 3_000 };
  const fleet = await Fleet.open(2, { quota });
  for (const role of ['loader', 'worker']) fleet.start([role]);
  // However slow the machine is: no hour has anything left until all was seen.
  const [answering, spent] = fleet.organizations.simulators;
  const spending = setInterval(() => spent?.spendQuota(quota.perHour), 20);
  const short = await fleet.run(['queue', 'run', '--wait', '--max-wait', '0', '--today', TODAY, '--json']);
  expect(JSON.parse(short.stdout)).toMatchObject({ exit_code: 5 });
  expect(await rowsOfFile(fleet.published, 'select distinct project_id from core.visibility')).toEqual([
    { project_id: 'organization-0-project' },
  ]);

  answering?.resetRequests();
  const run = fleet.start(['queue', 'run', '--wait', '--today', TODAY]);
  while (!(await fleet.run(['queue', 'status'])).stdout.includes('account a1: parked until')) continue;
  clearInterval(spending);
  expect(await run.ended).toMatchObject({ code: 0 });
  const validations = answering?.requests.filter(({ path }) => path.includes('validate'));
  expect(mostRepeated(validations ?? [])).toBe(1);
  expect(await fleet.differences()).toEqual([]);
});

const ACTIVE = "name = 'runs' and state = 'active'";

test('a run that lasts longer than a day stays under way, and is not done again', async () => {
  const fleet = await Fleet.open(1, { latencyMs: 100 });
  const { organizations } = fleet;
  for (const role of ['loader', 'worker']) fleet.start([role]);
  const run = fleet.start(['queue', 'run', '--full', '--wait', '--today', TODAY, '--json']);
  while (organizations.requests().length < 12) await wait(20);
  await inDatabase(
    fleet.url,
    `update answerlake_jobs.job set started_on = now() - interval '30 hours' where ${ACTIVE}`,
  );
  await using postgres = openPostgres(secretOf('env:DATABASE_URL', fleet.url));
  const boss = newBoss(postgres, { migrate: false });
  await boss.start();
  await boss.maintain();
  await boss.stop({ graceful: false, wait: true });
  const active = `select id from answerlake_jobs.job where ${ACTIVE}`;
  expect(await inDatabase(fleet.url, active)).toHaveLength(1);
  // As the upkeep of an earlier version does.
  await inDatabase(fleet.url, `update answerlake_jobs.job set state = 'retry' where ${ACTIVE}`);
  organizations.setLatency(0);
  const { code, stdout } = await run.ended;
  expect([code, JSON.parse(stdout)]).toMatchObject([0, { ok: true, status: 'ok' }]);
  expect(await rowsOfFile(fleet.published, 'select count(*)::int as runs from meta.runs')).toEqual([
    { runs: 1 },
  ]);
  expect(mostRepeated(organizations.requests())).toBe(1);
});
