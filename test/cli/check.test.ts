import { tables } from '../support/tables.ts';
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
  statSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { nodeText } from '../../src/cli/check.ts';
import { openWorkingFile, workingPath } from '../../src/warehouse/working-file.ts';
import { changeFile } from '../support/file-reader.ts';
import { openSynced, openSmallWorld, type SmallWorldOptions } from './small-world.ts';
import { fails, prints } from './run.ts';
import { checkQueue, checkStorage, type CheckResult } from '../../src/cli/check-storage.ts';
import { AnswerlakeError } from '../../src/errors.ts';
import { loadConfig } from '../../src/config/file.ts';
import { notifyStatePath, readNotifyState } from '../../src/daemon/notify/decide-notifications.ts';
import { publish } from '../../src/publish/publish.ts';
import { openPublished } from './published.ts';
import { bytes, openScriptedServer } from '../support/scripted-server.ts';
import { refuse } from '../support/refusing-disk.ts';

async function openWorld(options: SmallWorldOptions = {}) {
  const world = await openSmallWorld({ isNew: true, ...options });
  return { ...world, check: () => world.run(['check', '--json']) };
}

interface Report {
  checks: { name: string; status: string; message: string }[];
}

it('answerlake check says ok to everything before the first sync, and creates nothing', async () => {
  const { check, folder, simulator } = await openWorld();
  const result = await check();
  expect(result).toMatchObject({ code: 0, report: { ok: true, exit_code: 0 } });
  expect((result.report as Report).checks.map(({ status }) => status)).not.toContain('failed');
  expect(readdirSync(folder)).toEqual(['answerlake.yaml']);
  expect(simulator.requests.length).toBeLessThanOrEqual(3);
});

it('answerlake check --quiet prints only what is wrong, and gives exit 4 when no key works', async () => {
  const { run } = await openWorld();
  expect(await run(['check', '--quiet'])).toEqual({ code: 0, stdout: '', stderr: '' });
  const wrong = await run(['check', '--quiet'], { env: { SMALL_KEY: 'a-wrong-key' } });
  expect(wrong).toMatchObject(prints(4, /^failed {3}account small: .*\n$/));
});

it('answerlake check --notify sends a test to the webhook, and keeps what became of it', async () => {
  const { run, folder } = await openSmallWorld();
  let status = 200;
  await using server = await openScriptedServer(() => bytes('', status));
  expect(await run(['check', '--notify', '--quiet'])).toMatchObject(prints(2, 'set notify.webhook'));
  appendFileSync(join(folder, 'answerlake.yaml'), 'notify: { webhook: file:hook }\n');
  writeFileSync(join(folder, 'hook'), `${server.origin}/canary`, { mode: 0o600 });
  const kept = () =>
    readNotifyState(notifyStatePath(join(folder, 'data', 'answers.duckdb'))).delivery?.problem;
  expect(await run(['check', '--notify'])).toMatchObject(prints(0, 'webhook: a test was sent (file:hook)'));
  expect([kept(), server.seen.length]).toEqual([null, 1]);
  expect(server.seen[0]?.body).toContain('The webhook works.');
  status = 404;
  expect(await run(['check', '--notify', '--quiet'])).toMatchObject(
    prints(5, 'webhook: answered 404; correct'),
  );
  expect([kept(), server.seen.length]).toEqual(['answered 404', 3]);
});

it.each([
  ['no database', 'not a DuckDB file', (path: string) => writeFileSync(path, 'not a database at all')],
  ['a link to nothing', 'it does not exist', (path: string) => symlinkSync(`${path}.gone`, path)],
])('answerlake check gives exit 7 when the published file is %s', async (_, says, make) => {
  const { check, folder } = await openWorld();
  mkdirSync(join(folder, 'data'));
  make(join(folder, 'data', 'answers.duckdb'));
  expect(await check()).toMatchObject(prints(7, new RegExp(`published file[^]*${says}`)));
});

