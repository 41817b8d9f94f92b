import { expect, it } from 'vitest';
import { addDays, toDay, type Day } from '../../src/day.ts';
import { JULY, openNights, withSync, type Nights } from './nights.ts';

const PATH = '/share-of-voice/time-series';
const REQUEST = { endpoints: ['share_of_voice'] };
const SUNDAY = 0;
const MONDAY = 1;

interface Point {
  date: string;
  totalResponses: number;
  brandMentions: number;
}

function weekStart(day: Day, firstWeekday: number): Day {
  return addDays(day, -((new Date(day).getUTCDay() - firstWeekday + 7) % 7));
}

/** A server whose weeks begin on some weekday; the first and the last bucket hold only the days that were asked for, and that it has. */
function beginWeeksOn(nights: Nights, weekday: number, has: (day: string) => boolean = () => true): void {
  nights.answer(PATH, (request) => {
    const asked = Object.fromEntries(request.query);
    if (asked['range'] !== 'week') return undefined;
    const { body } = nights.rig.simulator.answer(request.path, { ...asked, range: 'day' }, request);
    const weeks = new Map<Day, Point>();
    for (const { date, totalResponses, brandMentions } of body as Point[]) {
      if (!has(date.slice(0, 10))) continue;
      const start = weekStart(toDay(date.slice(0, 10)), weekday);
      const sum = weeks.get(start) ?? { date: start, totalResponses: 0, brandMentions: 0 };
      sum.totalResponses += totalResponses;
      sum.brandMentions += brandMentions;
      weeks.set(start, sum);
    }
    return {
      status: 200,
      body: [...weeks.values()].map((week) => ({
        ...week,
        shareOfVoice: (100 * week.brandMentions) / week.totalResponses,
        previousPeriodShareOfVoice: null,
        change: null,
      })),
    };
  });
}

const LONG = {
  ...JULY,
  startDate: '2025-11-03',
  change: withSync({ scopes: {}, grains: ['day', 'week'] }),
} as const;

/** Weeks whose figure is not the sum of their seven days, or that overlap; the running one may hold fewer. */
const WRONG = `
  select w.date, w.total_responses, sum(d.total_responses) as days, count(*) as day_count
  from core.share_of_voice w
  join core.share_of_voice d
    on d.project_id = w.project_id and d.scope = w.scope and d.scope_id = w.scope_id and d.grain = 'day'
    and d.date between w.date and w.date + 6
  where w.grain = 'week'
  group by all
  having w.total_responses <> sum(d.total_responses) or (count(*) < 7 and w.date + 6 < date '2026-07-14')`;

it.each([
  ['Sunday', SUNDAY],
  ['Monday', MONDAY],
  ['Saturday', 6],
] as const)('weeks that begin on a %s are whole at every seam of a long range', async (_, weekday) => {
  await using nights = await openNights(LONG);
  beginWeeksOn(nights, weekday);
  expect(await nights.night('2026-07-14', REQUEST)).toMatchObject({ exit_code: 0, failures: [] });
  expect(await nights.rows(WRONG)).toEqual([]);
  const [stored] = await nights.rows(
    `select count(*) as weeks, count(distinct dayofweek(date)) as weekdays, min(date) as first, max(date) as last
     from core.share_of_voice where grain = 'week'`,
  );
  // Of the first one of Sunday or Saturday the warehouse has only a part.
  const weeks = weekday === MONDAY ? 37 : 36;
  expect(stored).toMatchObject({ weeks, weekdays: 1 });
  expect(stored?.['last']).toBe(weekStart(toDay('2026-07-14'), weekday));
  expect(await nights.gaps()).toEqual([]);
});

it.each([
  ['keeps its last days only', (day: string) => day >= '2026-06-04'],
  ['answers one range of days whatever is asked', (day: string) => day >= '2026-05-06' && day < '2026-06-12'],
] as const)('the partial week of a server that %s does not replace the whole one', async (_, has) => {
  await using nights = await openNights({ ...LONG, startDate: '2026-05-04' });
  beginWeeksOn(nights, MONDAY);
  await nights.night('2026-07-13', REQUEST);
  const stored = `select date, total_responses from core.share_of_voice where grain = 'week' and date < '2026-07-06' order by all`;
  const before = await nights.rows(stored);
  expect(before).toHaveLength(9);
  beginWeeksOn(nights, MONDAY, has);
  const report = await nights.night('2026-07-13', { ...REQUEST, lookbackDays: 90 });
  expect(report).toMatchObject({ exit_code: 0 });
  expect(await nights.rows(stored)).toEqual(before);
});
