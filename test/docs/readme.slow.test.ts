import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { startSimulator } from '../../simulator/simulator.ts';
import { cli, fails } from '../cli/run.ts';
import { openFolder } from '../support/folder.ts';
import { blocksOf, runCommands } from './page-commands.ts';

const page = readFileSync('README.md', 'utf8');
const blocks = blocksOf('README.md');

function block(start: string): string {
  const found = blocks.find(({ text }) => text.startsWith(start));
  if (found === undefined) throw new Error(`README.md has no block that begins with ${start}`);
  // The packages of this checkout stand for those that npm would install; a browser and the tests are not started.
  return found.text.replaceAll(/npm ci && |^npm test.*$| --open/gm, '');
}

const git = (folder: string, ...words: string[]): string =>
  execFileSync('git', ['-C', folder, ...words], { encoding: 'utf8' });

/** A fresh clone after `npm ci`, and what npm needs to run there without a registry. */
function openClone() {
  const home = openFolder();
  const clone = join(home, 'answerlake');
  for (const path of git('.', 'ls-files', '-z').split('\0').filter(existsSync)) {
    mkdirSync(dirname(join(clone, path)), { recursive: true });
    cpSync(path, join(clone, path));
  }
  git(clone, 'init', '--quiet');
  git(clone, 'add', '--all');
  symlinkSync(resolve('node_modules'), join(clone, 'node_modules'));
  const env = { HOME: home, npm_config_cache: join(home, 'npm'), npm_config_offline: 'true' };
  return { clone, type: (script: string) => runCommands(clone, script, env) };
}

it.runIf(existsSync('.git'))(
  'README.md works as it is typed in a fresh clone, and git ignores what that writes',
  async () => {
    await using simulator = await startSimulator({ world: 'small' });
    const { clone, type } = openClone();
    await expect(type('npx answerlake --version')).rejects.toMatchObject(
      fails(2, /answerlake is not built: run npm ci && npm run build in /),
    );
    const month = simulator.today.slice(0, 8);
    const own = block('npm ci && npm run build')
      .replace('https://server.example.com', simulator.url)
      .replace(/ACME_API_KEY=…/, 'ACME_API_KEY=small-organization-key')
      .replace(/--start-date \S+/, `--start-date ${month}01`);
    const recipes = block('answerlake sync --from')
      .replace(/--from \S+ --to \S+/, `--from ${month}01 --to ${simulator.today}`)
      .replace('P1', simulator.world.projects[0]?.id ?? '');
    await type(`${own}\n${recipes}`);
    for (const path of ['data/answers.duckdb', 'jobs/nightly.yaml', 'parquet'])
      expect(existsSync(join(clone, 'lake', path)), path).toBe(true);
    // In the clone itself, `jobs` is there already.
    const [init = ''] = /^npx answerlake init.*$/m.exec(own) ?? [];
    expect((await type(`${init}\n${init}`)).stdout).toBe(
      'Written:\n  answerlake.yaml\nUnchanged:\n  jobs\nUnchanged:\n  jobs\n  answerlake.yaml\n',
    );
    const { stderr } = await type(block('npm ci && npm run demo'));
    const printed = [...stderr.matchAll(/^ {2}(npx answerlake .*?)(?: {2,}.*)?$/gm)].map(([, line]) => line);
    expect(printed.filter((line) => !page.includes(String(line)))).toEqual([]);
    expect(printed).toHaveLength(3);
    expect((await type(block('npx answerlake report'))).stdout).toContain(
      ' 1  After which completed actions',
    );
    expect(git(clone, 'ls-files', '--others', '--exclude-standard')).toBe('node_modules\n');
  },
);

it('README.md lists the commands that there are', async () => {
  const listed = /`init` · .*?`demo`/s.exec(page)?.[0].match(/(?<=`)[a-z]+/g) ?? [];
  const { stdout } = await cli(['--help']);
  const commands = /^Commands:\n(.*?)^ {2}help\b/ms.exec(stdout)?.[1]?.match(/(?<=^ {2})[a-z]+/gm);
  expect(listed).toEqual(commands);
});
