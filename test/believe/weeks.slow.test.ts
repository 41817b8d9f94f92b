import { expect, it } from 'vitest';
import { addDays, toDay, type Day } from '../../src/day.ts';
import { JULY, openRig, withSync, type Rig } from '../flow/rig.ts';

const PATH = '/share-of-voice/time-series';
const REQUEST = { endpoints: ['share_of_voice'] };
const change = withSync({ scopes: {}, grains: ['day', 'week'] });
const LONG = { ...JULY, startDate: '2025-11-03', change } as const;

type Point = Readonly<Record<'totalResponses' | 'brandMentions', number>> & { date: string };

function weekStart(day: Day, firstWeekday: number): Day {
  return addDays(day, -((new Date(day).getUTCDay() - firstWeekday + 7) % 7));
}

/** A server whose weeks begin on some weekday; the first and the last bucket hold only the days that were asked for. */
function beginWeeksOn(rig: Rig, weekday: number): void {
  rig.answer(PATH, (request) => {
    const asked = Object.fromEntries(request.query);
    if (asked['range'] !== 'week') return undefined;
    const { body } = rig.simulator.answer(request.path, { ...asked, range: 'day' }, request);
    const weeks = new Map<Day, Point[]>();
    for (const point of body as Point[]) {
      const day = toDay(point.date.slice(0, 10));
      const week = weekStart(day, weekday);
      weeks.set(week, [...(weeks.get(week) ?? []), point]);
    }
    const sum = (points: readonly Point[], name: 'totalResponses' | 'brandMentions'): number =>
      points.reduce((total, point) => total + point[name], 0);
    return {
      status: 200,
      body: [...weeks].map(([date, points]) => {
        const [totalResponses, brandMentions] = [sum(points, 'totalResponses'), sum(points, 'brandMentions')];
        return { date, totalResponses, brandMentions, shareOfVoice: (100 * brandMentions) / totalResponses };
      }),
    };
  });
}

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
  // Of the first week of Sunday or Saturday the warehouse has only a part.
  ['Sunday', 0, 36],
  ['Monday', 1, 37],
  ['Saturday', 6, 36],
])('weeks that begin on a %s are whole at every seam of a long range', async (_, weekday, weeks) => {
  await using rig = await openRig(LONG);
  beginWeeksOn(rig, weekday);
  expect(await rig.night('2026-07-14', REQUEST)).toMatchObject({ exit_code: 0, failures: [] });
  expect(await rig.rows(WRONG)).toEqual([]);
  const stored = `select count(*) as weeks, count(distinct dayofweek(date)) as weekdays, max(date) as last
    from core.share_of_voice where grain = 'week'`;
  const last = weekStart(toDay('2026-07-14'), weekday);
  expect(await rig.rows(stored)).toEqual([{ weeks, weekdays: 1, last }]);
  expect(await rig.gaps()).toEqual([]);
});
