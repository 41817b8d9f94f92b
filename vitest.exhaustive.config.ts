import { defineConfig } from 'vitest/config';

/** Tests of the fast suite that try much more here. */
const TRIED_OFTEN = [
  'test/config/mutations.test.ts',
  'test/extract/secrets.test.ts',
  'test/load/broken-answers.test.ts',
  'test/load/order.test.ts',
  'test/plan/*.test.ts',
];

/** Slow proofs of reliability, `npx vitest run --config vitest.exhaustive.config.ts`; with ANSWERLAKE_WRITE_PAGE=1 they write docs/reliability.md. */
export default defineConfig({
  test: {
    include: ['test/exhaustive/**/*.test.ts', 'test/**/*.slow.test.ts', ...TRIED_OFTEN],
    env: { ANSWERLAKE_THOROUGH: '1' },
    globalSetup: ['test/support/global-setup.ts', 'test/exhaustive/global-setup.ts'],
    isolate: false,
    // One at a time: the kills and the readers need the other core for the processes that they start.
    maxWorkers: 1,
    testTimeout: 600_000,
    hookTimeout: 120_000,
  },
});
