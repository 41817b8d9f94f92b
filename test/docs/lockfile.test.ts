import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

interface Locked {
  optionalDependencies?: Record<string, string>;
  version?: string;
  resolved?: string;
  optional?: boolean;
  os?: string[];
}

const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
  packages: Record<string, Locked>;
};

// A lockfile written where a registry lacks the binaries of other platforms is refused by `npm ci` everywhere.
it('the lockfile holds the binaries of every platform, at a version that is asked for', () => {
  const wanted = Object.values(packages).flatMap(({ optionalDependencies }) =>
    Object.entries(optionalDependencies ?? {}),
  );
  expect(wanted.length).toBeGreaterThan(20);
  for (const [name] of wanted)
    expect(packages[`node_modules/${name}`], name).toMatchObject({ optional: true });
  const exact = wanted.filter(([, version]) => /^\d/.test(version));
  for (const [name, version] of exact) expect(packages[`node_modules/${name}`]?.version, name).toBe(version);
});

it('the lockfile names no registry', () => {
  expect(Object.values(packages).filter(({ resolved }) => resolved !== undefined)).toEqual([]);
});

it('every dependency is pinned exactly', () => {
  const { dependencies, devDependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as Record<
    'dependencies' | 'devDependencies',
    Record<string, string>
  >;
  for (const version of Object.values({ ...dependencies, ...devDependencies })) {
    expect(version).toMatch(/^\d+\.\d+\.\d+(-[\w.]+)?$/);
  }
});