it('answerlake check does not hold the working file, and needs no sync to end', async () => {
  const { check, folder } = await openWorld();
  const publishedPath = join(folder, 'data', 'answers.duckdb');
  await using held = (await openWorkingFile({ tables, publishedPath, now: 0 })).database;
  expect(held).toBeDefined();
  expect(await check()).toMatchObject(
    prints(0, /"working file",\s+"status": "ok",\s+"message": "[\d.]+ [KM]iB/),
  );
});

it.for([
  [2, 0, 'ok'],
  [35 * 60, 0, 'warning'],
  [37 * 60, 2, 'failed'],
  [-37 * 60, 2, 'failed'],
] as const)(
  'a clock that is %i minutes off has answerlake check give exit %i: %s',
  async ([minutes, exit, status]) => {
    const { check } = await openWorld({ serverTime: () => Date.now() + minutes * 60_000 - 30_000 });
    const { code, report } = await check();
    const clock = (report as Report).checks.find(({ name }) => name === 'clock');
    expect({ code, status: clock?.status }).toEqual({ code: exit, status });
  },
);

it('answerlake check names Node.js 24 to those with an older one, and says which get no more fixes', () => {
  expect(nodeText('20.20.2')).toBe('20.20.2; 24 is recommended, and 20 gets no more security fixes');
  expect(nodeText('22.4.0')).toBe('22.4.0; 24 is recommended');
  expect([nodeText('24.0.0'), nodeText('26.1.0')]).toEqual(['24.0.0', '26.1.0']);
});

it('answerlake check prints one line a problem of the jobs, and projects by their names', async () => {
  const { run, folder } = await openWorld({ account: ", projects: ['gone']" });
  mkdirSync(join(folder, 'jobs'));
  writeFileSync(join(folder, 'jobs', 'bad.yaml'), 'name: bad\nfoo: 1\n');
  const { code, stdout } = await run(['check']);
  expect(code).toBe(2);
  expect(stdout.split('\n').filter((line) => !/^(?:ok {5}|warning|failed ) {2}\S|^$/.test(line))).toEqual([]);
  expect(stdout).toMatch(/^failed {3}jobs: .*bad\.yaml:1:1 schedule: /m);
  expect(stdout).toMatch(/^failed {3}jobs: .*bad\.yaml:2:1 foo: /m);
  expect(stdout).toMatch(
    /^failed {3}account small: its key does not reach project gone; it reaches Small Shop \(/m,
  );
});

it.each([
  ['one key of two works', ''],
  ['one key reaches one of its two projects, and the other key none', ", projects: ['PROJECT', 'gone']"],
])('answerlake check gives exit 3 when %s, as a sync does', async (_, projects) => {
  const { run, env: keys, config, simulator } = await openWorld();
  const own = projects.replace('PROJECT', simulator.world.projects[0]?.id ?? '');
  const accounts = `accounts: [{ name: small, api_key: env:SMALL_KEY${own} }, { name: old, api_key: env:OLD_KEY }]`;
  writeFileSync(config, readFileSync(config, 'utf8').replace(/^accounts:.*$/m, accounts));
  const env = { ...keys, OLD_KEY: 'a-wrong-key' };
  expect((await run(['check'], { env })).code).toBe(3);
  expect((await run(['sync', '--endpoint', 'models'], { env })).code).toBe(3);
});

it('answerlake check gives exit 4 when the key reaches none of the configured projects', async () => {
  const { check } = await openWorld({ account: ", projects: ['gone']" });
  const stdout = expect.stringContaining('reaches none of the configured projects');
  expect(await check()).toMatchObject({ code: 4, stdout });
});

it('answerlake publish gives exit 2 and publishes nothing when only keys were validated', async () => {
  const { folder, run } = await openSmallWorld();
  const published = join(folder, 'data', 'answers.duckdb');
  await changeFile(
    workingPath(published),
    `insert into meta.slices (endpoint, project_id, scope, scope_id, sync_day, status, run_id, fetched_at)
      values ('validate', 'p1', 'project', 'p1', '2025-02-10', 'loaded', 'r1', '2025-02-10 03:00:00')`,
  );
  expect(await run(['publish'], { env: {} })).toMatchObject(fails(2, 'Nothing was loaded yet'));
  expect(existsSync(published)).toBe(false);
});

it('answerlake publish publishes what was synced, without a key', async () => {
  const { published, run } = await openSynced();
  chmodSync(published, 0o644);
  expect(await run(['publish'], { env: {} })).toMatchObject(
    prints(0, /^Published .*answers\.duckdb \(.*\)\n$/),
  );
});

/** What check finds of its folders and files, by name. */
async function found(config: string): Promise<Record<string, CheckResult>> {
  const results = await checkStorage(loadConfig({ path: config, env: { ACME_KEY: 'a-key' } }));
  return Object.fromEntries(results.map((result) => [result.name, result]));
}

const warning = (says: RegExp): unknown =>
  expect.objectContaining({ status: 'warning', message: expect.stringMatching(says) });
const failed = (says: RegExp): unknown =>
  expect.objectContaining({ status: 'failed', exitCode: 7, message: expect.stringMatching(says) });
const ok: unknown = expect.objectContaining({ status: 'ok' });

it('a file system that keeps no permissions is done without them: the run works, and check says so', async () => {
  const { config, published } = await openPublished();
  chmodSync(published, 0o644);
  refuse('chmodSync', 'EPERM');
  await using open = (await openWorkingFile({ tables, publishedPath: published, now: 0 })).database;
  const connection = await open.connect();
  expect(await publish({ connection, targetPath: published, now: 0, mode: 0o440 })).toMatchObject({
    path: published,
  });
  expect(statSync(published).mode & 0o777).not.toBe(0o440);
  const results = await found(config);
  expect([results['warehouse folder'], results['raw archive']]).toEqual([
    warning(/keeps no permissions/),
    ok,
  ]);
});

it.each([
  ['fsyncSync', 'EIO'],
  ['renameSync', 'EACCES'],
] as const)(
  'check does what a run does in its folders: where %s fails with %s, check fails with 7',
  async (call, code) => {
    const { folder, config } = await openPublished();
    const data = join(folder, 'data');
    const before = readdirSync(data);
    refuse(call, code);
    expect((await found(config))['warehouse folder']).toEqual(failed(new RegExp(`^${data}: .*${code}`)));
    expect(readdirSync(data)).toEqual(before);
  },
);

it('a day of the raw archive that another user wrote is named by check', async () => {
  const { folder, config } = await openPublished();
  mkdirSync(join(folder, 'data', 'raw', '2025-03-04'), { recursive: true });
  refuse('accessSync', 'EACCES', '2025-03-04');
  expect((await found(config))['raw archive']).toEqual(
    failed(/2025-03-04 cannot be read and written .*EACCES/),
  );
});

it('check tries the folder that workers land answers in', async () => {
  const { folder, config } = await openPublished();
  writeFileSync(join(folder, 'queue'), 'postgres://127.0.0.1:1/queue', { mode: 0o600 });
  appendFileSync(config, `queue: { url: file:queue }\nlanding: ${folder}/landing\n`);
  refuse('renameSync', 'EIO', join(folder, '.answerlake-check-'));
  const [, landing] = await checkQueue(loadConfig({ path: config, env: { ACME_KEY: 'a-key' } }), {
    env: {},
    signal: new AbortController().signal,
  });
  expect(landing).toEqual(failed(/landing: .*EIO/));
});

it('a check of the queue that a signal interrupts is stopped, not failed', async () => {
  const { folder, run } = await openWorld();
  writeFileSync(join(folder, 'queue'), 'postgres://127.0.0.1:1/queue', { mode: 0o600 });
  appendFileSync(join(folder, 'answerlake.yaml'), 'queue: { url: file:queue }\nlanding: landing\n');
  const stop = new AbortController();
  const onText = (text: string): void => {
    if (text.includes('disk: '))
      stop.abort(new AnswerlakeError('Stopped by SIGINT.', { class: 'stopped', exitCode: 130 }));
  };
  const { code, stdout, stderr } = await run(['check'], { signal: stop.signal, onText });
  expect([code, stderr]).toEqual([130, expect.stringMatching(/^stopped: Stopped by SIGINT/)]);
  expect(stdout).not.toContain('failed');
});

it('check names what killed readers left, and the folder that other readers share', async () => {
  const { folder, config } = await openPublished();
  expect(await found(config)).not.toHaveProperty('temporary files');
  const left = join(folder, 'data', '.answers.tmp-0123456789ab');
  writeFileSync(`${left}.lock`, '');
  const { 'temporary files': own, 'working file': working } = await found(config);
  expect([own, working]).toEqual([warning(new RegExp(left)), ok]);
  mkdirSync(join(folder, 'data', 'answers.duckdb.tmp'));
  expect((await found(config))['temporary files']).toEqual(warning(/temp_directory/));
});

it('answerlake check fails where a table of one’s own needs replay --recreate; demo in the future writes nothing', async () => {
  const { run, folder, simulator } = await openWorld();
  simulator.override('/own/things', () => ({ status: 200, body: [{ id: 'a', n: 1 }] }));
  const path = join(folder, 'endpoints', 'things.yaml');
  mkdirSync(join(folder, 'endpoints'));
  const yaml = 'path: /own/things\nkey: [id]\ncolumns: { integer: [n] }\n';
  writeFileSync(path, yaml);
  await run(['sync', '--endpoint', 'things']);
  writeFileSync(path, yaml.replace('integer', 'text'));
  const { code, stdout } = await run(['check']);
  expect(code).toBe(2);
  expect(stdout).toContain('--endpoint things --recreate');
  const directory = join(folder, 'later');
  expect((await run(['demo', '--today', '2999-01-01', '--directory', directory])).code).toBe(2);
  expect(existsSync(directory)).toBe(false);
});
