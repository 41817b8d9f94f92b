import { expect } from 'vitest';
import { cli } from '../cli/run.ts';
import { execFile } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { openFolder } from '../support/folder.ts';

/** A fenced block of a page and the comment right above it. */
export interface Block {
  language: string;
  text: string;
  /** Text of the comment above; empty without one. */
  note: string;
}

const BLOCK = /(?:<!-- ([^\n]*?) -->\n\n)?^```(\w*)\n([\s\S]*?)^```$/gm;

/** The fenced blocks of a Markdown file, in order. */
export function blocksOf(path: string): Block[] {
  return [...readFileSync(path, 'utf8').matchAll(BLOCK)].map(([, note = '', language = '', text = '']) => ({
    language,
    text,
    note,
  }));
}

/** Runs the commands of a page in bash, in a folder that has the built program on its path; rejects with both outputs where one fails. */
export async function runCommands(folder: string, script: string, more: Record<string, string> = {}) {
  const bin = openFolder();
  mkdirSync(folder, { recursive: true });
  const program = join(bin, 'answerlake');
  writeFileSync(program, `#!/bin/sh\nexec '${process.execPath}' '${resolve('dist/src/cli/main.js')}' "$@"\n`);
  chmodSync(program, 0o755);
  const env = { PATH: `${bin}:${process.env['PATH'] ?? ''}`, ...more };
  return await promisify(execFile)('bash', ['-euc', script], { cwd: folder, env });
}

/** The command and the flags of a command line must exist; `words` begin after the name of the program. */
export async function expectKnown(words: readonly string[]): Promise<void> {
  const command = words.join(' ').replace(/ ?(?:--|[^a-z ]).*$/, '');
  const [name = '', second] = command.split(' ');
  const shown = ['queue', 'draft'].includes(name) ? `${name} ${second}` : name;
  const { code, stdout } = await cli([...shown.split(' '), '--help']);
  expect([shown, code]).toEqual([shown, 0]);
  expect(stdout).toContain(`answerlake ${shown} [options]`);
  for (const flag of words.filter((word) => word.startsWith('--'))) expect(stdout, shown).toContain(flag);
}

/** The exit code of a plan with a configuration whose paths begin with one of `roots`. */
export async function planWith(text: string, roots: RegExp, env: Record<string, string>): Promise<number> {
  const folder = openFolder();
  cpSync('jobs', join(folder, 'jobs'), { recursive: true });
  writeFileSync(join(folder, 'acme'), 'canary', { mode: 0o440 });
  const config = join(folder, 'answerlake.yaml');
  writeFileSync(config, text.replaceAll(roots, `${folder}/`));
  return (await cli(['plan', '--offline', '--json', '--config', config], { env })).code;
}
