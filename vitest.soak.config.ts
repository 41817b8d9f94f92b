import { defineConfig } from 'vitest/config';

/** `npm run soak`: what takes hours rather than minutes; with ANSWERLAKE_WRITE_PAGE=1 it writes its part of docs/reliability.md. */
export default defineConfig({
  test: {
    include: ['test/soak/**/*.test.ts', 'test/exhaustive/kill.test.ts', 'test/exhaustive/readers.test.ts'],
    // Each of the 100 random moments kills twice.
    env: { ANSWERLAKE_SOAK: '1', ANSWERLAKE_KILLS: '100', ANSWERLAKE_PUBLISHES: '200' },
    globalSetup: ['test/support/global-setup.ts', 'test/exhaustive/global-setup.ts'],
    // One after the other: a killed run has a rhythm, and the memory of the year is measured.
    fileParallelism: false,
    execArgv: ['--expose-gc'],
    testTimeout: 10_800_000,
    hookTimeout: 120_000,
  },
});
