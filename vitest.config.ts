import { defineConfig } from 'vitest/config';
import type { TestUserConfig } from 'vitest/node';

/** As if the command line said so; another `--project` replaces it. */
const DEFAULT_SUITE: TestUserConfig = { project: 'fast' };

/** Tests of the fast suite that try many more cases, or others, in the exhaustive one. */
const TRIED_OFTEN = [
  'test/believe/broken-answers.test.ts',
  'test/config/mutations.test.ts',
  'test/extract/quota.test.ts',
  'test/extract/secrets.test.ts',
  'test/flow/truth.test.ts',
  'test/plan/*.test.ts',
  'test/views/series-coverage.test.ts',
];

/** These start processes whose rhythm another test would disturb, or which must end within seconds. */
const ALONE = [
  'test/daemon/serve/daemon.slow.test.ts',
  'test/exhaustive/kill.test.ts',
  'test/exhaustive/readers.test.ts',
];

/** Hundreds of nights with altered answers, in as many lanes as there are cores. */
const ALTERED_NIGHTS = 'test/exhaustive/altered-nights.test.ts';

const exhaustive = {
  env: { ANSWERLAKE_THOROUGH: '1' },
  globalSetup: ['test/exhaustive/global-setup.ts'],
};

/**
 * Without `--project`, the fast tests alone run.
 * With ANSWERLAKE_WRITE_PAGE=1, the other suites write their part of docs/reliability.md and the README's picture of the report.
 */
export default defineConfig({
  test: {
    ...DEFAULT_SUITE,
    globalSetup: ['test/support/global-setup.ts'],
    // Files of a worker share what they import: otherwise each of them loads DuckDB, zod and the catalogue again.
    isolate: false,
    // One more than the cores of a small machine: a test that waits for a process leaves its core to another.
    maxWorkers: 3,
    // Only for what hangs: at least five times what the slowest takes on one busy core.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 300_000 } },
    projects: [
      {
        extends: true,
        test: {
          name: 'fast',
          include: ['test/**/*.test.ts'],
          exclude: [
            'test/exhaustive/**',
            'test/soak/**',
            'test/**/*.slow.test.ts',
            'test/scale/**',
            'node_modules/**',
          ],
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          ...exhaustive,
          name: 'exhaustive',
          include: ['test/exhaustive/**/*.test.ts', 'test/**/*.slow.test.ts', ...TRIED_OFTEN],
          exclude: [...ALONE, ALTERED_NIGHTS],
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: { ...exhaustive, name: 'nights', include: [ALTERED_NIGHTS], sequence: { groupOrder: 1 } },
      },
      {
        extends: true,
        test: {
          ...exhaustive,
          name: 'exhaustive alone',
          include: ALONE,
          maxWorkers: 1,
          sequence: { groupOrder: 2 },
        },
      },
      {
        extends: true,
        test: {
          name: 'scale',
          include: ['test/scale/**/*.scale.test.ts'],
          globalSetup: ['test/scale/global-setup.ts'],
          env: { ANSWERLAKE_SCALE: '1' },
          sequence: { groupOrder: 3 },
        },
      },
      {
        extends: true,
        test: {
          name: 'soak',
          include: [
            'test/soak/**/*.test.ts',
            'test/exhaustive/kill.test.ts',
            'test/exhaustive/readers.test.ts',
          ],
          // Each of the 100 random moments kills twice.
          env: { ANSWERLAKE_SOAK: '1', ANSWERLAKE_KILLS: '100', ANSWERLAKE_PUBLISHES: '200' },
          globalSetup: ['test/exhaustive/global-setup.ts'],
          // One after the other: a killed run has a rhythm, and the memory of the year is measured.
          maxWorkers: 1,
          execArgv: ['--expose-gc'],
          testTimeout: 10_800_000,
          sequence: { groupOrder: 4 },
        },
      },
    ],
  },
});
