import { expect, test } from 'vitest';
import { openPostgres } from '../../src/scale/queue/postgres.ts';
import { newBoss } from '../../src/scale/queue/schema.ts';
import { secretOf } from '../../src/secret.ts';
import { rowsOfFile } from '../support/file-reader.ts';
import { mostRepeated } from './organizations.ts';
import { Fleet, inDatabase, TODAY, wait } from './fleet.ts';

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
