import { expect, it } from 'vitest';
import type { Answer } from '../../simulator/refusal.ts';
import { dayNumber, toDay } from '../../src/day.ts';
import { replayArchive } from '../../src/replay/replay.ts';
import type { RigOptions } from '../flow/rig.ts';
import { isObject } from '../../src/endpoints/field.ts';
import { JULY, openNights, PROJECT_ONLY, withSync, type Nights } from './nights.ts';

const DEMO = {
  ...PROJECT_ONLY,
  world: 'demo',
  change: withSync({ scopes: {}, windows: ['month'], lookbackDays: 7 }),
} as const;

const NIGHT = '2026-07-14';

/** What questions of the last nights have shown. */
const probes = (nights: Nights) =>
  nights.rows('select distinct endpoint, parameter, verdict, asked_on from meta.probes order by all');

const requestsOf = ({ rig }: Nights): number => rig.simulator.requests.length;

/** Requests of a night on which nothing looks odd. */
async function usualRequests(
  request: Parameters<Nights['night']>[1],
  options: RigOptions = DEMO,
): Promise<number> {
  await using nights = await openNights(options);
  expect(await nights.night(NIGHT, request)).toMatchObject({ exit_code: 0 });
  expect(await probes(nights)).toEqual([]);
  return requestsOf(nights);
}

function projectsOf({ rig }: Nights, count: number): string[] {
  return rig.simulator.world.projects.slice(0, count).map(({ id }) => id);
}

/** One project is answered as another one. */
function answerAs(nights: Nights, path: string, [from, to]: readonly string[]): void {
  nights.answer(path, (request) =>
    request.projectId === to
      ? nights.rig.simulator.answer(request.path, request.query, { ...request, projectId: from })
      : undefined,
  );
}

it.each([
  { what: 'two projects of one web site', endpoint: 'crawler_requests', path: '/crawlers/trend' },
  {
    what: 'two clients with equal days',
    endpoint: 'response_sentiment',
    path: '/responses/sentiment-time-series',
  },
  { what: 'two clients with equal months', endpoint: 'response_summary', path: '/responses/summary' },
  { what: 'two projects with a prompt in common', endpoint: 'prompts', path: '/v1/prompts' },
])('$what are stored after two questions, and asked about again after a week', async ({ endpoint, path }) => {
  await using nights = await openNights(DEMO);
  const projects = projectsOf(nights, 2);
  const request = { endpoints: [endpoint], projects };
  const usual = await usualRequests(request);
  answerAs(nights, path, projects);
  expect(await nights.night(NIGHT, request)).toMatchObject({ exit_code: 0, failures: [] });
  expect(requestsOf(nights)).toBe(usual + 2);
  expect(await probes(nights)).toEqual([
    { endpoint, parameter: 'X-Project-Id', verdict: 'good', asked_on: NIGHT },
  ]);
  const stored = await nights.rows(
    `select project_id, count(*) as n from core.${endpoint} group by all order by all`,
  );
  expect(stored).toHaveLength(2);
  expect(new Set(stored.map(({ n }) => n)).size).toBe(1);
  await nights.night('2026-07-21', request);
  expect((await probes(nights)).map(({ asked_on: day }) => day)).toEqual([NIGHT]);
  await nights.night('2026-07-22', request);
  expect((await probes(nights)).map(({ asked_on: day }) => day)).toEqual(['2026-07-22']);
});

it('a cache that has the answer of one project for another is found by another address', async () => {
  await using nights = await openNights(DEMO);
  const projects = projectsOf(nights, 2);
  const request = { endpoints: ['response_sentiment'], projects };
  const seen = new Map<string, unknown>();
  nights.answer('/responses/sentiment-time-series', ({ query }, usual) => {
    if (usual.status !== 200) return undefined;
    const key = JSON.stringify(query);
    if (!seen.has(key)) seen.set(key, usual.body);
    return { body: seen.get(key) };
  });
  const night = await nights.night(NIGHT, request);
  expect(night).toMatchObject({ exit_code: 3 });
  expect(night.failures.map(({ message }) => message)).toEqual(
    night.failures.map(() => expect.stringContaining('X-Project-Id')),
  );
  expect(await nights.rows('select * from core.response_sentiment')).toEqual([]);
  nights.repair();
  expect(await nights.night('2026-07-15', request)).toMatchObject({ exit_code: 0 });
  await nights.expectTruth(['response_sentiment'], request);
});

