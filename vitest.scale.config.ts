import { defineConfig } from 'vitest/config';

// Also in the processes of the tests: their figures are a part of docs/reliability.md.
process.env['ANSWERLAKE_SCALE'] = '1';

/** Workers and loader as processes of their own on a real PostgreSQL: `.ci/with-postgres npm run test:scale`. */
export default defineConfig({
  test: {
    include: ['test/scale/**/*.scale.test.ts'],
    globalSetup: ['test/support/global-setup.ts', 'test/scale/global-setup.ts'],
    // Each starts several processes, which mostly wait (two cores are busy for half of the time); files of a worker share what they import.
    maxWorkers: 3,
    isolate: false,
    testTimeout: 300_000,
    hookTimeout: 60_000,
  },
});
