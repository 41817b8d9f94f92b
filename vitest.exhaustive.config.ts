import { defineConfig } from 'vitest/config';

/** Tests of the fast suite that try much more here. */
const TRIED_OFTEN = [
  'test/config/mutations.test.ts',
  'test/extract/secrets.test.ts',
  'test/load/broken-answers.test.ts',
  'test/load/order.test.ts',
  'test/plan/*.test.ts',
];

/** These start processes of their own, whose rhythm another test would disturb, or which must end within seconds. */
const ALONE = [
  'test/cli/stop.slow.test.ts',
  'test/daemon/serve/daemon.slow.test.ts',
  'test/exhaustive/kill.test.ts',
  'test/exhaustive/readers.test.ts',
];

/** Slow proofs of reliability, `npx vitest run --config vitest.exhaustive.config.ts`; with ANSWERLAKE_WRITE_PAGE=1 they write docs/reliability.md. */
export default defineConfig({
  test: {
    env: { ANSWERLAKE_THOROUGH: '1' },
    globalSetup: ['test/support/global-setup.ts', 'test/exhaustive/global-setup.ts'],
    isolate: false,
    testTimeout: 600_000,
    hookTimeout: 120_000,
    projects: [
      {
        extends: true,
        test: {
          name: 'side by side',
          include: ['test/exhaustive/**/*.test.ts', 'test/**/*.slow.test.ts', ...TRIED_OFTEN],
          exclude: ALONE,
          // One more than the cores of a small machine: while a test waits for a time-out, another works.
          maxWorkers: 3,
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: { name: 'alone', include: ALONE, maxWorkers: 1, sequence: { groupOrder: 1 } },
      },
    ],
  },
});
