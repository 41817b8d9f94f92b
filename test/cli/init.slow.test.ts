import { spawn } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { PACKAGE_ROOT } from '../../src/files.ts';
import { addDays, dayOf } from '../../src/day.ts';
import { openRig } from '../flow/rig.ts';
import { openFolder } from '../support/folder.ts';

const MAIN = join(PACKAGE_ROOT, 'dist', 'src', 'cli', 'main.js');

/** Types an answer once its question is there; what the terminal showed. */
async function typed(
  folder: string,
  script: readonly (readonly [question: string, answer: string])[],
): Promise<string> {
  const child = spawn(
    'script',
    ['-qec', `stty cols 100 rows 40; ${process.execPath} ${MAIN} init`, '/dev/null'],
    {
      cwd: folder,
      env: { PATH: process.env['PATH'] ?? '', TERM: 'xterm' },
    },
  );
  const left = [...script];
  let [shown, seen] = ['', 0];
  child.stdout.on('data', (bytes: Buffer) => {
    shown += bytes.toString();
    const [next] = left;
    if (next === undefined || !shown.slice(seen).includes(next[0])) return;
    seen = shown.length;
    left.shift();
    child.stdin.write(`${next[1]}\r`);
  });
  await new Promise((resolve) => child.once('close', resolve));
  return shown;
}

it.runIf(existsSync('/usr/bin/script'))(
  'a key that is typed is not shown, lies in a private file, is tried, and the first sync is offered',
  async () => {
    const today = dayOf(Date.now());
    await using rig = await openRig({ world: 'small', today, startDate: addDays(today, -9) });
    const typedKey = rig.simulator.world.keys[0]?.key ?? '';
    const folder = openFolder();
    const shown = await typed(folder, [
      ['Base URL', rig.simulator.url],
      ['API key', typedKey],
      ['First day to pull, with the cost of the first sync', '\u001B[B'],
      ['First day to pull (YYYY-MM-DD)', addDays(today, -9)],
      ['first sync now', 'n'],
    ]);
    expect(shown).not.toContain(typedKey);
    const key = join(folder, 'answerlake.key');
    expect(readFileSync(key, 'utf8')).toBe(`${typedKey}\n`);
    expect(statSync(key).mode & 0o777).toBe(0o600);
    const config = readFileSync(join(folder, 'answerlake.yaml'), 'utf8');
    expect(config).toContain('api_key: file:answerlake.key');
    expect(config).toMatch(/^# yaml-language-server: \$schema=\S+config\/schema\.json$/m);
    const costs = [
      ...shown.matchAll(/([\d-]{10}) {2}about ([\d,]+) requests, less than the quota of an hour/g),
    ];
    expect(new Set(costs.map(([, day]) => day)).size).toBe(3);
    const [month, quarter, year] = costs.map(([, , requests = '']) => Number(requests.replace(',', '')));
    expect([month, quarter, year].toSorted((a = 0, b = 0) => a - b)).toEqual([month, quarter, year]);
    expect(shown).toMatch(/main\.js sync /);
  },
);
