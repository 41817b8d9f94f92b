import { expect, it } from 'vitest';
import { readCoverage } from '../../src/run/read-coverage.ts';
import { addDays, countDays, dayNumber, minDay, toDay, type Day } from '../../src/day.ts';
import { seededRandom } from '../support/seeded-random.ts';
import { days, openWorld, slice } from './world.ts';

const LOOKBACK_DAYS = 7;
const LATE_DAYS = 12;
const FIRST = toDay('2025-01-01');
const COUNT = 200;
const SYNC_DAY = addDays(FIRST, COUNT - 1);

interface Asked {
  start: Day;
  end: Day;
  syncDay: Day;
  isAnswered: boolean;
}

/** Windows of 1 to 100 days, asked for on their last day or soon after, one in four failed; then one a day, every other failed. */
function randomAsked(seed: number): Asked[] {
  const random = seededRandom(seed);
  const upTo = (most: number): number => Math.floor(random() * most);
  const long = Array.from({ length: 14 }, () => {
    const start = addDays(FIRST, upTo(COUNT - LATE_DAYS - 1));
    const end = minDay(addDays(start, upTo(100)), addDays(SYNC_DAY, -LATE_DAYS - 1));
    return { start, end, syncDay: addDays(end, upTo(10)), isAnswered: random() < 0.75 };
  });
  const short = days(addDays(SYNC_DAY, -LATE_DAYS), LATE_DAYS).map((day) => {
    return { start: day, end: day, syncDay: addDays(day, upTo(2)), isAnswered: random() < 0.5 };
  });
  return [...long, ...short];
}

/** What each day is by its definition, day by day. */
function judged(asked: readonly Asked[]): { date: Day; whole: boolean; final: boolean }[] {
  return days(FIRST, COUNT).map((date) => {
    const ages = asked.flatMap(({ start, end, syncDay, isAnswered }) =>
      isAnswered && start <= date && date <= end ? [dayNumber(syncDay) - dayNumber(date)] : [],
    );
    return { date, whole: ages.some((age) => age > 0), final: ages.some((age) => age >= LOOKBACK_DAYS) };
  });
}

it.each([1, 2, 3, 4, 5, 6])(
  'days are whole and final by what was asked of each, in any order (seed %i)',
  async (seed) => {
    const asked = randomAsked(seed);
    const expected = judged(asked);
    expect(new Set(expected.map(({ whole, final }) => `${String(whole)} ${String(final)}`)).size).toBe(3);
    await using world = await openWorld(SYNC_DAY, LOOKBACK_DAYS);
    await world.insert(
      'meta.slices',
      asked.map(({ start, end, syncDay, isAnswered }) =>
        slice('visibility', `${start}..${end}`, {
          sync_day: syncDay,
          fetched_at: `${syncDay}T06:00:00Z`,
          status: isAnswered ? 'loaded' : 'failed',
          asked_with: 'today',
        }),
      ),
    );
    await world.insert(
      'core.visibility',
      days(FIRST, COUNT).map((date) => ({ date, visibility: 1 })),
    );
    await world.gives(
      'select date, is_whole_day as whole, is_final as final from visibility_with_events order by date',
      expected,
    );
    // Planning and sync_series_coverage call the same days final: they are never asked for again.
    const final = expected.filter((day) => day.final).map(({ date }) => date);
    const coverage = await readCoverage(world.connection, {
      today: SYNC_DAY,
      lookbackDays: LOOKBACK_DAYS,
      asksForOld: false,
      chain: [],
      chainOnly: false,
      asked: [{ endpoint: 'visibility', askedWith: 'today', limit: null }],
    });
    const series = {
      endpoint: 'visibility',
      projectId: 'p',
      scope: 'project',
      scopeId: 'p',
      grain: 'day',
    } as const;
    const settled = coverage.settled(series).flatMap(({ start, end }) => days(start, countDays(start, end)));
    expect(settled).toEqual(final);
    await world.insert('meta.expected_series', [{ endpoint: 'visibility', start_date: FIRST }]);
    await world.gives(
      'select date from sync_series_coverage where is_settled order by date',
      final.map((date) => ({ date })),
    );
  },
);
