import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
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
  const needed = ['dist/chunks', 'dist/templates', 'sql', 'jobs', 'config'].flatMap(filesIn);
  const started = [
    'dist/src/cli/main.js',
    'dist/src/daemon/serve/report-process.js',
    'dist/src/report/page-script.js',
  ];
  expect([...needed, ...started, 'package.json', 'LICENSE'].filter((path) => !shipped.has(path))).toEqual([]);
});

it.runIf(existsSync('dist'))('the package ships the licence of every package that is bundled', () => {
  const licences = readFileSync('dist/chunks/LICENSES.txt', 'utf8');
  const bundled = filesIn('dist/chunks').flatMap((path) =>
    [...readFileSync(path, 'utf8').matchAll(/^\/\/ (?:.*\/)?node_modules\/((?:@[^/]+\/)?[^/]+)\//gm)].map(
      ([, name = '']) => name,
    ),
  );
  expect(bundled).toContain('zod');
  for (const name of new Set(bundled)) {
    expect(licences).toMatch(new RegExp(`^${name} \\d.*\\n\\n[\\s\\S]*?(?:Permission|Redistribution)`, 'm'));
  }
});

it('the package ships no source map, no TypeScript and no test', () => {
  expect([...shipped].filter((path) => /\.(?:map|ts)$|^(?:dist\/)?(?:test|bench)\//.test(path))).toEqual([]);
});

it('the package lies on the disk under Yarn PnP: DuckDB reads no file of an archive', () => {
  expect(JSON.parse(readFileSync('package.json', 'utf8'))).toMatchObject({ preferUnplugged: true });
});
