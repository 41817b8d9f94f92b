import { afterAll, beforeAll, expect, it } from 'vitest';
import { openRig, withSync, type Rig } from './rig.ts';
import { ask, type Trend } from './truth.ts';

const PATH = '/api/v1/analytics/visitors/trend';
const NIGHT = { endpoints: ['visitor_visits'] };
const RIG = { world: 'demo', today: '2026-07-14', startDate: '2026-06-15' } as const;

let rig: Rig;
beforeAll(async () => {
  rig = await openRig(RIG);
  const ofOne = { pathname: '/about', project: rig.projectIds[0] ?? '' };
  const landingPages = [{ pathname: '/pricing' }, { pathname: '/nowhere' }, ofOne, ofOne];
  Object.assign(rig.config.sync, { landingPages });
});
afterAll(() => rig[Symbol.asyncDispose]());

const pagesAsked = (): string[] =>
  rig.simulator.requests
    .filter(({ path }) => path === PATH)
    .map(({ projectId = '', query }) => `${projectId} ${new Map(query).get('pathname') ?? ''}`)
    .toSorted();

/** Days with visits of a page as the simulator gives them. */
function pageTruth(projectId: string, pathname: string): string[] {
  const { simulator } = rig;
  const who = { simulator, apiKey: 'demo-organization-key', projectId };
  const window = { startDate: RIG.startDate, endDate: '2026-07-13', timezone: 'UTC', pathname };
  const { dates, series } = ask<Trend>(who, PATH, window);
  const rows = series.flatMap(({ name, data }) =>
    data.flatMap((visits, at) => (visits > 0 ? [`${dates[at]?.slice(0, 10)} ${name} ${visits}`] : [])),
  );
  return rows.toSorted();
}

it('each landing page of a project is one planned request more, with the rows of the simulator', async () => {
  await rig.sync({ endpoints: ['models'] });
  const { requests } = await rig.plan(NIGHT);
  rig.simulator.resetRequests();
  expect(await rig.sync(NIGHT)).toMatchObject({ exit_code: 0, requests, rows_rejected: 0 });
  const pages = ['', '/pricing', '/nowhere'];
  const expected = rig.projectIds.flatMap((id) => pages.map((page) => `${id} ${page}`));
  expect(pagesAsked()).toEqual([...expected, `${rig.projectIds[0]} /about`].toSorted());
  for (const [index, id] of rig.projectIds.entries())
    for (const page of ['/pricing', '/nowhere', '/about']) {
      const rows =
        await rig.rows(`select concat_ws(' ', date, source, cast(ai_visits_count as integer)) as row
        from landing_page_days where project_id = '${id}' and landing_page = '${page}' and ai_visits_count > 0 order by 1`);
      const isAsked = page !== '/about' || index === 0;
      expect(rows.map(({ row }) => row as string).toSorted(), page).toEqual(
        isAsked ? pageTruth(id, page) : [],
      );
    }
  expect((await rig.rows('select * from landing_page_days')).length).toBeGreaterThan(50);
});

it('visits of landing pages are in no figure of the whole project', async () => {
  await using plain = await openRig(RIG);
  await plain.sync(NIGHT);
  for (const sql of [
    'select project_id, date, ai_visits_count from daily_kpis order by all',
    'select project_id, date, source, ai_visits_count from ai_traffic order by all',
    'select project_id, date, vendor, ai_visits_count from crawler_visitor_funnel order by all',
  ])
    expect(await rig.rows(sql)).toEqual(await plain.rows(sql));
});

it('each landing page is asked for in one request a night, an empty one once more on the second', async () => {
  const first = pagesAsked();
  const nights = [];
  for (const day of ['2026-07-15', '2026-07-16']) {
    expect(await rig.night(day, NIGHT)).toMatchObject({ exit_code: 0 });
    nights.push(pagesAsked());
  }
  const empty = rig.projectIds.map((id) => `${id} /nowhere`);
  expect(nights).toEqual([[...first, ...empty].toSorted(), first]);
  expect(await rig.gaps()).toEqual([]);
});

it('landing pages of a server that ignores pathname are refused, and the visits of the project are kept', async () => {
  const change = withSync({ landingPages: [{ pathname: '/pricing' }, { pathname: '/about' }] });
  await using deaf = await openRig({ ...RIG, ignoredParameters: ['pathname'], change });
  const report = await deaf.sync(NIGHT);
  expect(report.exit_code).toBe(3);
  expect(JSON.stringify(report.failures)).toContain('pathname');
  expect(await deaf.rows('select distinct scope from core.visitor_visits')).toEqual([{ scope: 'project' }]);
});
