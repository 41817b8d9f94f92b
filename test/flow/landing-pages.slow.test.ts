import { afterAll, beforeAll, expect, it } from 'vitest';
import { addDays, toDay } from '../../src/day.ts';
import { silentLog } from '../../src/log.ts';
import { planSync } from '../../src/run/plan-sync.ts';
import { syncRequest } from '../../src/run/sync-request.ts';
import type { Config } from '../../src/config/config.ts';
import { openRig, type Rig } from './rig.ts';
import { ask, eachDay, type Json, type TruthOptions } from './truth.ts';

const PATH = '/api/v1/analytics/visitors/trend';
const ENDPOINTS = ['visitor_visits'];
const RIG = { world: 'demo', today: '2026-07-14', startDate: '2026-06-15' } as const;

const withPages =
  (landingPages: Config['sync']['landingPages']) =>
  (config: Config): Config => ({ ...config, sync: { ...config.sync, landingPages } });

let rig: Rig;
let projects: string[];
beforeAll(async () => {
  const plain = await openRig(RIG);
  projects = plain.simulator.world.projects.map(({ id }) => id);
  await plain[Symbol.asyncDispose]();
  const ofOne = { pathname: '/about', project: projects[0] ?? '' };
  rig = await openRig({
    ...RIG,
    change: withPages([{ pathname: '/pricing' }, { pathname: '/nowhere' }, ofOne, ofOne]),
  });
});
afterAll(() => rig[Symbol.asyncDispose]());

const pagesAsked = (): string[] =>
  rig.simulator.requests
    .filter(({ path }) => path === PATH)
    .map(({ projectId = '', query }) => `${projectId} ${new Map(query).get('pathname') ?? ''}`)
    .toSorted();

/** Days of a page as the simulator gives them, one request a day. */
function pageTruth(options: TruthOptions, pathname: string): Json[] {
  return eachDay(options).flatMap((day) => {
    const window = { startDate: day, endDate: day, timezone: 'UTC', pathname };
    const { series } = ask<{ series: { name: string; data: number[] }[] }>(options, PATH, window);
    return series.map(({ name, data }) => ({ date: day, source: name, ai_visits_count: data[0] ?? null }));
  });
}

it('each landing page of a project is one planned request more, with the rows of the simulator', async () => {
  await rig.sync({ endpoints: ['models'] });
  const request = syncRequest({ endpoints: ENDPOINTS, today: rig.simulator.today });
  const { signal } = new AbortController();
  const { config, effects } = rig;
  const context = { config, effects, log: silentLog, signal, version: '0.0.0' };
  const planned = await planSync(request, context, true);
  rig.simulator.resetRequests();
  expect(await rig.sync({ endpoints: ENDPOINTS })).toMatchObject({
    exit_code: 0,
    requests: planned.requests,
    rows_rejected: 0,
  });
  const expected = projects.flatMap((id, index) =>
    ['', '/pricing', '/nowhere', ...(index === 0 ? ['/about'] : [])].map((pathname) => `${id} ${pathname}`),
  );
  expect(pagesAsked()).toEqual(expected.toSorted());
  const [key] = rig.simulator.world.keys.filter(({ type }) => type === 'organization');
  for (const [index, projectId] of projects.entries()) {
    const { simulator } = rig;
    const start = toDay(RIG.startDate);
    const options = {
      simulator,
      apiKey: key?.key ?? '',
      projectId,
      start,
      end: addDays(simulator.today, -1),
    };
    for (const pathname of ['/pricing', '/nowhere', '/about']) {
      const sql = `select date, source, ai_visits_count from landing_page_days
        where project_id = '${projectId}' and landing_page = '${pathname}' and ai_visits_count > 0 order by date, source`;
      const rows = await rig.rows(sql);
      const truth = pageTruth(options, pathname).filter(({ ai_visits_count: visits }) => Number(visits) > 0);
      const isAsked = pathname !== '/about' || index === 0;
      expect(rows, pathname).toEqual(isAsked ? truth.toSorted(byDateAndSource) : []);
    }
  }
  expect(await rig.rows(`select count(*) > 50 as is_long from landing_page_days`)).toEqual([
    { is_long: true },
  ]);
});

it('visits of landing pages are in no figure of the whole project', async () => {
  await using plain = await openRig(RIG);
  await plain.sync({ endpoints: ENDPOINTS });
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
    rig.simulator.setToday(toDay(day));
    await rig.effects.sleep(86_400_000);
    rig.simulator.resetRequests();
    expect(await rig.sync({ endpoints: ENDPOINTS })).toMatchObject({ exit_code: 0 });
    nights.push(pagesAsked());
  }
  const empty = projects.map((id) => `${id} /nowhere`);
  expect(nights).toEqual([[...first, ...empty].toSorted(), first]);
  expect(await rig.rows(`select * from sync_gaps where endpoint = 'visitor_visits'`)).toEqual([]);
});

it('landing pages of a server that ignores pathname are refused, and the visits of the project are kept', async () => {
  await using ignoring = await openRig({
    ...RIG,
    ignoredParameters: ['pathname'],
    change: withPages([{ pathname: '/pricing' }, { pathname: '/about' }]),
  });
  const report = await ignoring.sync({ endpoints: ENDPOINTS });
  expect(report.exit_code).toBe(3);
  expect(report.failures.map(({ message }) => message).join('\n')).toContain('pathname');
  const scopes = await ignoring.rows('select distinct scope from core.visitor_visits');
  expect(scopes).toEqual([{ scope: 'project' }]);
});

function byDateAndSource(a: Json, b: Json): number {
  const [one, other] = [a, b].map(({ date, source }) => `${String(date)} ${String(source)}`);
  return (one ?? '') < (other ?? '') ? -1 : 1;
}
