import { expect, it } from 'vitest';
import { dayNumber, toDay } from '../../src/day.ts';
import { replayArchive } from '../../src/replay/replay.ts';
import { keepDays } from '../attack/day-entries.ts';
import { openRig, PROJECT_ONLY, withSync } from '../flow/rig.ts';
import type { Rig, RigOptions } from '../flow/rig.ts';

const DEMO = {
  ...PROJECT_ONLY,
  world: 'demo',
  change: withSync({ scopes: {}, windows: ['month'], lookbackDays: 7 }),
} as const;
const NIGHT = '2026-07-14';
const SENTIMENT = '/responses/sentiment-time-series';
const VISIBILITY = '/v1/visibility-time-series';

/** What questions have shown; the odd worlds raise more of them, and altered nights show what is ignored. */
const PROBES = 'select distinct endpoint, parameter, verdict, asked_on from meta.probes order by all';

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
  await using usual = await openRig(DEMO);
  await usual.night(NIGHT, request);
  answerAsFirst(rig, path);
  expect(await rig.night(NIGHT, request)).toMatchObject({ exit_code: 0, failures: [] });
  expect(rig.simulator.requests).toHaveLength(usual.simulator.requests.length + 2);
  const probe = { endpoint, parameter: 'X-Project-Id', verdict: 'good', asked_on: NIGHT };
  expect(await rig.rows(PROBES)).toEqual([probe]);
  const [one, other] = await rig.rows(`select count(*) as n from core.${endpoint} group by project_id`);
  expect(one).toEqual(other);
  await rig.night('2026-07-21', request);
  expect(await rig.rows(PROBES)).toEqual([probe]);
  await rig.night('2026-07-22', request);
  expect(await rig.rows(PROBES)).toEqual([{ ...probe, asked_on: '2026-07-22' }]);
});

/** Every question, also one about a project that does not exist, has the answer of the first project. */
const answerAll = (rig: Rig): void =>
  rig.answer('/citations/domains-over-time', (asked) => {
    const [projectId] = rig.projectIds;
    const first = { ...asked, projectId };
    return asked.projectId === projectId ? undefined : rig.simulator.answer(asked.path, asked.query, first);
  });

function answerWhole({ simulator, ...rig }: Rig): void {
  const who = { apiKey: 'small-organization-key', projectId: rig.projectIds[0] ?? '' };
  const whole = { startDate: '2026-03-01', endDate: NIGHT };
  const same = simulator.answer('/api/v1/responses/summary', whole, who);
  rig.answer('/responses/summary', () => same);
}

const MONTHLY = { ...PROJECT_ONLY, change: withSync({ scopes: {}, windows: ['month'] }) } as const;

it.each<[string, string, RegExp, [RigOptions, (rig: Rig) => void]]>([
  [
    'four months have one answer',
    'response_summary',
    /startDate.*endDate/,
    [{ ...MONTHLY, startDate: '2026-03-01' }, answerWhole],
  ],
  ['all projects have one list of domains', 'domain_citations', /X-Project-Id/, [DEMO, answerAll]],
])(
  'where %s, nothing of %s is stored, and the message has %s',
  async (...[, name, said, [options, alter]]) => {
    await using rig = await openRig(options);
    alter(rig);
    const { exit_code: code, failures } = await rig.night(NIGHT, { endpoints: [name] });
    expect([code, failures.length > 0]).toEqual([3, true]);
    for (const failure of failures)
      expect(failure).toMatchObject({ class: 'contract', message: expect.stringMatching(said) as unknown });
    expect(await rig.rows(`select * from core.${name}`)).toEqual([]);
  },
);

