import { execFile } from 'node:child_process';
import { cpSync, existsSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { openFolder } from '../cli/run.ts';
import { blocksOf } from './blocks.ts';

const PAGE = 'docs/contributing.md';
const COPIED = ['src', 'simulator', 'sql', 'test', 'package.json', 'tsconfig.json', 'vitest.config.ts'];

/** Does what the page says, in a copy. */
function perform(copy: string): string[] {
  return blocksOf(PAGE).flatMap(({ note, text }) => {
    const created = /^new file: (\S+)$/.exec(note)?.[1];
    if (created !== undefined) {
      const path = join(copy, created.replace('NEXT', nextMigration(copy)));
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

function nextMigration(copy: string): string {
  const numbers = readdirSync(join(copy, 'sql', 'migrations')).map((name) => Number(name.slice(0, 4)));
  return String(Math.max(...numbers) + 1).padStart(4, '0');
}

describe('the recipe for a new endpoint', () => {
  it('works in a copy of the repository, word for word', async () => {
    const copy = openFolder();
    for (const name of COPIED) cpSync(name, join(copy, name), { recursive: true });
    symlinkSync(resolve('node_modules'), join(copy, 'node_modules'));
    expect(perform(copy)).toHaveLength(7);
    const vitest = resolve('node_modules/vitest/vitest.mjs');
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [vitest, 'run', 'test/endpoints', 'test/publish/checks.test.ts', '--reporter=json'],
      { cwd: copy, maxBuffer: 64 * 1024 * 1024, env: { PATH: process.env['PATH'] ?? '' } },
    ).catch((error: { stdout: string }) => error);
    const result = JSON.parse(stdout.slice(stdout.indexOf('{'))) as Result;
    const failed = result.testResults.flatMap(({ assertionResults }) =>
      assertionResults.filter(({ status }) => status === 'failed').map(({ fullName }) => fullName),
    );
    // Counts the bodies: the recipe's last part has it raised by hand.
    expect(failed.filter((name) => name !== 'every series table has a documented body')).toEqual([]);
    expect(
      result.testResults.flatMap((file) => file.assertionResults).map(({ fullName }) => fullName),
    ).toContain('response_languages gives one row a language');
  });

  it('names files and folders that exist', () => {
    const page = readFileSync(PAGE, 'utf8');
    const names = [...page.matchAll(/`((?:src|sql|test|docs)\/[\w./-]+)`|\]\(\.\.\/([\w./-]+)\)/g)].map(
      ([, code, link]) => (code ?? link ?? '').replace(/\/\*\.ts$/, ''),
    );
    expect(names.length).toBeGreaterThan(15);
    expect(names.filter((name) => !existsSync(name))).toEqual([]);
  });
});

interface Result {
  testResults: { assertionResults: { status: string; fullName: string }[] }[];
}
