import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { beforeAll, expect, test } from 'vitest';
import { realEffects } from '../../src/effects.ts';
import { openPublishedFile } from '../../src/publish/published-file.ts';
import { cli } from '../cli/run.ts';
import { openFolder } from '../support/folder.ts';
import { NOW, publishHostileWorld, type Published } from './published.ts';
import { changeFile } from '../support/file-reader.ts';

const ONE = ['--project', 'hostile:project/1', '--days', '14'];

let world: Published;
const report = (...argv: string[]) =>
  cli(['report', '--config', world.config, ...argv], { effects: { ...realEffects, now: () => NOW } });

/** The page that is written. */
async function written(...argv: string[]): Promise<string> {
  const file = join(openFolder(), 'page.html');
  expect(await report('--output', file, ...argv)).toMatchObject({ code: 0, stdout: `${file}\n` });
  return readFileSync(file, 'utf8');
}

beforeAll(async () => {
  world = await publishHostileWorld();
});

test('answerlake report writes one page and says where', async () => {
  const file = join(openFolder(), 'deep', 'page.html');
  const result = await report('--output', file, '--json', ...ONE);
  expect(result.code).toBe(0);
  const bytes = readFileSync(file).length;
  expect(JSON.parse(result.stdout)).toEqual({ ok: true, exit_code: 0, files: [{ path: file, bytes }] });
  expect(existsSync(`${file}.tmp`)).toBe(false);
});

test('answerlake report takes the name or the slug of a project, whatever its case', async () => {
  await using file = await openPublishedFile(world.path);
  const [project] = await file.rowsAs(
    z.object({ name: z.string(), slug: z.string() }),
    "select name, slug from core.projects where project_id = 'hostile:project/1'",
  );
  const page = await written(...ONE);
  for (const called of [project?.name ?? '', (project?.slug ?? '').toUpperCase()]) {
    expect(await written('--project', called, '--days', '14')).toBe(page);
  }
});

test('answerlake report writes a picture per chart and says which have no data', async () => {
  const folder = openFolder();
  const result = await report('--format', 'svg', '--output', folder);
  expect(result.code).toBe(0);
  const files = readdirSync(folder);
  expect(result.stdout.trim().split('\n')).toHaveLength(files.length);
  for (const file of files) expect(file).toMatch(/^[a-z0-9-]+\.svg$/);
  expect(result.stderr).toContain('empty-project-ai-visits.svg: no data. Not enabled for this project.');
});

test('answerlake report writes one picture into the file that is named', async () => {
  const file = join(openFolder(), 'visibility.png');
  const result = await report(
    '--format',
    'png',
    '--chart',
    'visibility',
    '--project',
    'hostile:project/1',
    '--output',
    file,
  );
  expect(result).toMatchObject({ code: 0, stdout: `${file}\n` });
  expect(readFileSync(file).subarray(1, 4).toString()).toBe('PNG');
});

test.each([
  [['--chart', 'visibility'], 2, '--chart goes with --format svg or png'],
  [['--format', 'svg', '--chart', 'pie'], 2, '"pie" is not one of visibility'],
  [['--days', '0'], 2, '"0" is not a whole number'],
  [['--project', 'nobody'], 2, 'has no project "nobody"'],
  [['--format', 'svg', '--output', 'one.svg', ...ONE], 2, 'is one file, and there are 13 charts'],
  [['--output', '-', ...ONE], 2, 'is no file: name one'],
  [['--output', '/proc/report.html', ...ONE], 7, 'its folder is missing; check the path'],
])('answerlake report refuses %j', async (argv, code, message) => {
  const result = await report(...argv);
  expect(result.code).toBe(code);
  expect(result.stderr).toContain(message);
});

test('answerlake report needs a published file', async () => {
  const config = join(openFolder(), 'answerlake.yaml');
  writeFileSync(config, readFileSync(world.config));
  const result = await cli(['report', '--config', config]);
  expect(result.code).toBe(2);
  expect(result.stderr).toContain('There is no published file');
});

test('answerlake report --open starts the browser with the page, and names the page where none starts', async () => {
  const folder = openFolder();
  const [page, seen] = [join(folder, 'page.html'), join(folder, 'seen')];
  const browser = join(folder, 'browser');
  writeFileSync(browser, `#!/bin/sh\necho "$1" > '${seen}'\n`, { mode: 0o755 });
  const open = (program: string) =>
    cli(['report', '--config', world.config, '--output', page, '--open'], { env: { BROWSER: program } });
  expect((await open(browser)).code).toBe(0);
  await expect.poll(() => readFileSync(seen, 'utf8')).toBe(`${page}\n`);
  const none = await open(join(folder, 'nowhere'));
  expect(none.code).toBe(0);
  expect(none.stderr).toContain(`open ${page} in a browser`);
});

test('answerlake report says what to do when the file has the views of another version', async () => {
  const folder = openFolder();
  cpSync(world.directory, folder, { recursive: true });
  const path = join(folder, 'data', 'answers.duckdb');
  await changeFile(path, 'drop view main.turning_points');
  const { code, stderr } = await cli([
    'report',
    '--config',
    join(folder, 'answerlake.yaml'),
    '--output',
    join(folder, 'page.html'),
  ]);
  expect(code).toBe(7);
  expect(stderr).toContain('run answerlake publish');
});
