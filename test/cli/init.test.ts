import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { KEY_FILE, writeInitFiles } from '../../src/cli/init.ts';
import { CATALOGUE } from '../support/catalogue.ts';
import { loadConfig } from '../../src/config/file.ts';
import { toDay } from '../../src/day.ts';
import { realEffects } from '../../src/effects.ts';
import { loadJobs } from '../../src/daemon/schedule/jobs.ts';
import { cli, fails, prints } from './run.ts';
import { openFolder } from '../support/folder.ts';

const FLAGS = [
  '--base-url',
  'https://a.example.com/',
  '--start-date',
  '2025-01-01',
  '--key-variable',
  'MY_KEY',
];

it('answerlake init writes a commented configuration and four jobs that load', async () => {
  const path = join(openFolder(), 'deep', 'answerlake.yaml');
  expect(await cli(['init', '--config', path, ...FLAGS])).toMatchObject(fails(0, 'export MY_KEY='));
  const config = loadConfig({ path, env: { MY_KEY: 'a-key' } });
  expect(config).toMatchObject({
    api: { baseUrl: 'https://a.example.com' },
    accounts: [{ name: 'main', projects: 'all' }],
    sync: { startDate: '2025-01-01' },
  });
  const jobs = ['events-hourly', 'nightly', 'reconcile-weekly', 'reference-daily'];
  expect(loadJobs(config.jobsDir, config.catalogue).map((job) => job.name)).toEqual(jobs);
  expect(readFileSync(path, 'utf8')).toMatch(/lookback_days: 7 # days before today/);
});

it('answerlake init again writes what is missing and leaves what is there: exit 0', async () => {
  const folder = openFolder();
  const path = join(folder, 'answerlake.yaml');
  const args = ['init', '--config', path, ...FLAGS, '--json'];
  const written = async (): Promise<unknown> => (await cli(args)).report;
  const jobs = join(folder, 'jobs');
  expect(await written()).toMatchObject({ ok: true, key_file: null, written: [jobs, path], left: [] });
  const text = readFileSync(path, 'utf8');
  expect(await written()).toMatchObject({ ok: true, written: [], left: [jobs, path] });
  rmSync(jobs, { recursive: true });
  // It needs no flag.
  expect(await cli(['init', '--config', path])).toMatchObject(prints(0, /Written:\n.*jobs\nUnchanged:\n/));
  writeFileSync(join(jobs, 'own.yaml'), 'mine');
  rmSync(path);
  expect(await written()).toMatchObject({ ok: true, written: [path], left: [jobs] });
  expect(readFileSync(path, 'utf8')).toBe(text);
  expect(readFileSync(join(jobs, 'own.yaml'), 'utf8')).toBe('mine');
});

it('answerlake init leaves a configuration that says something else, and says that its flags changed nothing', async () => {
  const folder = openFolder();
  const path = join(folder, 'answerlake.yaml');
  writeFileSync(path, 'mine');
  expect(await cli(['init', '--config', path, ...FLAGS])).toMatchObject(
    fails(0, /is never overwritten, so the flags changed nothing: edit it/),
  );
  expect(readFileSync(path, 'utf8')).toBe('mine');
  expect(readdirSync(folder)).toEqual(['answerlake.yaml', 'jobs']);
});

it('answerlake init writes the jobs where the configuration looks for them', async () => {
  const folder = openFolder();
  const path = join(folder, 'answerlake.yaml');
  await cli(['init', '--config', path, ...FLAGS]);
  writeFileSync(path, readFileSync(path, 'utf8').replace('jobs_dir: jobs', 'jobs_dir: cron'));
  expect(await cli(['init', '--config', path])).toMatchObject(prints(0, /Written:\n.*cron\n/));
  expect(loadJobs(join(folder, 'cron'), CATALOGUE)).toHaveLength(4);
});

it('a typed key is there before the configuration that names it, and one that is there is left and used', async () => {
  const folder = openFolder();
  const [path, jobs, keyFile] = [
    join(folder, 'answerlake.yaml'),
    join(folder, 'jobs'),
    join(folder, KEY_FILE),
  ];
  const answers = { baseUrl: 'https://server.example.com', keyReference: `file:${KEY_FILE}`, key: 'typed' };
  const write = () => writeInitFiles({ path, jobs }, { ...answers, startDate: toDay('2025-01-01') });
  // A failure at any of the files leaves none of them.
  writeFileSync(jobs, 'no folder');
  expect(write).toThrow(/EEXIST|ENOTDIR/);
  expect(readdirSync(folder)).toEqual(['jobs']);
  rmSync(jobs);
  expect(write().written).toEqual([keyFile, jobs, path]);
  rmSync(path);
  expect(await cli(['init', '--config', path, ...FLAGS.slice(0, 2)])).toMatchObject(prints(0, KEY_FILE));
  expect(readFileSync(keyFile, 'utf8')).toBe('typed\n');
  expect(readFileSync(path, 'utf8')).toContain(`api_key: file:${KEY_FILE}`);
});

it('a new configuration leaves the age of stale figures to the jobs', async () => {
  const path = join(openFolder(), 'answerlake.yaml');
  await cli(['init', '--config', path, ...FLAGS]);
  expect(loadConfig({ path, env: { MY_KEY: 'a-key' } }).freshness.maxAge).toBe(null);
});

it('answerlake init names every wrong flag at once and writes nothing', async () => {
  const directory = openFolder();
  const wrong = ['--base-url', 'http://server.example.com', '--start-date', '2025-02-30'];
  const path = join(directory, 'answerlake.yaml');
  const { code, stderr } = await cli(['init', '--config', path, ...wrong, '--key-variable', 'pk-live-1234']);
  expect(code).toBe(2);
  expect(stderr).toMatch(
    /--base-url: .*unencrypted[\s\S]*--key-variable: [\s\S]*--start-date: .*is not a calendar day/,
  );
  expect(stderr).not.toContain('pk-live-1234');
  expect(existsSync(path)).toBe(false);
});

it('answerlake init pulls from the first of the month a year ago unless it is told a day', async () => {
  const path = join(openFolder(), 'answerlake.yaml');
  const effects = { ...realEffects, now: () => Date.UTC(2026, 6, 14) };
  await cli(['init', '--config', path, ...FLAGS.slice(0, 2)], { effects });
  expect(readFileSync(path, 'utf8')).toMatch(/api_key: env:ANSWERLAKE_KEY[\s\S]*start_date: 2025-07-01/);
});

it('answerlake init gives exit 7 where no file can be written', async () => {
  const file = join(openFolder(), 'file');
  writeFileSync(file, '');
  expect(await cli(['init', '--config', join(file, 'answerlake.yaml'), ...FLAGS])).toMatchObject(
    fails(7, /^(?!.*bug).*check the disk and the path/s),
  );
});
