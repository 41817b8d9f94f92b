import { expect, test } from 'vitest';
import { measureNight, measureNightOfOne, measureStart } from './throughput.ts';

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

test.skipIf(process.env['ANSWERLAKE_FIGURES'] !== '1')(
  'a loader that finds 100,000 loaded parts of a week sends its first round within 5 s, with 300 MiB',
  { timeout: 900_000 },
  async () => {
    const found = await measureStart(100_000);
    process.stdout.write(`${JSON.stringify(found)}\n`);
    expect(found.seconds).toBeLessThanOrEqual(5);
    expect(found.mebibytes).toBeLessThanOrEqual(300);
  },
);
