import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

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
