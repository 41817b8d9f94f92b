import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { replaceFile } from '../../src/files.ts';
import { workingPath } from '../../src/warehouse/working-file.ts';
import { makeFolder, openFolder } from '../support/folder.ts';
import { writePublished } from './published.ts';
import { cli, fails } from './run.ts';

const config = await writePublished(makeFolder());
const published = join(dirname(config), 'data', 'answers.duckdb');

it('--output never writes over what the warehouse lives on', async () => {
  const folder = dirname(config);
  const link = join(folder, 'link.csv');
  symlinkSync(published, link);
  mkdirSync(join(folder, 'jobs'), { recursive: true });
  const before = readFileSync(published);
  for (const [what, output] of [
    ['the published file', published],
    ['the published file', link],
    ['the state', workingPath(published)],
    ['the state', `${workingPath(published)}.wal`],
    ['the state', join(folder, 'data', '.answers.journal.json')],
    ['the landing zone', join(folder, 'data', 'landing', 'zone.json')],
    ['the configuration', config],
    ['the raw archive', join(folder, 'data', 'raw', '2025-01-01', 'rows.csv')],
    ['the jobs folder', join(folder, 'jobs', 'night.yaml')],
  ] as const) {
    for (const argv of [
      ['query', 'select 1 as one', '--format', 'csv'],
      ['query', 'select 1 as one', '--format', 'xlsx'],
      ['report'],
      ['export', '--format', 'xlsx', '--overwrite'],
      ['export', '--overwrite'],
    ]) {
      const { code, stderr } = await cli([...argv, '--output', output, '--config', config]);
      expect([argv, code]).toEqual([argv, 2]);
      expect(stderr).toContain(`would overwrite ${what} of this warehouse`);
    }
  }
  expect(readFileSync(published).equals(before)).toBe(true);
});

it('an export of Parquet to a name that ends in .xlsx makes no folder of that name', async () => {
  const output = join(openFolder(), 'all.xlsx');
  const { code, stderr } = await cli([
    'export',
    '--format',
    'parquet',
    '--output',
    output,
    '--config',
    config,
  ]);
  expect([code, existsSync(output)]).toEqual([2, false]);
  expect(stderr).toContain(`--output ${output} is no folder; nothing was written.`);
});

it.each([
  ['export', '--table', ''],
  ['export', '--format', 'xlsx', '--table', ' '],
  ['sync', '--project', ''],
  ['sync', '--endpoint', ','],
])('an empty list is a mistake, not everything and not nothing: %s', async (...argv) => {
  expect(await cli([...argv, '--config', config], { env: { SMALL_KEY: 'key' } })).toMatchObject(
    fails(2, /--(table|project|endpoint).*is empty; name at least one, or leave it out for all/),
  );
  const byVariable = await cli(['sync', '--config', config], { env: { ANSWERLAKE_PROJECT: ' ' } });
  expect(byVariable.stderr).toContain('is empty; name at least one');
});

it('a file that is replaced keeps the link that leads to it', () => {
  const folder = openFolder();
  const [file, link] = [join(folder, 'file'), join(folder, 'link')];
  writeFileSync(file, 'old');
  symlinkSync(file, link);
  replaceFile(link, 'new');
  expect(readFileSync(file, 'utf8')).toBe('new');
  replaceFile(link, 'newer');
  expect(readFileSync(link, 'utf8')).toBe('newer');
});
