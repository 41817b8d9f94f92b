import { it } from 'vitest';
import { addDays, countDays, dayNumber, minDay, toDay, type Day, type Grain } from '../../src/day.ts';
import { seededRandom } from '../support/seeded-random.ts';
import { days, openWorld, slice } from './world.ts';

const FIRST = toDay('2025-01-01');
const COUNT = 150;
const SYNC_DAY = addDays(FIRST, COUNT);
const PLACES = 10;
const ANSWERED = ['loaded', 'empty', 'not_enabled', 'truncated'];
const OUTCOMES = [...ANSWERED, ...ANSWERED, 'failed', 'suspicious'];

interface Entry {
  start: Day;
  end: Day;
  /** How far the answer reached. */
  coveredEnd: Day;
  syncDay: Day | null;
  status: string;
  errorClass: string | null;
  fetchedAt: string;
}

/** Places that are asked for three times in a row, with ends that differ by some days, on the same day, another day, or an unknown day. */
function randomLedger(seed: number): Entry[] {
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
      coveredEnd: random() < 0.3 ? addDays(end, -upTo(4)) : end,
      syncDay: random() < 0.15 ? null : addDays(end, upTo(16) - 2),
      status: OUTCOMES[upTo(OUTCOMES.length)] ?? 'loaded',
      errorClass: random() < 0.1 ? 'contract' : null,
      fetchedAt: `${asked}T03:00:00.000Z`,
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

/** What the view says of a period, by its definition. */
function judged(
  ledger: readonly Entry[],
  lookbackDays: number,
  { date, last }: { date: Day; last: Day },
): Record<string, unknown> {
  const about = ledger.filter(({ start, coveredEnd }) => start <= date && date <= coveredEnd);
  const begun = about.filter(({ status }) => ANSWERED.includes(status));
  const whole = begun.filter(({ coveredEnd }) => coveredEnd >= last);
  const isWhole = whole.some(({ syncDay }) => syncDay === null || syncDay > last);
  const isSettled = whole.some(
    // The day of a sync is partial, whatever the look-back.
    ({ syncDay }) => syncDay !== null && dayNumber(syncDay) - dayNumber(last) >= Math.max(lookbackDays, 1),
  );
  const lastStatus = about.at(-1)?.status ?? null;
  const wasAnsweredLast = lastStatus !== null && ANSWERED.includes(lastStatus);
  const isNewest = whole.length > 0 && countDays(last, SYNC_DAY) - 1 <= 1;
  const before = isSettled ? 'settled' : isWhole ? 'covered' : null;
  return {
    date,
    is_covered: isWhole || (isNewest && wasAnsweredLast),
    is_settled: isSettled,
    status: before ?? (begun.length > 0 && wasAnsweredLast ? 'partial' : (lastStatus ?? 'never_asked')),
    last_status: lastStatus,
    last_success_at: whole.at(-1)?.fetchedAt ?? null,
  };
}

it.each(
  (['day', 'week', 'month'] as const).flatMap((grain) =>
    [1, 2, 3, 4, 5, 6].map((seed) => [grain, seed] as const),
  ),
)(
  'each %s is covered and settled by whatever was asked about it, in any order (seed %i)',
  async (grain, seed) => {
    const ledger = randomLedger(seed);
    const lookbackDays = seed % 3 === 0 ? 0 : 7;
    await using world = await openWorld(SYNC_DAY, lookbackDays);
    await world.insert('meta.expected_series', [{ endpoint: 'visibility', grain, start_date: FIRST }]);
    await world.insert(
      'meta.slices',
      ledger.map(({ start, end, coveredEnd, syncDay, status, errorClass, fetchedAt }) =>
        slice('visibility', `${start}..${end}`, {
          grain,
          covered_end: coveredEnd === end && status !== 'loaded' ? null : coveredEnd,
          sync_day: syncDay,
          status,
          error_class: errorClass,
          fetched_at: fetchedAt,
        }),
      ),
    );
    await world.gives(
      'select date, is_covered, is_settled, status, last_status, last_success_at from sync_series_coverage order by date',
      periods(grain).map((period) => judged(ledger, lookbackDays, period)),
    );
  },
);
