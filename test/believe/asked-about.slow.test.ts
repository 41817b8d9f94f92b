import { expect, it } from 'vitest';
import { dayNumber, toDay } from '../../src/day.ts';
import { replayArchive } from '../../src/replay/replay.ts';
import { keepDays } from '../attack/day-entries.ts';
import { JULY, openRig, PROJECT_ONLY, withSync, type Rig, type RigOptions } from '../flow/rig.ts';

const DEMO = {
  ...PROJECT_ONLY,
  world: 'demo',
  change: withSync({ scopes: {}, windows: ['month'], lookbackDays: 7 }),
} as const;
const NIGHT = '2026-07-14';
const SENTIMENT = '/responses/sentiment-time-series';
const VISIBILITY = '/v1/visibility-time-series';

/** What questions of the last nights have shown. */
const PROBES = 'select distinct endpoint, parameter, verdict, asked_on from meta.probes order by all';

/** Requests of a night on which nothing looks odd. */
async function usualRequests(request: Parameters<Rig['night']>[1], options: RigOptions): Promise<number> {
  await using rig = await openRig(options);
  expect(await rig.night(NIGHT, request)).toMatchObject({ exit_code: 0 });
  expect(await rig.rows(PROBES)).toEqual([]);
  return rig.simulator.requests.length;
}

/** The second project is answered as the first one; `or`: answers to what is neither. */
function answerAsFirst(rig: Rig, path: string, or: Parameters<Rig['answer']>[1] = () => undefined): void {
  const [first, second] = rig.projectIds;
  rig.answer(path, (asked, usual) => {
    if (asked.projectId === second)
      return rig.simulator.answer(asked.path, asked.query, { ...asked, projectId: first });
    return asked.projectId === first ? undefined : or(asked, usual);
  });
}

it.each([
  ['two projects of one web site', 'crawler_requests', '/crawlers/trend'],
  ['two clients with equal days', 'response_sentiment', SENTIMENT],
  ['two clients with equal months', 'response_summary', '/responses/summary'],
  ['two projects with a prompt in common', 'prompts', '/v1/prompts'],
])('%s are stored after two questions, and asked about again after a week', async (_, endpoint, path) => {
  await using rig = await openRig(DEMO);
  const request = { endpoints: [endpoint], projects: rig.projectIds.slice(0, 2) };
  const usual = await usualRequests(request, DEMO);
  answerAsFirst(rig, path);
  expect(await rig.night(NIGHT, request)).toMatchObject({ exit_code: 0, failures: [] });
  expect(rig.simulator.requests).toHaveLength(usual + 2);
  const probe = { endpoint, parameter: 'X-Project-Id', verdict: 'good', asked_on: NIGHT };
  expect(await rig.rows(PROBES)).toEqual([probe]);
  const [one, other] = await rig.rows(`select count(*) as n from core.${endpoint} group by project_id`);
  expect(one).toEqual(other);
  await rig.night('2026-07-21', request);
  expect(await rig.rows(PROBES)).toEqual([probe]);
  await rig.night('2026-07-22', request);
  expect(await rig.rows(PROBES)).toEqual([{ ...probe, asked_on: '2026-07-22' }]);
});

/** A server with a row for each third day. */
function answerThirds(rig: Rig, isAsked = (_start?: string, _end?: string): boolean => true): void {
  rig.alter(VISIBILITY, (body, { range, startDate, endDate }) => {
    if (range !== 'day' || !isAsked(startDate, endDate)) return undefined;
    keepDays(body, (day) => dayNumber(toDay(day)) % 3 === 0);
    return body;
  });
}
const answerInSteps = (rig: Rig): void => answerThirds(rig, (start, end) => start !== end);

/** Each monitor is answered with the days of the project. */
function answerAsProject(rig: Rig): void {
  const monitors = rig.simulator.world.projects.flatMap((project) => project.monitors.map(({ id }) => id));
  rig.answer(VISIBILITY, (request) => {
    const left = request.query.filter(([name, id]) => name !== 'llmMonitorId' || !monitors.includes(id));
    return left.length === request.query.length
      ? undefined
      : rig.simulator.answer(request.path, left, request);
  });
}

