import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { silentLog } from '../../src/log.ts';
import { finishedRuns, journalPath, readJournal, writeJournal } from '../../src/run/journal.ts';
import { openDatabase } from '../../src/warehouse/database.ts';
import { migrate } from '../../src/warehouse/migrate.ts';
import { writePublished } from './published.ts';
import { cli } from './run.ts';
import { openFolder } from '../support/folder.ts';
import { openSmallWorld, TODAY } from './small-world.ts';

interface Status {
  runs: { run_id: string; status: string; exit_code: number; started_at: string }[];
  quota: { quota_remaining: number }[];
}

describe('answerlake status', () => {
  it('knows a run that changed and published nothing, and the quota it left', async () => {
    const { run, folder } = await openSmallWorld();
    const published = join(folder, 'data', 'answers.duckdb');
    const sync = ['sync', '--today', TODAY, '--quiet', '--json', '--endpoint', 'events'];
    const first = JSON.parse((await run(sync)).stdout) as { run_id: string };
    const { mtimeMs } = statSync(published);
    const before = JSON.parse((await run(['status', '--json'])).stdout) as Status;
    const second = JSON.parse((await run(sync)).stdout) as { run_id: string; published: string | null };
    expect(second.published).toBeNull();
    expect(statSync(published).mtimeMs).toBe(mtimeMs);
    const after = JSON.parse((await run(['status', '--json'])).stdout) as Status;
    expect(after.runs.map((one) => one.run_id)).toEqual([second.run_id, first.run_id]);
    expect(after.runs[0]).toMatchObject({ status: 'ok', exit_code: 0 });
    expect(after.runs[0]?.started_at).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/);
    expect(after.quota[0]?.quota_remaining).toBeLessThan(before.quota[0]?.quota_remaining ?? 0);
  });

  it('knows a run that failed, after a publish and before the first one', async () => {
    const { run } = await openSmallWorld();
    const sync = ['sync', '--today', TODAY, '--quiet', '--endpoint', 'events'];
    const wrong = { env: { SMALL_KEY: 'a-wrong-key' } };
    await run(sync);
    await run(sync, wrong);
    const { runs } = JSON.parse((await run(['status', '--json'])).stdout) as Status;
    expect(runs[0]).toMatchObject({ status: 'failed', exit_code: 4 });
    expect(runs).toHaveLength(2);
  });

  it('says how the last run ended where nothing was published yet', async () => {
    const { run } = await openSmallWorld();
    await run(['sync', '--today', TODAY, '--quiet'], { env: { SMALL_KEY: 'a-wrong-key' } });
    const { code, stderr } = await run(['status']);
    expect(code).toBe(7);
    expect(stderr).toMatch(
      /no published file .* The last run \(.* UTC\) ended failed, exit 4: account small: /,
    );
  });

  it('says what the published file says when the journal is missing or damaged', async () => {
    const { run, folder } = await openSmallWorld();
    await run(['sync', '--today', TODAY, '--quiet', '--endpoint', 'events']);
    const journal = journalPath(join(folder, 'data', 'answers.duckdb'));
    const whole = (await run(['status', '--json'])).stdout;
    writeFileSync(journal, '{"version":1,"runs":[{"run_id"');
    expect((await run(['status', '--json'])).stdout).toBe(whole);
    expect(existsSync(journal)).toBe(true);
  });
});

describe('the journal of runs', () => {
  it('has a run while it is under way', async () => {
    const seen: unknown[] = [];
    const world = await openSmallWorld({
      faults: ({ path }) => {
        if (!path.endsWith('/events')) return undefined;
        const text = readFileSync(journalPath(join(world.folder, 'data', 'answers.duckdb')), 'utf8');
        seen.push((JSON.parse(text) as Status).runs[0]);
        return undefined;
      },
    });
    await world.run(['sync', '--today', TODAY, '--quiet', '--endpoint', 'events']);
    expect(seen[0]).toMatchObject({ status: 'running', exit_code: null, finished_at: null });
    const { runs } = await readJournal(join(world.folder, 'data', 'answers.duckdb'));
    expect(runs).toMatchObject([{ status: 'ok', exit_code: 0 }]);
  });

  it('keeps the last success of a monthly job, however often another one runs', async () => {
    const path = join(openFolder(), 'answers.duckdb');
    await using database = await openDatabase({ path: `${path}.working` });
    const connection = await database.connect();
    await migrate(connection, { now: 0 });
    await connection.run(`
insert into meta.runs (run_id, job, started_at, finished_at, sync_day, status, exit_code)
select 'm' || n, 'monthly', timestamp '2025-01-01' + to_days(n), timestamp '2025-01-01' + to_days(n), '2025-01-01', s, c
from (values (0, 'ok', 0), (1, 'failed', 4), (2, 'failed', 4)) as runs(n, s, c);
insert into meta.runs (run_id, job, started_at, finished_at, sync_day, status, exit_code)
select 'h' || n, 'hourly', timestamp '2025-02-01' + to_hours(n), timestamp '2025-02-01' + to_hours(n), '2025-02-01', 'ok', 0
from range(150) as hours(n)`);
    await writeJournal(connection, { path, log: silentLog });
    const journal = await readJournal(path);
    expect(journal.runs).toHaveLength(103);
    expect(finishedRuns(journal, 'monthly').map((run) => run.run_id)).toEqual(['m2', 'm1', 'm0']);
  });
});

describe('answerlake gaps', () => {
  it('finds the days that a stopped first run never asked for', async () => {
    const stop = new AbortController();
    const { run } = await openSmallWorld({
      faults: ({ path }) => {
        if (path.endsWith('visibility-time-series')) stop.abort();
        return undefined;
      },
    });
    const stopped = await run(['sync', '--today', TODAY, '--quiet'], { signal: stop.signal });
    expect(stopped.code).toBe(130);
    const { code, stdout } = await run(['gaps', '--json']);
    expect(code).toBe(3);
    const gaps = JSON.parse(stdout) as { endpoint: string }[];
    expect(new Set(gaps.map(({ endpoint }) => endpoint))).toContain('sentiment');
    expect((await run(['gaps'])).stdout).not.toContain('No gaps');
  });

  it('does not call it complete where no sync has planned any day', async () => {
    const directory = openFolder();
    const config = await writePublished(directory, { expected: false });
    const { code, stdout } = await cli(['gaps', '--config', config]);
    expect(code).toBe(3);
    expect(stdout).toMatch(/^Gaps are not known/);
    expect((await cli(['status', '--config', config])).stdout).toContain('Gaps are not known');
  });
});