const FINER = { ...JULY, startDate: '2026-06-01' } as const;
const SCOPED = { endpoints: ['prompts', 'events', 'competitor_heatmap', 'visibility'] };

it('one monitor after another, each equal to the project on its own days, costs no question', async () => {
  const usual = await usualRequests(SCOPED, FINER);
  await using nights = await openNights(FINER);
  const [first] = nights.rig.simulator.world.projects.flatMap(({ monitors }) => monitors);
  nights.answer('/v1/visibility-time-series', (request) => {
    const monitor = request.query.find(([name]) => name === 'llmMonitorId')?.[1];
    if (monitor === undefined) return undefined;
    const left = request.query.filter(([name]) => name !== 'llmMonitorId');
    const { body } = nights.rig.simulator.answer(request.path, left, request);
    return { status: 200, body: ofDays(body, (day) => day < '2026-06-20' === (monitor === first?.id)) };
  });
  expect(await nights.night(NIGHT, SCOPED)).toMatchObject({ exit_code: 0, failures: [] });
  expect(requestsOf(nights)).toBe(usual);
  expect(
    await nights.rows(
      `select count(distinct scope_id) as monitors, count(distinct date) as days from core.visibility
       where scope = 'monitor' and grain = 'day' and visibility is not null`,
    ),
  ).toEqual([{ monitors: 2, days: 44 }]);
});

it('two monitors that equal their project are stored after one question about a third one', async () => {
  const usual = await usualRequests(SCOPED, FINER);
  await using nights = await openNights(FINER);
  const { monitors } = nights.rig.simulator.world.projects[0] ?? { monitors: [] };
  nights.answer('/v1/visibility-time-series', (request) => {
    const monitor = request.query.find(([name]) => name === 'llmMonitorId')?.[1];
    const left = request.query.filter(([name]) => name !== 'llmMonitorId');
    return monitors.some(({ id }) => id === monitor)
      ? nights.rig.simulator.answer(request.path, left, request)
      : undefined;
  });
  expect(await nights.night(NIGHT, SCOPED)).toMatchObject({ exit_code: 0, failures: [] });
  expect(requestsOf(nights)).toBe(usual + 1);
  expect(await probes(nights)).toEqual([
    { endpoint: 'visibility', parameter: 'llmMonitorId', verdict: 'good', asked_on: NIGHT },
  ]);
  expect(
    await nights.rows(
      "select scope_id, count(*) as n from core.visibility where scope = 'monitor' group by all",
    ),
  ).toHaveLength(monitors.length);
  expect(await nights.night('2026-07-15', SCOPED)).toMatchObject({ exit_code: 0 });
  expect(await probes(nights)).toHaveLength(1);
});

it('days of which each third has a row are stored after one question about a day between them', async () => {
  const request = { endpoints: ['visibility'] };
  const usual = await usualRequests(request, PROJECT_ONLY);
  await using nights = await openNights(PROJECT_ONLY);
  nights.alter('/v1/visibility-time-series', (body, { range }) =>
    range === 'day' ? ofDays(body, isThird) : undefined,
  );
  expect(await nights.night(NIGHT, request)).toMatchObject({ exit_code: 0, failures: [] });
  expect(requestsOf(nights)).toBe(usual + 1);
  expect(await probes(nights)).toMatchObject([{ parameter: 'max_window_days', verdict: 'good' }]);
  expect(await dailyRows(nights)).toBe(8);
});

it('a server that answers in steps is found out, and the message names max_window_days', async () => {
  await using nights = await openNights(PROJECT_ONLY);
  const request = { endpoints: ['visibility'] };
  nights.alter('/v1/visibility-time-series', (body, { range, startDate, endDate }) =>
    range === 'day' && startDate !== endDate ? ofDays(body, isThird) : undefined,
  );
  const night = await nights.night(NIGHT, request);
  expect(night).toMatchObject({ exit_code: 3, failures: [{ class: 'contract' }] });
  expect(night.failures[0]?.message).toContain('max_window_days');
  expect(await dailyRows(nights)).toBe(0);
});

