import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { realEffects } from '../../src/effects.ts';
import { silentLog } from '../../src/log.ts';
import {
  finishedRuns,
  journalPath,
  readJournal,
  recallLostEnds,
  writeJournal,
  writeLostEnd,
} from '../../src/run/journal.ts';
import { openPublished } from './published.ts';
import { WarehouseFile } from '../support/warehouse-file.ts';
import { openSmallWorld, TODAY } from './small-world.ts';
import { fails, prints } from './run.ts';

interface Synced {
  run_id: string;
  published: string | null;
}

interface Status {
  runs: { run_id: string; status: string; exit_code: number; started_at: string }[];
  quota: { quota_remaining: number }[];
}

it('answerlake status knows a run that is under way, one that changed nothing, and one that failed', async () => {
  const underWay: unknown[] = [];
  const { folder, run } = await openSmallWorld({
    faults: ({ path }) => {
      if (path.endsWith('/events'))
        underWay.push((JSON.parse(readFileSync(journal, 'utf8')) as Status).runs[0]);
      return undefined;
    },
  });
  const published = join(folder, 'data', 'answers.duckdb');
  const journal = journalPath(published);
  // Ages would differ.
  const now = Date.now();
  const effects = { ...realEffects, now: () => now };
  const status = async () => (await run(['status', '--json'], { effects })).report as Status;
  const argv = ['sync', '--today', TODAY, '--quiet', '--json', '--endpoint', 'events'];
  const sync = async () => (await run(argv)).report as Synced;
  const first = await sync();
  expect(underWay[0]).toMatchObject({ status: 'running', exit_code: null, finished_at: null });
  expect((await readJournal(published)).runs).toMatchObject([{ status: 'ok', exit_code: 0 }]);
  const before = await status();
  writeFileSync(journal, '{"version":1,"runs":[{"run_id"');
  // A damaged journal is left to the next run; the published file says the same.
  expect([await status(), existsSync(journal)]).toEqual([before, true]);
  const { mtimeMs } = statSync(published);
  const second = await sync();
  expect([second.published, statSync(published).mtimeMs]).toEqual([null, mtimeMs]);
  const after = await status();
  const started_at = expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/) as string;
  expect(after.runs).toMatchObject([
    { run_id: second.run_id, status: 'ok', exit_code: 0, started_at },
    { run_id: first.run_id },
  ]);
  expect(after.quota[0]?.quota_remaining).toBeLessThan(before.quota[0]?.quota_remaining ?? 0);
  await run(argv, { env: { SMALL_KEY: 'a-wrong-key' } });
  const last = (await status()).runs;
  expect([last.length, last[0]]).toMatchObject([3, { status: 'failed', exit_code: 4 }]);
});

it('answerlake status says how the last run ended where nothing was published yet', async () => {
  const { run } = await openSmallWorld();
  await run(['sync', '--today', TODAY, '--quiet'], { env: { SMALL_KEY: 'a-wrong-key' } });
  expect(await run(['status'])).toMatchObject(
    fails(2, /no published file .* The last run \(.* UTC\) ended failed, exit 4: account small: /),
  );
});

it('the journal of runs keeps the last success of a monthly job, however often another one runs', async () => {
  await using warehouse = await WarehouseFile.open();
  const { connection } = warehouse;
  const path = join(warehouse.folder, 'answers.duckdb');
  await connection.run(`
insert into meta.runs (run_id, job, started_at, finished_at, sync_day, status, exit_code, sequence)
select 'm' || n, 'monthly', timestamp '2025-01-01' + to_days(n), timestamp '2025-01-01' + to_days(n), '2025-01-01', s, c, n
from (values (0, 'ok', 0), (1, 'failed', 4), (2, 'failed', 4)) as runs(n, s, c);
insert into meta.runs (run_id, job, started_at, finished_at, sync_day, status, exit_code, sequence)
select 'h' || n, 'hourly', timestamp '2025-02-01' + to_hours(n), timestamp '2025-02-01' + to_hours(n), '2025-02-01', 'ok', 0, 10 + n
from range(150) as hours(n)`);
  await writeJournal(connection, { config: { warehouse: { path } }, log: silentLog });
  const journal = await readJournal(path);
  expect(journal.runs).toHaveLength(103);
  expect(finishedRuns(journal, 'monthly').map((run) => run.run_id)).toEqual(['m2', 'm1', 'm0']);
});

it('the end of a run that only the journal knows is entered later, and no other run is changed', async () => {
  await using warehouse = await WarehouseFile.open();
  const { connection } = warehouse;
  const path = join(warehouse.folder, 'answers.duckdb');
  await connection.run(`
insert into meta.runs (run_id, started_at, sync_day, status, exit_code, sequence)
values ('full-disk', timestamp '2025-01-01', '2025-01-01', 'running', null, 1), ('later', timestamp '2025-01-02', '2025-01-02', 'running', null, 2)`);
  const file = { config: { warehouse: { path } }, log: silentLog };
  await writeJournal(connection, file);
  const end = {
    status: 'failed',
    exit_code: 7,
    error_message: 'full',
    finished_at: '2025-01-01T01:00:00Z',
  } as const;
  await writeLostEnd({ ...end, run_id: 'full-disk' }, file);
  await connection.run("update meta.runs set status = 'ok', exit_code = 0 where run_id = 'later'");
  await recallLostEnds(connection, path);
  expect(
    await connection.rows(
      'select run_id, status, exit_code, error_message, finished_at::varchar as finished_at from meta.runs order by 1',
    ),
  ).toEqual([
    { ...end, run_id: 'full-disk', finished_at: '2025-01-01 01:00:00' },
    { run_id: 'later', status: 'ok', exit_code: 0, error_message: null, finished_at: null },
  ]);
});

it('answerlake gaps finds the days that a stopped first run never asked for', async () => {
  const stop = new AbortController();
  const { run } = await openSmallWorld({
    faults: ({ path }) => {
      if (path.endsWith('visibility-time-series')) stop.abort();
      return undefined;
    },
  });
  const stopped = await run(['sync', '--today', TODAY, '--quiet', '--endpoint', 'visibility', 'sentiment'], {
    signal: stop.signal,
  });
  expect(stopped.code).toBe(130);
  const gaps = expect.arrayContaining([expect.objectContaining({ endpoint: 'sentiment' })]) as unknown;
  expect(await run(['gaps', '--json'])).toMatchObject({ code: 3, report: { gaps } });
  expect((await run(['gaps'])).stdout).not.toContain('No gaps');
});

it('answerlake gaps does not call it complete where no sync has planned any day', async () => {
  const { run } = await openPublished('', { expected: false });
  expect(await run(['gaps'])).toMatchObject(prints(3, /^Gaps are not known/));
  expect((await run(['status'])).stdout).toContain('Gaps are not known');
});
