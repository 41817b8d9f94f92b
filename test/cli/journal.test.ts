import { existsSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { journalPath } from '../../src/run/run-journal.ts';
import { writePublished } from './published.ts';
import { cli, openFolder } from './run.ts';
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