it('a server that answers in steps is refused by a message with max_window_days; a replay asks nothing', async () => {
  await using rig = await openRig(PROJECT_ONLY);
  // A row for each third day, but for a single day.
  rig.alter(VISIBILITY, (body, { range, startDate, endDate }) => {
    if (range !== 'day' || startDate === endDate) return undefined;
    keepDays(body, (day) => dayNumber(toDay(day)) % 3 === 0);
    return body;
  });
  const night = await rig.night(NIGHT, { endpoints: ['visibility', 'sentiment'] });
  expect(night).toMatchObject({ exit_code: 3, failures: [{ class: 'contract' }] });
  expect(night.failures[0]?.message).toContain('max_window_days');
  expect(await rig.rows("select * from core.visibility where grain = 'day'")).toEqual([]);
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

/** Days of a zone, each as an instant; `isCut`: without the running one and what lies before the question. */
const localMidnights = (hours: number, isCut: boolean) => (body: unknown, query: { startDate?: string }) =>
  (body as { date: string; value: unknown }[]).flatMap(({ date, value }) => {
    const instant = new Date(Date.parse(`${date}T00:00:00Z`) + hours * 3_600_000).toISOString();
    const isOutside = instant < (query.startDate ?? '') || date === NIGHT;
    return isCut && isOutside ? [] : [{ date: instant, value }];
  });
const VALUES = 'select date, visibility from core.visibility order by all';

it.each([
  ['local midnights a day early are not stored, and the message has the setting', 'utc', -2, true, 3],
  ['local midnights are stored on the day that begins with them', 'next_day', -2, false, 0],
  ['midnights of the west are stored on their UTC day', 'utc', 5, false, 0],
  ['noons are stored on their UTC day', 'utc', 12, false, 0],
  ['noons of days that are over are not stored on the next day', 'next_day', 12, true, 3],
] as const)(
  '%s, after one question about several ranges',
  async (...[, instants, hours, isCut, exitCode]) => {
    const change = withSync({ scopes: {}, endpoints: { visibility: { maxWindowDays: 5 } } });
    await using usual = await openRig({ ...PROJECT_ONLY, change });
    const request = { endpoints: ['visibility'] };
    await usual.night(NIGHT, request);
    await using rig = await openRig({
      ...PROJECT_ONLY,
      change: (config) => ({ ...change(config), api: { ...config.api, instants } }),
    });
    rig.alter(VISIBILITY, localMidnights(hours, isCut));
    const { exit_code: code, failures } = await rig.night(NIGHT, request);
    expect([code, rig.simulator.requests.length]).toEqual([exitCode, usual.simulator.requests.length + 1]);
    expect(await rig.rows(VALUES)).toEqual(exitCode === 0 ? await usual.rows(VALUES) : []);
    const said = failures.map(({ message }) => message.includes('api.instants: next_day'));
    expect(new Set(said)).toEqual(new Set(exitCode === 0 ? [] : [true]));
    expect(await rig.rows(PROBES)).toMatchObject([
      { parameter: 'api.instants', verdict: exitCode === 0 ? 'good' : 'ignored' },
    ]);
  },
);

it.each([
  ['weeks of local midnights a day early are not stored', ['week'], -2, 3, 2],
  ['weeks of local midnights are asked about by one of their days', ['day', 'week'], -2, 3, 1],
  ['weeks that begin at noon are stored on their UTC day', ['week'], 12, 0, 2],
  ['weeks and days of noons share one question', ['day', 'week'], 12, 0, 1],
] as const)('%s', async (...[, grains, hours, exitCode, more]) => {
  const request = { endpoints: ['visibility'] };
  const change = withSync({ scopes: {}, grains: [...grains] });
  await using usual = await openRig({ ...PROJECT_ONLY, change });
  await usual.night(NIGHT, request);
  await using rig = await openRig({ ...PROJECT_ONLY, change });
  rig.alter(VISIBILITY, localMidnights(hours, hours < 0));
  const { exit_code: code } = await rig.night(NIGHT, request);
  expect([code, rig.simulator.requests.length]).toEqual([exitCode, usual.simulator.requests.length + more]);
  expect(await rig.rows(VALUES)).toEqual(exitCode === 0 ? await usual.rows(VALUES) : []);
});

it('a server that answers unknown projects, and tells the known ones apart, is not suspected on its word', async () => {
  await using rig = await openRig(DEMO);
  const request = { endpoints: ['prompts', 'response_summary'], projects: rig.projectIds.slice(0, 2) };
  await using usual = await openRig(DEMO);
  await usual.night(NIGHT, request);
  const [first = ''] = rig.projectIds;
  const asFirst: Parameters<Rig['answer']>[1] = (asked) =>
    rig.projectIds.includes(asked.projectId ?? '')
      ? undefined
      : rig.simulator.answer(asked.path, asked.query, { ...asked, projectId: first });
  answerAsFirst(rig, '/responses/summary', asFirst);
  rig.answer('/v1/prompts', asFirst);
  expect(await rig.night(NIGHT, request)).toMatchObject({ exit_code: 0, failures: [] });
  // The unknown project twice, and the second project at another address.
  expect(rig.simulator.requests).toHaveLength(usual.simulator.requests.length + 3);
  const [one, other] = await rig.rows('select count(*) as n from core.response_summary group by project_id');
  expect(one).toEqual(other);
});