/** Closed months have the figures of the first one that was asked. */
function equalMonths(rig: Rig): void {
  let first: unknown;
  rig.alter('/responses/summary', (body, { startDate, endDate = '' }) =>
    startDate === endDate || endDate > '2026-06-30' ? undefined : (first ??= body),
  );
}

const OF_MONITORS = "select count(distinct scope_id) as n from core.visibility where scope = 'monitor'";
const DAILY = "select count(*) as n from core.visibility where grain = 'day'";
const MONTHS = "select count(*) as n from core.response_summary where window_kind = 'month'";
const SCOPED = ['prompts', 'events', 'competitor_heatmap', 'visibility'];

it.each<[string, string, number, [RigOptions, string[], (rig: Rig) => void, string]]>([
  [
    'two monitors that equal their project',
    'llmMonitorId',
    2,
    [{ ...JULY, startDate: '2026-06-01' }, SCOPED, answerAsProject, OF_MONITORS],
  ],
  [
    'days with a row on each third',
    'max_window_days',
    8,
    [PROJECT_ONLY, ['visibility'], answerThirds, DAILY],
  ],
  [
    'two equal months',
    'startDate and endDate',
    4,
    [
      { ...PROJECT_ONLY, ...DEMO, world: 'small', startDate: '2026-04-01' },
      ['response_summary'],
      equalMonths,
      MONTHS,
    ],
  ],
])(
  '%s are stored after one question about %s',
  async (...[, parameter, n, [options, endpoints, alter, sql]]) => {
    const usual = await usualRequests({ endpoints }, options);
    await using rig = await openRig(options);
    alter(rig);
    expect(await rig.night(NIGHT, { endpoints })).toMatchObject({ exit_code: 0, failures: [] });
    expect(rig.simulator.requests).toHaveLength(usual + 1);
    const probes = [{ endpoint: endpoints.at(-1), parameter, verdict: 'good', asked_on: NIGHT }];
    expect(await rig.rows(PROBES)).toEqual(probes);
    expect(await rig.rows(sql)).toEqual([{ n }]);
    expect(await rig.night('2026-07-15', { endpoints })).toMatchObject({ exit_code: 0 });
    expect(await rig.rows(PROBES)).toEqual(probes);
  },
);

it('a server that answers in steps is refused by a message with max_window_days; a replay asks nothing', async () => {
  await using rig = await openRig(PROJECT_ONLY);
  answerInSteps(rig);
  const night = await rig.night(NIGHT, { endpoints: ['visibility', 'sentiment'] });
  expect(night).toMatchObject({ exit_code: 3, failures: [{ class: 'contract' }] });
  expect(night.failures[0]?.message).toContain('max_window_days');
  expect(await rig.rows(DAILY)).toEqual([{ n: 0 }]);
  const slices = 'select endpoint, grain, status, error_message from meta.slices order by all';
  const before = await rig.rows(slices);
  expect(before.filter(({ status }) => status === 'failed')).toHaveLength(1);
  rig.simulator.resetRequests();
  await replayArchive(rig.context, false);
  expect([await rig.rows(slices), rig.simulator.requests]).toEqual([before, []]);
});

it('without an answer to the question nothing is stored, and the next night asks again', async () => {
  await using rig = await openRig(DEMO);
  const request = { endpoints: ['response_sentiment'], projects: rig.projectIds.slice(0, 2) };
  answerAsFirst(rig, SENTIMENT, () => ({ status: 503, body: { error: 'busy' } }));
  const { failures } = await rig.night(NIGHT, request);
  expect(failures).toMatchObject([{ class: 'transient' }, { class: 'transient' }]);
  expect(await rig.rows(PROBES)).toEqual([]);
  expect(await rig.rows('select * from core.response_sentiment')).toEqual([]);
  rig.repair();
  expect(await rig.night('2026-07-15', request)).toMatchObject({ exit_code: 0, failures: [] });
  await rig.expectTruth(['response_sentiment']);
});
