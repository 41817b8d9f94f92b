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

test.skipIf(process.env['ANSWERLAKE_FIGURES'] !== '1').each([
  { organizations: 60, most: 3, eventsSeconds: 10 },
  { organizations: 200, most: 2.5, eventsSeconds: Infinity },
])(
  'a night of $organizations organizations costs the fleet at most $most times one process',
  { timeout: 1_800_000 },
  async ({ organizations, most, eventsSeconds }) => {
    const one = await measureNightOfOne(organizations);
    const [night, events] = await measureNight(organizations, 2);
    process.stdout.write(`${JSON.stringify({ one, night, events })}\n`);
    const fleet = (night?.loaderSeconds ?? Infinity) + (night?.workerSeconds ?? 0);
    expect(fleet / one).toBeLessThanOrEqual(most);
    expect(events?.seconds).toBeLessThanOrEqual(eventsSeconds);
  },
);
