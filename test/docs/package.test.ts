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
  const built = ['src', 'simulator'].flatMap(filesIn).map((path) => `dist/${path.replace(/\.ts$/, '.js')}`);
  const read = ['sql', 'jobs', 'config'].flatMap(filesIn);
  expect([...built, ...read, 'package.json', 'LICENSE'].filter((path) => !shipped.has(path))).toEqual([]);
});

it('the package ships no source map, no TypeScript and no test', () => {
  expect([...shipped].filter((path) => /\.(?:map|ts)$|^(?:dist\/)?(?:test|bench)\//.test(path))).toEqual([]);
});
