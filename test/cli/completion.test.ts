import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { cli } from './run.ts';
import { openFolder } from '../support/folder.ts';

/** What bash offers for the last word of a line. */
function offered(script: string, words: readonly string[]): string[] {
  const path = join(openFolder(), 'completion.bash');
  writeFileSync(path, script);
  const program = `source '${path}'; COMP_WORDS=("$@"); COMP_CWORD=$(($#-1)); _answerlake; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const text = execFileSync('bash', ['-c', program, 'bash', ...words], { encoding: 'utf8' });
  return text.split('\n').filter((word) => word !== '');
}

it('answerlake completion offers every command that help lists', async () => {
  const { stdout } = await cli(['completion', 'bash']);
  const help = (await cli(['--help'])).stdout;
  const listed = [...help.slice(help.indexOf('Commands:')).matchAll(/^ {2}([a-z]+) /gm)].map(
    ([, name]) => name,
  );
  expect(listed.length).toBeGreaterThan(12);
  const commands = offered(stdout, ['answerlake', '']).filter((word) => !word.startsWith('-'));
  expect(commands).toEqual(listed);
});

it.each([
  [['s'], ['sync', 'schedule', 'status', 'simulate']],
  [['sync', '--ma'], ['--max-wait']],
  [['--config', 'x.yaml', 'sync', '--dry'], ['--dry-run']],
  [
    ['draft', ''],
    ['push', '--help', '--config', '--json', '--quiet', '--log-level'],
  ],
  [
    ['draft', 'push', '--con'],
    ['--connection', '--config'],
  ],
  [
    ['query', '--format', ''],
    ['table', 'json', 'csv', 'md', 'xlsx'],
  ],
  [
    ['sync', '--endpoint', 'share'],
    ['share_of_voice', 'share_of_voice_comparison'],
  ],
  [['sync', '--from', ''], []],
])('answerlake completion offers after %j in bash what fits', async (words, expected) => {
  const { stdout } = await cli(['completion', 'bash']);
  expect(offered(stdout, ['answerlake', ...words])).toEqual(expected);
});

it('answerlake completion knows commands, flags and words in zsh and fish', async () => {
  const zsh = (await cli(['completion', 'zsh'])).stdout;
  expect(zsh).toMatch(/^#compdef answerlake\n/);
  expect(zsh).toContain("'sync:Pull everything that is due, once, and publish it'");
  expect(zsh).toContain('--format) compadd -- table json csv md xlsx; return ;;');
  const fish = (await cli(['completion', 'fish'])).stdout;
  expect(fish).toContain(
    "-n '__fish_use_subcommand' -a sync -d 'Pull everything that is due, once, and publish it'",
  );
  expect(fish).toContain(
    "-n '__fish_seen_subcommand_from draft; and __fish_seen_subcommand_from push' -l connection -x",
  );
});

it('answerlake completion refuses another shell with exit 2', async () => {
  const { code, stderr } = await cli(['completion', 'tcsh']);
  expect(code).toBe(2);
  expect(stderr).toContain('choose bash, zsh, fish');
});