it('two equal months are stored after one question about a day to come', async () => {
  const options = { ...DEMO, startDate: '2026-04-01' } as const;
  const request = { endpoints: ['response_summary'], projects: ['one'] };
  await using nights = await openNights(options);
  request.projects = projectsOf(nights, 1);
  const usual = await usualRequests(request, options);
  const bodies: unknown[] = [];
  nights.alter('/responses/summary', (body, { startDate, endDate }) => {
    if (startDate === endDate || (endDate ?? '') > '2026-06-30') return undefined;
    bodies.push(body);
    return bodies[0];
  });
  expect(await nights.night(NIGHT, request)).toMatchObject({ exit_code: 0, failures: [] });
  expect(requestsOf(nights)).toBe(usual + 1);
  expect(await probes(nights)).toMatchObject([{ parameter: 'startDate and endDate', verdict: 'good' }]);
  expect(
    await nights.rows("select count(*) as n from core.response_summary where window_kind = 'month'"),
  ).toEqual([{ n: 4 }]);
});

it('without an answer to the question nothing is stored, and the next night asks again', async () => {
  await using nights = await openNights(DEMO);
  const projects = projectsOf(nights, 2);
  const request = { endpoints: ['response_sentiment', 'events'], projects };
  const path = '/responses/sentiment-time-series';
  const answered = (id: string | undefined): Partial<Answer> | undefined =>
    id !== undefined && projects.includes(id) ? undefined : { status: 503, body: { error: 'busy' } };
  nights.answer(path, (asked) =>
    asked.projectId === projects[1]
      ? nights.rig.simulator.answer(asked.path, asked.query, { ...asked, projectId: projects[0] })
      : answered(asked.projectId),
  );
  const night = await nights.night(NIGHT, request);
  expect(night.failures.map(({ class: found }) => found)).toEqual(night.failures.map(() => 'transient'));
  expect(night.failures).toHaveLength(2);
  expect(await probes(nights)).toEqual([]);
  expect(await nights.rows('select * from core.response_sentiment')).toEqual([]);
  nights.repair();
  expect(await nights.night('2026-07-15', request)).toMatchObject({ exit_code: 0, failures: [] });
  await nights.expectTruth(['response_sentiment'], request);
});

it('a replay refuses what a question showed to be wrong, and asks nothing', async () => {
  await using nights = await openNights(PROJECT_ONLY);
  const request = { endpoints: ['visibility', 'sentiment'] };
  nights.alter('/v1/visibility-time-series', (body, { range, startDate, endDate }) =>
    range === 'day' && startDate !== endDate ? ofDays(body, isThird) : undefined,
  );
  await nights.night(NIGHT, request);
  const slices = 'select endpoint, grain, status, error_message from meta.slices order by all';
  const before = await nights.rows(slices);
  const requests = requestsOf(nights);
  await replayArchive(nights.rig.context, false);
  expect(await nights.rows(slices)).toEqual(before);
  expect(requestsOf(nights)).toBe(requests);
  expect(before.filter(({ status }) => status === 'failed')).toHaveLength(1);
});

const isThird = (day: string): boolean => dayNumber(toDay(day)) % 3 === 0;

async function dailyRows(nights: Nights): Promise<unknown> {
  const [row] = await nights.rows("select count(*) as n from core.visibility where grain = 'day'");
  return row?.['n'];
}

/** The days of a series of points that pass. */
function ofDays(body: unknown, isKept: (day: string) => boolean): unknown {
  if (Array.isArray(body)) return body.filter((item) => ofDay(item, isKept));
  if (!isObject(body)) return body;
  const dates: unknown = body['dates'];
  if (!Array.isArray(dates))
    return Object.fromEntries(Object.entries(body).map(([k, v]) => [k, ofDays(v, isKept)]));
  const kept = dates.map((date) => isKept(String(date).slice(0, 10)));
  return Object.fromEntries(
    Object.entries(body).map(([name, list]) => [
      name,
      Array.isArray(list) && list.length === dates.length ? list.filter((_, index) => kept[index]) : list,
    ]),
  );
}

function ofDay(item: unknown, isKept: (day: string) => boolean): boolean {
  return !isObject(item) || typeof item['date'] !== 'string' || isKept(item['date'].slice(0, 10));
}
