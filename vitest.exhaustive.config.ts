import { defineConfig } from 'vitest/config';

/** Slow proofs of reliability, `npx vitest run --config vitest.exhaustive.config.ts`; with ANSWERLAKE_WRITE_PAGE=1 they write docs/reliability.md. */
export default defineConfig({
  test: {
    include: ['test/exhaustive/**/*.test.ts', 'test/**/*.slow.test.ts'],
    globalSetup: ['test/exhaustive/global-setup.ts'],
    testTimeout: 600_000,
    hookTimeout: 120_000,
  },
});
