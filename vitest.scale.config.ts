import { defineConfig } from 'vitest/config';

/** Workers and loader as processes of their own on a real PostgreSQL: `.ci/with-postgres npm run test:scale`. */
export default defineConfig({
  test: {
    include: ['test/scale/**/*.scale.test.ts'],
    globalSetup: ['test/support/global-setup.ts'],
    // Each starts several processes.
    fileParallelism: false,
    testTimeout: 120_000,
    hookTimeout: 60_000,
  },
});
