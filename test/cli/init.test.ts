import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { KEY_FILE, writeInitFiles } from '../../src/cli/init.ts';
import { loadConfig } from '../../src/config/file.ts';
import { toDay } from '../../src/day.ts';
import { realEffects } from '../../src/effects.ts';
import { loadJobs } from '../../src/daemon/schedule/jobs.ts';
import { cli, fails } from './run.ts';
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
  expect(loadJobs(config.jobsDir).map((job) => job.name)).toEqual(jobs);
  expect(readFileSync(path, 'utf8')).toMatch(/lookback_days: 7 # days before today/);
});

it('answerlake init never overwrites: exit 2, nothing written', async () => {
  const directory = openFolder();
  const path = join(directory, 'answerlake.yaml');
  writeFileSync(path, 'mine');
  expect(await cli(['init', '--config', path, ...FLAGS])).toMatchObject(
    fails(2, /exists already and is never overwritten; nothing was written/),
  );
  expect(readFileSync(path, 'utf8')).toBe('mine');
  expect(readdirSync(directory)).toEqual(['answerlake.yaml']);
});

it('a file of a key that is there already is not overwritten: exit 2, and it is named', () => {
  const directory = openFolder();
  const key = join(directory, KEY_FILE);
  writeFileSync(key, 'mine');
  const answers = { baseUrl: 'https://server.example.com', keyVariable: 'MY_KEY', key: 'typed' };
  const write = (): unknown =>
    writeInitFiles(join(directory, 'answerlake.yaml'), { ...answers, startDate: toDay('2025-01-01') });
  expect(write).toThrow(
    expect.objectContaining({ class: 'configuration', message: expect.stringContaining(key) }),
  );
  expect(readFileSync(key, 'utf8')).toBe('mine');
  expect(readdirSync(directory)).toEqual([KEY_FILE]);
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

it('answerlake init says which flag is missing where no question can be asked', async () => {
  expect(await cli(['init', '--config', join(openFolder(), 'answerlake.yaml')])).toMatchObject(
    fails(2, '--base-url: is missing: add --base-url https://server.example.com'),
  );
});

it('answerlake init gives exit 7 where no file can be written', async () => {
  const file = join(openFolder(), 'file');
  writeFileSync(file, '');
  const { code, stderr } = await cli(['init', '--config', join(file, 'answerlake.yaml'), ...FLAGS]);
  expect(code).toBe(7);
  expect(stderr).toContain('check the disk and the path');
  expect(stderr).not.toContain('bug');
});
