import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Scratch } from '../support/folder.ts';
import { blocksOf } from './page-commands.ts';

const PAGE = 'docs/contributing.md';
const COPIED = [
  'src',
  'simulator',
  'sql',
  'dist/sql',
  'dist/new.work.duckdb',
  'test',
  'CHANGELOG.md',
  'package.json',
  'tsconfig.json',
];
const NAME = 'response_languages';

/** Does what the page says, in a copy. */
function perform(copy: string): string[] {
  return blocksOf(PAGE).flatMap(({ note, text }) => {
    const created = /^new file: (\S+)$/.exec(note)?.[1];
    if (created !== undefined) {
      const path = join(copy, created);
      writeFileSync(path, text, { flag: 'wx' });
      return [created];
    }
    const insertion = /^insert into (\S+) before: (.*?)(?: after: (.*))?$/.exec(note);
    if (insertion === null) return [];
    const [, name = '', anchor = '', earlier = ''] = insertion;
    const path = join(copy, name);
    const lines = readFileSync(path, 'utf8').split('\n');
    const from = earlier === '' ? 0 : lines.findIndex((line) => line.trimStart().startsWith(earlier));
    const at = lines.findIndex((line, index) => index >= from && line.trimStart().startsWith(anchor));
    expect(Math.min(from, at), `${name} has ${anchor}`).toBeGreaterThanOrEqual(0);
    writeFileSync(path, lines.toSpliced(at, 0, ...text.trimEnd().split('\n')).join('\n'));
    return [name];
  });
}

const scratch = new Scratch();
const copy = scratch.path('repository');
beforeAll(() => {
  mkdirSync(copy);
  for (const name of COPIED) cpSync(name, join(copy, name), { recursive: true });
  symlinkSync(resolve('node_modules'), join(copy, 'node_modules'));
});
afterAll(() => {
  scratch[Symbol.dispose]();
});

/** A module of the copy. */
async function imported<Module>(path: string): Promise<Module> {
  return (await import(pathToFileURL(join(copy, path)).href)) as Module;
}

it('the recipe for a new endpoint touches five places and type-checks', async () => {
  const touched = new Set(perform(copy).map((name) => name.replace(/^simulator\/.+/, 'simulator')));
  expect([...touched]).toEqual([
    'src/endpoints/response-languages.ts',
    'src/endpoints/catalogue.ts',
    'test/fixtures/response-languages.ts',
    'simulator',
    'CHANGELOG.md',
  ]);
  const include = ['src/endpoints', 'test/fixtures', 'simulator'];
  writeFileSync(join(copy, 'rooms.json'), JSON.stringify({ extends: './tsconfig.json', include }));
  const tsc = join(copy, 'node_modules/typescript/bin/tsc');
  const { stdout } = await promisify(execFile)(process.execPath, [tsc, '-p', join(copy, 'rooms.json')]).catch(
    (error: { stdout: string }) => error,
  );
  expect(stdout).toBe('');
});

it('the recipe for a new endpoint reads its fixture', async () => {
  const { fixtures } = await imported<typeof import('../support/fixtures.ts')>('test/support/fixtures.ts');
  const { rowsOf } = await imported<typeof import('../endpoints/rows-of.ts')>('test/endpoints/rows-of.ts');
  expect(rowsOf(NAME)).toEqual(fixtures.get(NAME)?.rows);
});

it('the recipe for a new endpoint brings rows from the simulator into the published file', async () => {
  const { openRig } = await imported<typeof import('../flow/rig.ts')>('test/flow/rig.ts');
  await using rig = await openRig({ world: 'small', today: '2026-07-14', startDate: '2026-07-01' });
  const report = await rig.sync({ endpoints: [NAME] });
  expect(report).toMatchObject({ exit_code: 0, slices_failed: 0, failures: [] });
  expect(await rig.rows(`select distinct language, "count" > 0 as some from core.${NAME}`)).toEqual([
    { language: 'en', some: true },
  ]);
});
