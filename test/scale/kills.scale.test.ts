import { expect, test } from 'vitest';
import { recordFigure } from '../exhaustive/figures.ts';
import type { Program } from '../support/program.ts';
import { seededRandom } from '../support/seeded-random.ts';
import type { RequestRecord } from '../../simulator/request-record.ts';
import { mostRepeated } from './organizations.ts';
import { Fleet, wait } from './fleet.ts';

const KILLS = Number(process.env['ANSWERLAKE_KILLS'] ?? 8);
/** A soak has projects as people have them. */
const SIZE =
  KILLS < 50
    ? ({ world: 'small', startDate: '2026-01-15', perHour: 16, hourMs: 5_000, restMs: [700, 1_600] } as const)
    : ({
        world: 'demo',
        startDate: '2025-03-01',
        perHour: 200,
        hourMs: 20_000,
        restMs: [1_500, 3_000],
      } as const);
/** Left to other people: `api.reserve_quota`. */
const RESERVE = 0.1;
const FIRST = Date.parse('2026-03-01T00:00:00Z');
const DAY_MS = 86_400_000;
const dayAfter = (nights: number): string => new Date(FIRST + nights * DAY_MS).toISOString().slice(0, 10);

/** What one hour of one organization saw. */
interface HourOfKey {
  answered: number;
  /** Answered with 429. */
  refused: number;
}

function hoursOfKeys(requests: readonly RequestRecord[]): HourOfKey[] {
  const hours = new Map<string, HourOfKey>();
  for (const { apiKey, at, status } of requests) {
    const name = `${apiKey ?? ''} ${String(Math.floor(at / SIZE.hourMs))}`;
    const hour = hours.get(name) ?? { answered: 0, refused: 0 };
    if (status === 429) hour.refused += 1;
    else hour.answered += 1;
    hours.set(name, hour);
  }
  return [...hours.values()];
}

test(
  `${String(KILLS)} random kills of workers and loader leave the content of one process, and spend no hour twice`,
  { timeout: 120_000 + KILLS * 20_000 },
  async () => {
    const quota: { perHour?: number; hourMs: number } = { perHour: SIZE.perHour, hourMs: SIZE.hourMs };
    const fleet = await Fleet.open(4, { ...SIZE, today: dayAfter(0), latencyMs: 25, quota });
    const { organizations } = fleet;
    const random = seededRandom(Number(process.env['ANSWERLAKE_FUZZ_SEED'] ?? 1));
    const roles = ['worker', 'worker', 'worker', 'worker', 'loader'] as const;
    const running: Program[] = roles.map((role) => fleet.start([role]));
    const days: string[] = [];
    const hours: HourOfKey[] = [];
    let kills = 0;
    let asked = 0;
    let mostTooMany = 0;
    while (kills < KILLS) {
      const today = dayAfter(days.length);
      days.push(today);
      organizations.resetRequests();
      organizations.setToday(today);
      const before = kills;
      const run = fleet.start(['queue', 'run', '--wait', '--today', today]);
      const ended = { is: false };
      void run.ended.then(() => (ended.is = true));
      while (!ended.is) {
        await wait(SIZE.restMs[0] + random() * SIZE.restMs[1]);
        if (ended.is || kills >= KILLS) continue;
        const victim = Math.floor(random() * roles.length);
        running[victim]?.child.kill('SIGKILL');
        await running[victim]?.ended;
        running[victim] = fleet.start([roles[victim] ?? 'worker']);
        kills += 1;
      }
      const { code, stdout, stderr } = await run.ended;
      expect(`${today} exit ${String(code)} ${code === 0 ? '' : stdout + stderr}`).toBe(`${today} exit 0 `);
      const requests = organizations.requests();
      asked += requests.length;
      hours.push(...hoursOfKeys(requests));
      const tooMany = mostRepeated(requests) - 1;
      mostTooMany = Math.max(mostTooMany, tooMany);
      // No slice more than once for each kill too many.
      expect(tooMany).toBeLessThanOrEqual(kills - before);
    }
    for (const program of running) program.child.kill('SIGTERM');
    const codes = (await Promise.all(running.map(({ ended }) => ended))).map(({ code }) => code);
    expect(codes).toEqual(roles.map(() => 143));
    organizations.resetRequests();
    delete quota.perHour;
    const different = await fleet.differences(days);
    const refused = hours.reduce((sum, hour) => sum + hour.refused, 0);
    const fullest = Math.max(...hours.map(({ answered }) => answered));
    const projects = organizations.simulators.flatMap(({ world }) => world.projects).length;
    recordFigure({
      order: 20,
      promise: 'Workers and loaders that are killed leave the content of one process',
      how: 'Four workers and a loader work through nights; every few seconds one of them is killed with -9 and started again. Every core table must be the same as that of one process that is not killed, and no slice may be asked more than once for each kill too many.',
      cases: kills,
      violations: different.length,
      details: {
        projects,
        nights: days.length,
        'requests, with kills': asked,
        'requests of one process': organizations.requests().length,
        'one slice asked too often, at most': mostTooMany,
      },
    });
    recordFigure({
      order: 21,
      promise: 'No hour of an organization is spent twice',
      how: `In the same nights each organization may send ${String(SIZE.perHour)} requests in an hour of ${String(SIZE.hourMs / 1000)} seconds, and a tenth of them is left to other people. No hour may be overdrawn, and no more answers may be 429 than processes were killed.`,
      cases: hours.length,
      violations: hours.filter(({ answered }) => answered > SIZE.perHour).length + (refused > kills ? 1 : 0),
      details: {
        'requests of the fullest hour': fullest,
        'of which other people are left': Math.ceil(SIZE.perHour * RESERVE),
        'answers 429': refused,
      },
    });
    expect(different).toEqual([]);
    expect(fullest).toBeLessThanOrEqual(SIZE.perHour);
    expect(refused).toBeLessThanOrEqual(kills);
  },
);
