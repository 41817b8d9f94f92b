import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { makeFolder, openFolder } from '../support/folder.ts';

const packed = JSON.parse(
  // npm writes into its cache, which lies in HOME.
  execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts', '--cache', makeFolder()], {
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
  const needed = ['dist', 'sql', 'jobs', 'config'].flatMap(filesIn);
  const unread = needed.filter((path) => path.startsWith('dist/scripts/'));
  expect([...needed, 'package.json', 'LICENSE'].filter((path) => !shipped.has(path))).toEqual(unread);
});

it('every package that the program imports is a dependency, which an audit of the installed program sees', () => {
  const { dependencies, scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as {
    dependencies: Record<string, string>;
    scripts: Record<string, string>;
  };
  const imported = ['src', 'simulator']
    .flatMap(filesIn)
    .flatMap((path) =>
      [
        ...readFileSync(path, 'utf8').matchAll(
          /(?:^(?:import|export|\}).* from |import\()'((?:@[\w-]+\/)?[\w-]+)[\w./-]*'/gm,
        ),
      ].map(([, name = '']) => name),
    );
  expect(new Set(imported)).toEqual(new Set(Object.keys(dependencies)));
  // It would run where the package is installed from a folder, without the compiler.
  expect(scripts).not.toHaveProperty('prepare');
});

it('the package ships no source map, no TypeScript and no test', () => {
  expect([...shipped].filter((path) => /\.(?:map|ts)$|^(?:dist\/)?(?:test|bench)\//.test(path))).toEqual([]);
});

it('a build without development packages names them and how to install them', () => {
  const cwd = openFolder();
  cpSync('package.json', join(cwd, 'package.json'));
  const env = { ...process.env, NODE_ENV: 'production' };
  const { status, stderr } = spawnSync(process.execPath, [resolve('scripts/check-packages.js')], {
    cwd,
    env,
    encoding: 'utf8',
  });
  expect(status).toBe(1);
  expect(stderr).toMatch(
    /^Packages .* are missing: .*\btypescript\b.*NODE_ENV=production .*npm ci --include=dev\n$/,
  );
  expect(spawnSync(process.execPath, ['scripts/check-packages.js']).status).toBe(0);
});

it('the package lies on the disk under Yarn PnP: DuckDB reads no file of an archive', () => {
  expect(JSON.parse(readFileSync('package.json', 'utf8'))).toMatchObject({ preferUnplugged: true });
});

interface Locked {
  version: string;
  integrity?: string;
  resolved?: string;
  optionalDependencies?: Record<string, string>;
}

const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
  packages: Record<string, Locked>;
};
const locked = Object.entries(packages).filter(([path]) => path !== '');

it('every entry of the lockfile has an integrity hash and names no registry', () => {
  expect(locked.length).toBeGreaterThan(100);
  const bare = locked.filter(
    ([, entry]) => entry.integrity?.startsWith('sha512-') !== true || entry.resolved !== undefined,
  );
  expect(bare).toEqual([]);
});

// A lockfile that leaves out the binaries of another platform is refused by `npm ci` on that platform.
it('the lockfile holds the binaries of every platform, at the version that is asked for', () => {
  const wanted = locked.flatMap(([, entry]) => Object.entries(entry.optionalDependencies ?? {}));
  expect(wanted.length).toBeGreaterThan(20);
  for (const [name] of wanted)
    expect(packages[`node_modules/${name}`], name).toMatchObject({ optional: true });
  const exact = wanted.filter(([, version]) => /^\d/.test(version));
  for (const [name, version] of exact) expect(packages[`node_modules/${name}`]?.version, name).toBe(version);
});

const folders = (under: string): string[] =>
  readdirSync(under, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));

it('the page for contributors has a row for each room', () => {
  const rows = readFileSync('docs/contributing.md', 'utf8').matchAll(/^\| `src\/([a-z/]+)` +\|/gm);
  const rooms = [
    ...folders('src').filter((name) => name !== 'scale'),
    ...folders('src/scale').map((name) => `scale/${name}`),
  ];
  expect([...rows].map(([, room = '']) => room).toSorted()).toEqual(rooms.toSorted());
});
