import { expect, it } from 'vitest';
import { addDays, countDays, dayNumber, minDay, periodStart, toDay } from '../../src/day.ts';
import type { Day, Grain } from '../../src/day.ts';
import { isThorough } from '../support/runs.ts';
import { seededRandom } from '../support/seeded-random.ts';
import { coverageOf, days, ofProject, openWorld, slice } from './world.ts';

const FIRST = toDay('2025-01-01');
const COUNT = 150;
const SYNC_DAY = addDays(FIRST, COUNT);
const PLACES = 10;
const ANSWERED = ['loaded', 'empty', 'not_enabled', 'truncated'];
const OUTCOMES = [...ANSWERED, ...ANSWERED, 'failed', 'suspicious'];
/** The planner asks for empty answers once more. */
const PLAIN = ['loaded', 'loaded', 'loaded', 'failed'];

interface Entry {
  start: Day;
  end: Day;
  sync_day: Day;
  status: string;
  fetched_at: string;
}

/** Places that are asked for three times in a row, with ends that differ by some days, on the same day or another one. */
function randomLedger(seed: number, outcomes: readonly string[]): Entry[] {
  const random = seededRandom(seed);
  const upTo = (most: number): number => Math.floor(random() * most);
  let place = { start: FIRST, end: FIRST };
  return days(FIRST, 3 * PLACES).map((asked, index) => {
    if (index % 3 === 0) {
      const start = addDays(FIRST, upTo(COUNT));
      place = { start, end: addDays(start, upTo(random() < 0.3 ? 90 : 12)) };
    }
    const end = minDay(addDays(place.end, upTo(4)), SYNC_DAY);
    return {
      start: addDays(place.start, -upTo(4)),
      end,
      sync_day: addDays(end, upTo(16) - 2),
      status: outcomes[upTo(outcomes.length)] ?? 'loaded',
      fetched_at: `${asked}T03:00:00.000Z`,
    };
  });
}

/** First and last days of the whole periods up to the day before the sync day. */
function periods(grain: Grain): { date: Day; last: Day }[] {
  const all = days(FIRST, COUNT);
  if (grain === 'day') return all.map((date) => ({ date, last: date }));
  const starts = [...all, SYNC_DAY].filter((date) =>
    grain === 'week' ? new Date(`${date}T00:00:00Z`).getUTCDay() === 1 : date.endsWith('-01'),
  );
  return starts.slice(0, -1).map((date, index) => ({ date, last: addDays(starts[index + 1] ?? date, -1) }));
}

interface Judged {
  date: Day;
  is_whole: boolean;
  is_covered: boolean;
  is_settled: boolean;
  status: string;
}

/** What the views say of a period, by its definition. */
function judged(
  ledger: readonly Entry[],
  lookbackDays: number,
  { grain, date, last }: { grain: Grain; date: Day; last: Day },
): Judged {
  const about = ledger.filter(({ start, end }) => periodStart(start, grain) <= date && date <= end);
  const ages = about
    .filter(({ status }) => ANSWERED.includes(status))
    .map(({ sync_day: asked }) => dayNumber(asked) - dayNumber(last));
  const isWhole = ages.some((age) => age > 0);
  // The day of a sync is partial, whatever the look-back.
  const isSettled = ages.some((age) => age >= Math.max(lookbackDays, 1));
  const failed = about.findLast(({ status }) => !ANSWERED.includes(status))?.status ?? null;
  const isNewest = countDays(last, SYNC_DAY) - 1 <= 1 && failed === null && ages.some((age) => age >= 0);
  const before = isSettled ? 'settled' : isWhole || isNewest ? 'covered' : null;
  return {
    date,
    is_whole: isWhole,
    is_covered: before !== null,
    is_settled: isSettled,
    status: before ?? failed ?? (ages.length > 0 ? 'partial' : 'never_asked'),
  };
}

it.each(
  (['day', 'week', 'month'] as const).flatMap((grain) =>
    (isThorough ? [1, 2, 5, 6] : [3, 4]).map((seed) => [grain, seed] as const),
  ),
)(
  'each %s is covered and settled by whatever was asked about it, in any order (seed %i)',
  async (grain, seed) => {
    const isPlain = seed % 2 === 0;
    const ledger = randomLedger(seed, isPlain ? PLAIN : OUTCOMES);
    const lookbackDays = seed % 3 === 0 ? 0 : 7;
    await using world = await openWorld(SYNC_DAY, lookbackDays);
    const expected = periods(grain).map((period) => judged(ledger, lookbackDays, { grain, ...period }));
    for (const endpoint of ['visibility', 'share_of_voice']) {
      await world.insert('meta.expected_series', [{ endpoint, grain, start_date: FIRST }]);
      await world.insert(
        'meta.slices',
        ledger.map(({ start, end, ...entry }) =>
          slice(endpoint, `${start}..${end}`, { grain, asked_with: 'today', ...entry }),
        ),
      );
      await world.daily(
        `core.${endpoint}`,
        expected.map(({ date }) => date),
        () => ({ grain, [endpoint]: 1 }),
      );
    }
    await world.gives(
      `select date, is_covered, is_settled, status from sync_series_coverage where endpoint = 'visibility' order by date`,
      expected.map(({ date, is_covered, is_settled, status }) => [date, is_covered, is_settled, status]),
    );
    const views = ['share_of_voice_trend', ...(grain === 'day' ? ['visibility_with_events'] : [])];
    for (const view of views)
      await world.gives(
        `select date, is_whole_day, is_final from ${view} order by date`,
        expected.map(({ date, is_whole, is_settled }) => [date, is_whole, is_settled]),
      );
    // What the views call settled is never planned again; a week may be a server's that begins on Sunday.
    if (!isPlain || grain === 'week') return;
    const asking = { today: addDays(SYNC_DAY, 20), lookbackDays, askedWith: 'today' };
    const coverage = await coverageOf(world.connection, ['visibility'], asking);
    const ranges = coverage.settled({ ...ofProject('visibility'), grain });
    const settled = ranges.flatMap(({ start, end }) => days(start, countDays(start, end)));
    const shown = expected.filter((one) => one.is_settled).map(({ date }) => date);
    expect(settled.filter((day) => expected.some(({ date }) => date === day))).toEqual(shown);
  },
);
