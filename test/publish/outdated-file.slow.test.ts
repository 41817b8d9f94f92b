import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { loadConfig } from '../../src/config/file.ts';
import { openState } from '../../src/daemon/schedule/jobs.ts';
import { openMetrics } from '../../src/daemon/serve/metrics.ts';
import { openService } from '../../src/daemon/serve/service.ts';
import { realEffects } from '../../src/effects.ts';
import { silentLog } from '../../src/log.ts';
import { openPublishedFile } from '../../src/publish/published-file.ts';
import { openDatabase } from '../../src/warehouse/database.ts';
import { workingPath } from '../../src/warehouse/working-file.ts';
import { cli } from '../cli/run.ts';
import { CONFIG } from '../cli/published.ts';
import { job } from '../daemon/jobs.ts';
import { changeFile } from '../support/file-reader.ts';
import { openFolder } from '../support/folder.ts';
import { oldFile } from '../support/old-file.ts';
import { BUILT } from '../support/program.ts';
import { freePort } from '../support/scripted-server.ts';

const OUTDATED = /The published file is of another version of answerlake: run answerlake publish/;

const ROWS = `
insert into core.projects values ('p1', 'o1', 'Fernhill', 'fernhill', 'r1', '2025-03-05');
insert into core.visibility select 'p1', 'day', unnest(generate_series(date '2025-03-01', date '2025-03-04', interval '1 day')), 'project', 'p1', 40, 'r1', '2025-03-05';
insert into meta.settings values ('sync_day', '2025-03-05'), ('start_date', '2025-03-01'), ('lookback_days', '7'),
  ('timezone', 'UTC'), ('base_url', 'http://127.0.0.1:9'), ('published_views', 'those of 0.2.0');
insert into meta.runs (run_id, job, started_at, finished_at, sync_day, status, exit_code, selection)
  values ('r1', 'nightly', '2025-03-05 02:17:00', '2025-03-05 02:18:00', '2025-03-05', 'ok', 0, '{"projects":null}');
insert into meta.expected_series values ('visibility', 'p1', 'project', 'p1', 'day', '2025-03-01');
insert into meta.slices (endpoint, project_id, scope, scope_id, grain, window_start, window_end, covered_end, sync_day, status, truncated, asked_with, run_id, fetched_at)
  values ('visibility', 'p1', 'project', 'p1', 'day', '2025-03-01', '2025-03-05', '2025-03-05', '2025-03-05', 'loaded', false, 'w', 'r1', '2025-03-05');
`;

/** Of the views of 0.2.0, those that are read whatever the version; none says from which age on answers are stale. */
const VIEWS = `
create view main.sync_settings as
  select max(try_cast(value as date)) filter (name = 'sync_day') as sync_day, max(value) filter (name = 'base_url') as base_url
  from meta.settings;
create view main.daily_kpis as select v.project_id, v.date, v.visibility from core.visibility v where v.scope = 'project';
create view main.event_annotations as
  select e.project_id, null as project_name, e.event_id, e.occurred_at as "time", e.date, e.action_title as title from core.events e;
create view main.sync_freshness as
  select z.project_id, p.name as project_name, z.endpoint, 'current' as status, max(z.fetched_at) as last_success_at,
    max(z.covered_end) as last_covered_date, null as last_error
  from meta.slices z join core.projects p using (project_id) group by all;
`;

/** Configuration, working file and published file as answerlake 0.2.0 left them. */
async function openUpgraded({ hasWorkingFile = true } = {}): Promise<{ config: string; path: string }> {
  const folder = openFolder();
  const config = join(folder, 'answerlake.yaml');
  writeFileSync(config, `${CONFIG}http: { port: ${await freePort()} }\n`);
  const path = join(folder, 'data', 'answers.duckdb');
  mkdirSync(dirname(path));
  {
    await using database = await openDatabase({ path });
    const connection = await database.connect();
    await connection.run(oldFile('0.2.0') + ROWS);
  }
  if (hasWorkingFile) cpSync(path, workingPath(path));
  await changeFile(path, VIEWS);
  return { config, path };
}

