import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: [
      'test/exhaustive/**',
      'test/soak/**',
      'test/**/*.slow.test.ts',
      'test/scale/**',
      'node_modules/**',
    ],
    globalSetup: ['test/support/global-setup.ts'],
    // Files of a worker share what they import: otherwise each of them loads DuckDB, zod and the catalogue anew.
    isolate: false,
    // One more than the cores of a small machine: a test that waits for a process leaves its core to another.
    maxWorkers: 3,
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
