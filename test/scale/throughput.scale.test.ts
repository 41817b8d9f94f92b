import { expect, test } from 'vitest';
import { QueueRig } from './queue-rig.ts';
import { requestsPerSecond } from './throughput.ts';

test.skipIf(process.env['ANSWERLAKE_FIGURES'] !== '1')(
  'throughput grows with the organizations',
  { timeout: 300_000 },
  async () => {
    const rates: number[] = [];
    for (const organizations of [1, 2, 4]) {
      const { requests, seconds, rows } = await requestsPerSecond(organizations, {
        latencyMs: 500,
        days: ['2025-03-01', '2026-03-01'],
        open: (options) => QueueRig.open(options),
      });
      rates.push(requests / seconds);
      process.stdout.write(`${JSON.stringify({ organizations, requests, seconds, rows })}\n`);
    }
    expect(rates[1]).toBeGreaterThan((rates[0] ?? 0) * 1.4);
    expect(rates[2]).toBeGreaterThan((rates[0] ?? 0) * 2);
  },
);
