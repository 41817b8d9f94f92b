import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { expect, it } from 'vitest';

const packed = JSON.parse(
  execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
    encoding: 'utf8',
    stdio: 'pipe',
  }),
) as [{ files: { path: string }[] }];
const shipped = new Set(packed[0].files.map(({ path }) => path));

const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => `${entry.parentPath}/${entry.name}`);

it.runIf(existsSync('dist'))('the package ships the built program and every file that it reads', () => {
  const needed = ['dist/src', 'dist/simulator', 'sql', 'jobs', 'config'].flatMap(filesIn);
  expect([...needed, 'package.json', 'LICENSE'].filter((path) => !shipped.has(path))).toEqual([]);
  expect(shipped).toContain('dist/src/cli/main.js');
});

it('the package ships no source map, no TypeScript and no test', () => {
  expect([...shipped].filter((path) => /\.(?:map|ts)$|^(?:dist\/)?(?:test|bench)\//.test(path))).toEqual([]);
});
