import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startSimulator } from '../../simulator/simulator.ts';
import { cli } from '../cli/run.ts';
import { openFolder } from '../support/folder.ts';
import { blocksOf, runCommands } from './page-commands.ts';

const page = readFileSync('README.md', 'utf8');
const blocks = blocksOf('README.md');

function block(start: string): string {
  const found = blocks.find(({ text }) => text.startsWith(start));
  if (found === undefined) throw new Error(`README.md has no block that begins with ${start}`);
  return found.text;
}

it('README.md shows commands that work, from init to the recipes', async () => {
  await using simulator = await startSimulator({ world: 'small' });
  const home = openFolder();
  const own = block('npm ci && npm run build')
    .replace(/^npm .*$/m, '')
    // Another test runs it in a checkout; here, the program is on the PATH.
    .replaceAll('npx answerlake', 'answerlake')
    .replace('https://server.example.com', simulator.url)
    .replace(/ACME_API_KEY=…/, 'ACME_API_KEY=small-organization-key')
    .replace(/--start-date \S+/, `--start-date ${simulator.today.slice(0, 8)}01`);
  const recipes = block('answerlake sync --from')
    .replace(/--from \S+ --to \S+/, `--from ${simulator.today.slice(0, 8)}01 --to ${simulator.today}`)
    .replace('P1', simulator.world.projects[0]?.id ?? '')
    .replace(/^answerlake simulate.*$/m, '');
  await runCommands(home, `${own}\n${recipes}`);
  expect(existsSync(join(home, 'data', 'answers.duckdb'))).toBe(true);
  expect(existsSync(join(home, 'parquet'))).toBe(true);
});

it('README.md lists commands that are there', async () => {
  const listed = /`init`.*?`demo`/s.exec(page)?.[0].match(/(?<=`)[a-z]+/g) ?? [];
  const { stdout } = await cli(['--help']);
  for (const name of listed) expect(stdout).toMatch(new RegExp(`^  ${name}\\b`, 'm'));
});