it.each([
  ['status'],
  ['status', '--json'],
  ['gaps'],
  ['examples', '1'],
  ['report', '--output', 'PLACE/page.html'],
  ['report', '--format', 'svg', '--output', 'PLACE/pictures'],
  ['export', '--output', 'PLACE/export'],
  ['export', '--output', 'PLACE/book.xlsx'],
])('after an upgrade from 0.2.0, answerlake %s says that publish comes first (%j)', async (...argv) => {
  const { config, path } = await openUpgraded();
  const words = argv.map((word) => word.replace('PLACE', dirname(path)));
  const { code, stderr } = await cli([...words, '--config', config]);
  expect(stderr).toMatch(OUTDATED);
  expect([code, stderr.includes('This is a bug')]).toEqual([7, false]);
});

it('after an upgrade from 0.2.0, query and describe take the file as it is, and say what it lacks', async () => {
  const { config } = await openUpgraded();
  const run = (...argv: string[]) => cli([...argv, '--config', config]);
  const rows = await run('query', 'select date, visibility from daily_kpis order by date', '--format', 'csv');
  expect(rows.stdout.split('\n').slice(0, 2)).toEqual(['date,visibility', '2025-03-01,40']);
  expect((await run('describe', 'daily_kpis')).code).toBe(0);
  const lacking = await run('query', 'from model_kpis');
  expect(lacking.code).toBe(2);
  expect(lacking.stderr).toMatch(/model_kpis does not exist[^]*run answerlake publish/);
  const mistyped = await run('query', 'selec 1');
  expect(mistyped.stderr).toMatch(/The query failed: Parser Error/);
  const [, failure = ''] = mistyped.stderr.split('The query failed');
  expect(failure).not.toMatch(OUTDATED);
});

it('after an upgrade from 0.2.0, probes and metrics answer, and the page asks for a publish', async () => {
  const { config: file, path } = await openUpgraded();
  const config = loadConfig({ path: file, env: { ACME_KEY: 'key' } });
  const state = openState([job('yearly', '0 0 1 1 *')]);
  state.readyMs = Date.now();
  const context = { config, effects: realEffects, log: silentLog };
  const service = await openService(state, openMetrics('1'), context);
  onTestFinished(() => service?.[Symbol.asyncDispose]());
  const ask = async (where: string) => {
    const answer = await fetch(`${service?.url ?? ''}${where}`);
    return { status: answer.status, body: await answer.text() };
  };
  expect((await ask('/readyz')).status).toBe(200);
  expect((await ask('/metrics')).body).toMatch(
    /^answerlake_freshness_days\{project="p1",endpoint="visibility"\} /m,
  );
  const page = await ask('/');
  expect(page.status).toBe(200);
  expect(page.body).toMatch(OUTDATED);
  expect(page.body).toContain('<th scope="row">Fernhill</th><td>visibility</td>');
  rmSync(path);
  expect((await ask('/')).body).toContain('The next run is yearly, ');
});

it('after an upgrade from 0.2.0, answerlake mcp says that publish comes first', async () => {
  const { config } = await openUpgraded();
  const client = new Client({ name: 'test', version: '1' });
  const args = [BUILT, 'mcp', '--config', config];
  await client.connect(new StdioClientTransport({ command: process.execPath, args, stderr: 'ignore' }));
  const answer = await client.callTool({ name: 'list_views', arguments: {} });
  await client.close();
  expect(answer).toMatchObject({ isError: true, content: [{ text: expect.stringMatching(OUTDATED) }] });
});

it.each([true, false])(
  'publish alone makes a file of 0.2.0 one of this version, with its working file: %s',
  async (hasWorkingFile) => {
    const { config, path } = await openUpgraded({ hasWorkingFile });
    const env = { ACME_KEY: 'key' };
    expect((await cli(['publish', '--config', config], { env })).code).toBe(0);
    await using file = await openPublishedFile(path);
    expect(file.outdated).toBeNull();
    const { rows } = await file.query('select count(visibility) from daily_kpis');
    expect(rows).toEqual([[{ text: '4', json: '4' }]]);
    expect((await cli(['status', '--config', config])).stderr).not.toMatch(OUTDATED);
  },
);
