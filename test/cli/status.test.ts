import { join } from 'node:path';
import { expect, it } from 'vitest';
import { realEffects } from '../../src/effects.ts';
import { writePublished } from './published.ts';
import { cli, type CliOptions } from './run.ts';
import { openFolder } from '../support/folder.ts';
import { changeFile } from '../support/file-reader.ts';

it('answerlake status gives every part as JSON', async () => {
  const config = await writePublished(openFolder());
  const { stdout, stderr } = await cli(['status', '--json', '--config', config]);
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
    suspicious: [],
    gaps: [],
  });
  expect(JSON.parse(stdout)).not.toHaveProperty('queue');
});

it('answerlake gaps ends with 0 when every expected day is covered', async () => {
  const config = await writePublished(openFolder());
  const { code, stdout } = await cli(['gaps', '--config', config]);
  expect({ code, stdout }).toEqual({ code: 0, stdout: 'No gaps: every expected day is covered.\n' });
});

it('answerlake gaps and status say how long ago the newest sync was, from the second day on', async () => {
  const config = await writePublished(openFolder());
  const on = (day: number): CliOptions => ({
    effects: { ...realEffects, now: () => Date.parse('2025-03-05T12:00:00Z') + day * 86_400_000 },
  });
  for (const command of ['gaps', 'status']) {
    const soon = await cli([command, '--config', config], on(1));
    expect(soon.stdout + soon.stderr).not.toContain('The newest sync');
    const late = await cli([command, '--config', config], on(2));
    expect(late.stdout + late.stderr).toContain('The newest sync was for 2025-03-05, 2 days ago');
    expect(late.code).toBe(0);
  }
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

it('answerlake status says what to do when the file is of an older version that lacks a table', async () => {
  const folder = openFolder();
  const config = await writePublished(folder);
  const path = join(folder, 'data', 'answers.duckdb');
  await changeFile(path, 'drop table meta.unreached_projects');
  for (const flags of [[], ['--json']]) {
    const { code, stderr } = await cli(['status', '--config', config, ...flags]);
    expect(code).toBe(7);
    expect(stderr).toContain('of another version of answerlake: run answerlake publish');
  }
});
