import { expect, it } from 'vitest';
import { dayNumber, toDay } from '../../src/day.ts';
import { replayArchive } from '../../src/replay/replay.ts';
import { keepDays } from '../attack/day-entries.ts';
import { expectHealed, JULY, openRig, PROJECT_ONLY, withSync } from '../flow/rig.ts';
import type { Rig, RigOptions } from '../flow/rig.ts';
import type { RunReport } from '../../src/run/sync-request.ts';

const DEMO = {
  ...PROJECT_ONLY,
  world: 'demo',
  change: withSync({ scopes: {}, windows: ['month'], lookbackDays: 7 }),
} as const;
const NIGHT = '2026-07-14';
const SENTIMENT = '/responses/sentiment-time-series';
const VISIBILITY = '/v1/visibility-time-series';

/** What questions of the last nights have shown; the odd worlds of the exhaustive suite raise more of them. */
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

const DAILY = "select count(*) as n from core.visibility where grain = 'day'";

it('days with a row on each third are stored after one question about max_window_days', async () => {
  const request = { endpoints: ['visibility'] };
  const usual = await usualRequests(request, PROJECT_ONLY);
  await using rig = await openRig(PROJECT_ONLY);
  answerThirds(rig);
  expect(await rig.night(NIGHT, request)).toMatchObject({ exit_code: 0, failures: [] });
  expect(rig.simulator.requests).toHaveLength(usual + 1);
  const probe = { endpoint: 'visibility', parameter: 'max_window_days', verdict: 'good', asked_on: NIGHT };
  expect(await rig.rows(PROBES)).toEqual([probe]);
  expect(await rig.rows(DAILY)).toEqual([{ n: 8 }]);
  expect(await rig.night('2026-07-15', request)).toMatchObject({ exit_code: 0 });
  expect(await rig.rows(PROBES)).toEqual([probe]);
});

/** Every failure is one of the contract, and names the parameter. */
function expectNamed({ exit_code: code, failures }: RunReport, name: RegExp): void {
  expect([code, failures.length > 0]).toEqual([3, true]);
  for (const failure of failures)
    expect(failure).toMatchObject({ class: 'contract', message: expect.stringMatching(name) as unknown });
}

it('filters that the server ignores file nothing under models and monitors, and the message names them', async () => {
  await using rig = await openRig(JULY);
  rig.answer(VISIBILITY, (asked) => {
    const left = asked.query.filter(([name]) => !['models', 'llmMonitorId'].includes(name));
    return left.length === asked.query.length ? undefined : rig.simulator.answer(asked.path, left, asked);
  });
  const request = { endpoints: ['prompts', 'events', 'competitor_heatmap', 'models', 'visibility'] };
  expectNamed(await rig.night(NIGHT, request), /models|llmMonitorId/);
  expect(await rig.rows('select distinct scope from core.visibility')).toEqual([{ scope: 'project' }]);
  const failed = `select scope, count(*) filter (error_message not like
      '%' || if(scope = 'model', 'models', 'llmMonitorId') || '%' or status <> 'failed') as others
    from meta.slices where endpoint = 'visibility' and scope <> 'project' group by 1 order by 1`;
  expect(await rig.rows(failed)).toEqual([
    { scope: 'model', others: 0 },
    { scope: 'monitor', others: 0 },
  ]);
  await expectHealed(rig, ['2026-07-15', '2026-07-16'], request);
});

/** Every question, also one about a project that does not exist, has the answer of the first project. */
const answerAll = (rig: Rig, path: string): void =>
  rig.answer(path, (asked) => {
    const [projectId] = rig.projectIds;
    const first = { ...asked, projectId };
    return asked.projectId === projectId ? undefined : rig.simulator.answer(asked.path, asked.query, first);
  });

/** The first answer of each address stands for every project. */
function mixUp(rig: Rig): void {
  const seen = new Map<string, unknown>();
  rig.answer(SENTIMENT, ({ query }, { status, body }) => {
    const key = JSON.stringify(query);
    if (status === 200 && !seen.has(key)) seen.set(key, body);
    return status === 200 ? { body: seen.get(key) } : undefined;
  });
}

function answerWhole({ simulator, ...rig }: Rig): void {
  const who = { apiKey: 'small-organization-key', projectId: rig.projectIds[0] ?? '' };
  const whole = { startDate: '2026-03-01', endDate: NIGHT };
  const same = simulator.answer('/api/v1/responses/summary', whole, who);
  rig.answer('/responses/summary', () => same);
}

const MONTHLY = { ...PROJECT_ONLY, change: withSync({ scopes: {}, windows: ['month'] }) } as const;
// Each night asks for all days: a domain is listed where it is cited in the range.
const WHOLE = { ...DEMO, change: withSync({ scopes: {}, windows: ['month'], lookbackDays: 60 }) } as const;

it.each<[string, string, RegExp, [RigOptions, (rig: Rig) => void]]>([
  [
    'four months have one answer',
    'response_summary',
    /startDate.*endDate/,
    [{ ...MONTHLY, startDate: '2026-03-01' }, answerWhole],
  ],
  [
    'all projects have one list of domains',
    'domain_citations',
    /X-Project-Id/,
    [WHOLE, (rig) => answerAll(rig, '/citations/domains-over-time')],
  ],
  ['a cache has the answer of one project for another', 'response_sentiment', /X-Project-Id/, [WHOLE, mixUp]],
])(
  'where %s, nothing of %s is stored, and the message has %s',
  async (...[, name, said, [options, alter]]) => {
    await using rig = await openRig(options);
    alter(rig);
    const request = { endpoints: [name] };
    expectNamed(await rig.night(NIGHT, request), said);
    expect(await rig.rows(`select * from core.${name}`)).toEqual([]);
    await expectHealed(rig, ['2026-07-15', '2026-07-16'], request);
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
