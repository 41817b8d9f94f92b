import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openFolder } from '../support/folder.ts';
import { cli, fails } from './run.ts';

interface Starter {
  name: string;
  output: string;
}

const { starters } = (await cli(['starters', '--json'])).report as { starters: Starter[] };
const NAMES = starters.map(({ name }) => name);

function contentsOf(folder: string): Record<string, string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
  const paths = files.map(({ parentPath, name }) => join(parentPath, name)).toSorted();
  return Object.fromEntries(paths.map((path) => [path.slice(folder.length + 1), readFileSync(path, 'utf8')]));
}

it('answerlake starters lists a line for each folder that the build writes, and where it would go', async () => {
  expect(NAMES).toEqual(readdirSync('dist/starters').toSorted());
  const { stdout } = await cli(['starters'], { columns: 80 });
  for (const { name, output } of starters) {
    expect(output).toBe(join(process.cwd(), 'starters', name));
    expect(stdout).toMatch(new RegExp(`│ ${name} .*starters`));
  }
});

it('answerlake starters NAME copies what the build wrote, and writes nothing when run again', async () => {
  for (const name of NAMES) {
    const output = join(openFolder(), 'deep', name);
    const argv = ['starters', name, '--output', output, '--json'];
    const wanted = contentsOf(join('dist/starters', name));
    const names = Object.keys(wanted);
    const first = { ok: true, name, output, written: names, unchanged: [] };
    expect((await cli(argv)).report).toMatchObject(first);
    expect(contentsOf(output)).toEqual(wanted);
    expect((await cli(argv)).report).toMatchObject({ ok: true, written: [], unchanged: names });
  }
});

it('answerlake starters names the files that differ, overwrites none and adds none', async () => {
  const output = openFolder();
  for (const name of ['profiles.yml', 'dbt_project.yml']) writeFileSync(join(output, name), 'mine');
  expect(await cli(['starters', 'dbt', '--output', output])).toMatchObject(
    fails(2, 'nothing was written: dbt_project.yml, profiles.yml. Move them away'),
  );
  expect(contentsOf(output)).toEqual({ 'dbt_project.yml': 'mine', 'profiles.yml': 'mine' });
});

it('answerlake starters suggests the name that was probably meant', async () => {
  expect(await cli(['starters', 'grafna'])).toMatchObject(
    fails(2, 'There is no starter grafna; did you mean grafana?'),
  );
});

it('docs/starters.md shows a piece of each starter as the build writes it', () => {
  const [, ...parts] = readFileSync('docs/starters.md', 'utf8').split(/^## /m);
  expect(parts.map((part) => part.split('\n')[0])).toEqual(NAMES);
  for (const part of parts) {
    const samples = [...part.matchAll(/<!-- from (\S+) -->\n\n```\w+\n([^]*?)```/g)];
    expect(samples.length, part).toBeGreaterThan(0);
    for (const [, path = '', text = ''] of samples) {
      expect(path.split('/')[0]).toBe(part.split('\n')[0]);
      expect(`${readFileSync(join('dist/starters', path), 'utf8')}\n`).toContain(text);
    }
  }
});
