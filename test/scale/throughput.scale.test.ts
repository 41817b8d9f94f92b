import { expect, test } from 'vitest';
import {
  measureNight,
  measureNightOfOne,
  measureOneProcess,
  measureThroughput,
  type Measured,
} from './throughput.ts';

const measured: Measured = { latencyMs: 50, world: 'small', days: ['2025-03-01', '2026-03-01'] };
/** Has three projects for each organization, so that start-up matters less. */
const costly: Measured = { ...measured, world: 'demo' };

test.skipIf(process.env['ANSWERLAKE_FIGURES'] !== '1')(
  'throughput grows with the organizations',
  { timeout: 900_000 },
  async () => {
    const rates: number[] = [];
    for (const organizations of [1, 2, 4]) {
      const found = await measureThroughput(organizations, measured);
      rates.push(found.requests / found.seconds);
      process.stdout.write(`${JSON.stringify(found)}\n`);
    }
    const queue = await measureThroughput(4, costly);
    process.stdout.write(`${JSON.stringify({ queue, one: await measureOneProcess(4, costly) })}\n`);
    expect(rates[1]).toBeGreaterThan(rates[0] ?? 0);
    expect(rates[2]).toBeGreaterThan(rates[1] ?? 0);
  },
);

test.skipIf(process.env['ANSWERLAKE_FIGURES'] !== '1')(
  'a night of 60 organizations costs the fleet at most 3 times one process, and a run of events 10 s',
  { timeout: 900_000 },
  async () => {
    const one = await measureNightOfOne(60);
    const [night, events] = await measureNight(60, 2);
    process.stdout.write(`${JSON.stringify({ one, night, events })}\n`);
    const fleet = (night?.loaderSeconds ?? Infinity) + (night?.workerSeconds ?? 0);
    expect(fleet / one).toBeLessThanOrEqual(3);
    expect(events?.seconds).toBeLessThanOrEqual(10);
  },
);
