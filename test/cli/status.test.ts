import { appendFileSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { realEffects } from '../../src/effects.ts';
import { writePublished } from './published.ts';
import { cli, type CliOptions, type CliResult } from './run.ts';
import { openSynced } from './synced.ts';
import { openFolder } from '../support/folder.ts';
import { changeFile } from '../support/file-reader.ts';

it('answerlake status gives every part as JSON', async () => {
  const config = await writePublished(openFolder());
  const { stdout, stderr } = await cli(['status', '--json', '--config', config], at('2025-03-05T12:00:00Z'));
  expect(stderr).toBe('');
  expect(JSON.parse(stdout)).toMatchObject({
    ok: true,
    exit_code: 0,
    runs: [{ run_id: 'r1', job: 'nightly', status: 'ok', requests: 42, selection: { projects: null } }],
    freshness: expect.arrayContaining([
      expect.objectContaining({ endpoint: 'visibility', project_name: 'Fernhill', status: 'current' }),
    ]),
    quota: [],
    rejects: [{ endpoint: 'events', rows: 1 }],
    drift: [],
    alarms: [],
    gaps: [],
  });
  expect(JSON.parse(stdout)).not.toHaveProperty('queue');
});

it('answerlake status says of a rebuilt run why it has no figures', async () => {
  const { folder, run } = await openSynced();
  for (const name of readdirSync(join(folder, 'data')))
    if (name !== 'raw') rmSync(join(folder, 'data', name));
  expect((await run(['replay', '--quiet'], { env: {} })).code).toBe(0);
  const { stdout } = await run(['status']);
  const [runs = ''] = stdout.split('\nFreshness');
  expect(runs).toMatch(/│ +│ ok: rebuilt from the raw archive │/);
  expect(runs).not.toContain('by hand');
});

it('answerlake gaps ends with 0 when every expected day is covered', async () => {
  const config = await writePublished(openFolder());
  const { code, stdout } = await cli(['gaps', '--config', config]);
  expect({ code, stdout }).toEqual({
    code: 0,
    stdout: 'No gaps before 2025-03-05: every expected day is covered.\n',
  });
});

const at = (instant: string): CliOptions => ({
  effects: { ...realEffects, now: () => Date.parse(instant) },
});

it('answerlake status and gaps say how old the newest answer is, and status ends with 3 once it is stale', async () => {
  const config = await writePublished(openFolder());
  const fresh = await cli(['status', '--config', config], at('2025-03-06T14:00:00Z'));
  expect(fresh.code).toBe(0);
  expect(fresh.stdout).toContain('; newest answer 2025-03-05 02:17 UTC, 35 hours ago\n');
  expect(fresh.stdout).not.toMatch(/stale/i);
  const early = await cli(['gaps', '--config', config], at('2025-03-06T14:00:00Z'));
  expect(early.stderr).not.toMatch(/stale/i);
  const late = at('2025-03-06T15:00:00Z');
  const stale = await cli(['status', '--config', config], late);
  expect(stale.code).toBe(3);
  expect(stale.stdout).toMatch(/\nStale: the newest answer is from 2025-03-05 02:17 UTC, 36 hours ago\./);
  expect(stale.stdout).toMatch(/Fernhill │ stale +│ 1 of/);
  const json = await cli(['status', '--config', config, '--json'], late);
  expect(json.code).toBe(3);
  expect(JSON.parse(json.stdout)).toMatchObject({
    ok: false,
    exit_code: 3,
    newest_answer_at: '2025-03-05T02:17:10.000Z',
    age_hours: 36.71,
    is_stale: true,
    stale: [{ project_name: 'Fernhill', endpoint: 'visibility', age_hours: 36.71 }],
  });
  const gaps = await cli(['gaps', '--config', config], late);
  expect([gaps.code, gaps.stderr]).toEqual([0, expect.stringContaining('Later days are no gaps yet.')]);
  expect(JSON.parse((await cli(['gaps', '--config', config, '--json'], late)).stdout)).toMatchObject({
    is_stale: true,
  });
});

it('freshness.max_age of the configuration decides what is stale, also for a file that an earlier run left', async () => {
  const config = await writePublished(openFolder());
  appendFileSync(config, 'freshness: { max_age: 2h }\n');
  expect((await cli(['status', '--config', config], at('2025-03-05T04:00:00Z'))).code).toBe(0);
  expect((await cli(['status', '--config', config], at('2025-03-05T05:00:00Z'))).code).toBe(3);
});

it('answerlake gaps names the monitor or model of a filter', async () => {
  const folder = openFolder();
  const config = await writePublished(folder);
  const path = join(folder, 'data', 'answers.duckdb');
  await changeFile(
    path,
    `insert into core.monitors values ('p1', 'm-1', 'Beans', 'r1', '2025-03-05');
      insert into meta.expected_series values ('visibility', 'p1', 'monitor', 'm-1', 'day', '2025-03-01')`,
  );
  expect((await cli(['gaps', '--config', config])).stdout).toContain('│ monitor Beans │');
});

it('answerlake gaps ends with 0 where only windows are asked for, and they were answered', async () => {
  const folder = openFolder();
  const config = await writePublished(folder, { expected: false, covered: false });
  await changeFile(
    join(folder, 'data', 'answers.duckdb'),
    `insert into meta.slices (endpoint, project_id, scope, scope_id, window_kind, window_start, window_end, sync_day, status, run_id, fetched_at)
     values ('response_summary', 'p1', 'project', 'p1', 'month', '2025-02-01', '2025-02-28', '2025-03-05', 'loaded', 'r1', '2025-03-05')`,
  );
  const { code, stdout } = await cli(['gaps', '--config', config]);
  expect({ code, stdout }).toEqual({
    code: 0,
    stdout: 'No gaps before 2025-03-05: every expected day is covered.\n',
  });
});

it('answerlake gaps lists what is known apart, with its reason, and ends with 0 when nothing else is missing', async () => {
  const folder = openFolder();
  const config = await writePublished(folder);
  await changeFile(
    join(folder, 'data', 'answers.duckdb'),
    `update meta.asked_days set state = 'refused', reason = 'bad_row' where date = '2025-03-02';
     insert into meta.alarms (endpoint, project_id, scope, scope_id, grain, reason, first_on, days, last_on, known_since, asked_on)
     values ('visibility', 'p1', 'project', 'p1', 'day', 'bad_row', '2025-02-20', 3, '2025-02-22', '2025-02-23', '2025-03-01')`,
  );
  const { code, stdout } = await cli(['gaps', '--config', config, '--json']);
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({
    ok: true,
    gaps: [],
    known: [{ date: '2025-03-02', known_reason: 'bad_row', known_first_on: '2025-02-20' }],
  });
  const text = await cli(['gaps', '--config', config]);
  expect([text.code, text.stdout]).toEqual([0, expect.stringMatching(/No gaps[^]*Known[^]*bad row/)]);
});

it('answerlake gaps ends with 3, and its JSON lists each day', async () => {
  const config = await writePublished(openFolder(), { covered: false });
  const { code, stdout } = await cli(['gaps', '--config', config, '--json']);
  expect(code).toBe(3);
  expect(JSON.parse(stdout)).toMatchObject({
    ok: false,
    exit_code: 3,
    is_known: true,
    gaps: [1, 2, 3, 4].map((day) => ({ date: `2025-03-0${day}` })),
  });
});

// The name as macOS writes it: its letter and its accent apart.
const CAFE = 'Café Nord'.normalize('NFD');

it.each(['p2', 'café nord', CAFE, 'cafe-nord'])(
  'answerlake status and gaps --project %s are about that project alone',
  async (called) => {
    const folder = openFolder();
    const config = await writePublished(folder, { covered: false });
    await changeFile(
      join(folder, 'data', 'answers.duckdb'),
      `insert into core.projects values ('p2', 'o1', 'Café Nord', 'cafe-nord', 'r1', '2025-03-05');
       insert into meta.expected_series values ('sentiment', 'p2', 'project', 'p2', 'day', '2025-03-04')`,
    );
    const read = async (command: string): Promise<CliResult> =>
      await cli([command, '--project', called, '--config', config]);
    const status = await read('status');
    expect(status.stdout).toMatch(/Freshness\n[^]*Café Nord[^]*│ Café Nord │ sentiment │ +1 │/);
    expect(status.stdout).not.toContain('Fernhill');
    expect(status.stdout).toContain('nightly');
    const gaps = await cli(['gaps', '--json', '--project', called, '--config', config]);
    expect(JSON.parse(gaps.stdout)).toMatchObject({ gaps: [{ project_id: 'p2', date: '2025-03-04' }] });
    expect((await read('gaps')).stdout).not.toContain('Fernhill');
  },
);

it('answerlake status, gaps and export name the projects that there are to those who name another', async () => {
  const config = await writePublished(openFolder());
  for (const command of ['status', 'gaps', 'export']) {
    const { code, stderr } = await cli([command, '--project', 'nobody', '--config', config]);
    expect([command, code]).toEqual([command, 2]);
    expect(stderr).toMatch(/has no project "nobody". It has:\n {2}p1 {2}Fernhill\n/);
  }
});
