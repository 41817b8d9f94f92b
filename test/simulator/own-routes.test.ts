import { afterAll, beforeAll, expect, it } from 'vitest';
import { toDay } from '../../src/day.ts';
import type { ListEntry } from '../../simulator/route.ts';
import type { Simulator } from '../../simulator/simulator.ts';
import { get, start, truth, who } from './ask.ts';

const DAYS = { startDate: '2025-09-22', endDate: '2025-09-28' };
const INSTANTS = { from: '2025-09-22T00:00:00.000Z', until: '2025-09-28T23:59:59.999Z' };

const count = (list: readonly ListEntry[], of: (one: ListEntry) => unknown): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const one of list) counts[String(of(one))] = (counts[String(of(one))] ?? 0) + 1;
  return counts;
};

const listed = (simulator: Simulator, path: string, query = {}): readonly ListEntry[] =>
  simulator.listed(path, who(simulator).projectId, query);

it.each(['small', 'hostile'] as const)(
  'the answers of the world %s add up to every other figure of their days',
  async (world) => {
    await using simulator = await start({ world });
    const answers = listed(simulator, '/api/v2/responses', INSTANTS);
    type Summary = Record<'totalResponses' | 'totalBrandMentions', number>;
    const summary = truth<Summary>(simulator, '/api/v1/responses/summary', DAYS);
    expect(answers.length).toBeGreaterThan(100);
    expect(new Set(answers.map(({ id }) => id)).size).toBe(answers.length);
    expect(count(answers, ({ mentionedOurBrand: isNamed }) => isNamed)).toEqual({
      true: summary.totalBrandMentions,
      false: summary.totalResponses - summary.totalBrandMentions,
    });
    type Mood = { sentiment: string; count: number };
    const moods = truth<Mood[]>(simulator, '/api/v1/responses/sentiment-distribution', DAYS);
    const { null: _none, ...bySentiment } = count(answers, ({ sentiment }) => sentiment);
    expect(bySentiment).toEqual(
      Object.fromEntries(moods.map(({ sentiment, count: many }) => [sentiment, many])),
    );
    type Cited = { totalCitations: number };
    const { totalCitations } = truth<Cited>(simulator, '/api/v1/citations/domains-over-time', DAYS);
    expect(answers.reduce((sum, { citationCount }) => sum + Number(citationCount), 0)).toBe(totalCitations);
    const cut = answers.filter(({ citations, citationCount }) => (citations as []).length !== citationCount);
    expect(cut.length > 0).toBe(world === 'hostile');
    const series = listed(simulator, '/api/v2/prompt-visibility-time-series', { ...DAYS, limit: 5000 });
    expect(series.reduce((sum, { totalResponses }) => sum + Number(totalResponses), 0)).toBe(answers.length);
    const mentions = listed(simulator, '/api/v1/responses/mentions-time-series', DAYS);
    expect(mentions.reduce((sum, { brandMentions }) => sum + Number(brandMentions), 0)).toBe(
      summary.totalBrandMentions,
    );
    expect(mentions.reduce((sum, { competitorMentions }) => sum + Number(competitorMentions), 0)).toBe(
      answers.reduce((sum, { competitorMentions }) => sum + (competitorMentions as []).length, 0),
    );
    if (world === 'hostile') return;
    const pages = listed(simulator, '/api/v1/citations/top-pages', { ...DAYS, limit: 100 });
    const cited = answers.flatMap(({ citations }) => citations as { url: string }[]);
    expect(Object.fromEntries(pages.map(({ url, count: many }) => [url, many]))).toEqual(
      count(cited as unknown as ListEntry[], ({ url }) => url),
    );
  },
);

it('the pages of the answers are the whole list, each answer once, and midnight belongs to its day', async () => {
  await using simulator = await start();
  const query = { ...INSTANTS, size: '100', sortBy: 'createdAt', sortOrder: 'asc' };
  interface Page {
    responses: { id: string; createdAt: string }[];
    totalPages: number;
    total: number;
  }
  const first = truth<Page>(simulator, '/api/v2/responses', query);
  const pages = Array.from({ length: first.totalPages }, (_, index) =>
    truth<Page>(simulator, '/api/v2/responses', { ...query, page: String(index + 1) }),
  );
  const all = pages.flatMap(({ responses }) => responses);
  expect(all.map(({ id }) => id)).toEqual(
    listed(simulator, '/api/v2/responses', { ...INSTANTS, sortOrder: 'asc' }).map(({ id }) => id),
  );
  expect(all).toHaveLength(first.total);
  expect(all.map(({ createdAt }) => createdAt)).toEqual(all.map(({ createdAt }) => createdAt).toSorted());
  expect(all.filter(({ createdAt }) => createdAt.endsWith('T00:00:00.000Z')).length).toBeGreaterThan(0);
  expect(all.filter(({ createdAt }) => createdAt.endsWith('T23:59:59.999Z')).length).toBeGreaterThan(0);
});

it('an answer is made once, however many pages and lists show it', async () => {
  await using simulator = await start();
  const week = new Set(listed(simulator, '/api/v2/responses', INSTANTS));
  const named = listed(simulator, '/api/v2/responses', { from: INSTANTS.from, mentionedOurBrand: true });
  const inWeek = named.filter(({ createdAt }) => String(createdAt) <= INSTANTS.until);
  expect(inWeek.length).toBeGreaterThan(10);
  expect(inWeek.filter((answer) => !week.has(answer))).toEqual([]);
});

it('answers come late, are restated and hidden, and keep their ids', async () => {
  await using simulator = await start({ world: 'hostile' });
  const { projectId } = who(simulator);
  const day = toDay('2025-09-30');
  const ofDay = { from: `${day}T00:00:00.000Z`, until: `${day}T23:59:59.999Z` };
  const idsOf = (): Set<unknown> =>
    new Set(listed(simulator, '/api/v2/responses', ofDay).map(({ id }) => id));
  const early = idsOf();
  simulator.setToday(toDay('2025-10-04'));
  const late = idsOf();
  expect(late.size).toBeGreaterThan(early.size);
  expect([...early].filter((id) => !late.has(id))).toEqual([]);
  const named = (): number =>
    listed(simulator, '/api/v2/responses', { ...ofDay, mentionedOurBrand: true }).length;
  const before = named();
  simulator.restate({ project: projectId, endpoint: 'responses', days: day, by: 0.5 });
  expect(named()).toBeGreaterThan(before);
  expect(idsOf()).toEqual(late);
  const [one] = late;
  simulator.setHidden([String(one)], true);
  expect(idsOf().size).toBe(late.size - 1);
  simulator.setHidden([String(one)], false);
  expect(idsOf()).toEqual(late);
});

it('topics count the listed prompts that bear them; monitors have market and models; personas have no prompts', async () => {
  await using simulator = await start();
  const topics = truth<{ topics: { id: string; promptCount: number }[] }>(simulator, '/api/v2/topics').topics;
  expect(topics.length).toBeGreaterThan(1);
  for (const { id, promptCount } of topics)
    expect(truth(simulator, '/api/v2/prompts', { topicIds: id })).toMatchObject({ total: promptCount });
  expect(truth<{ tags: unknown[] }>(simulator, '/api/v2/tags').tags.length).toBeGreaterThan(0);
  expect(truth<{ personas: unknown[] }>(simulator, '/api/v2/personas').personas).toHaveLength(2);
  const [monitor] = truth<{ models: string[] }[]>(simulator, '/api/v2/monitors');
  expect(monitor).toMatchObject({ active: true, countryCode: 'US' });
  expect(monitor?.models[0]).not.toContain('_');
  const unknown = await get(simulator, '/api/v2/monitors/none');
  expect([unknown.status, await unknown.json()]).toMatchObject([404, { code: 'MONITOR_NOT_FOUND' }]);
});

it('dismissed actions come only where they are asked for, back to startDate', async () => {
  await using simulator = await start();
  const statuses = (query = {}): Record<string, number> =>
    count(listed(simulator, '/api/v2/actions', query), ({ status }) => status);
  const live = Object.keys(statuses());
  expect(live).toEqual(expect.arrayContaining(['done', 'in_progress']));
  expect(live).not.toContain('dismissed');
  const recent = statuses({ status: 'dismissed' })['dismissed'] ?? 0;
  const all = statuses({ status: 'dismissed', startDate: '2025-01-01' })['dismissed'] ?? 0;
  expect(all).toBeGreaterThan(recent);
  expect((await get(simulator, '/api/v2/actions?startDate=2025-01-01')).status).toBe(400);
});

let refusing: Simulator;
beforeAll(async () => {
  refusing = await start();
});
afterAll(() => refusing.close());

it.each([
  ['v2/responses?from=2025-09-01', 'from'],
  ['v2/responses?size=101', 'size'],
  ['v2/responses?models[]=x', 'models[]'],
  ['v2/topics?page=1', 'page'],
  ['v2/actions?status=DONE', 'status'],
  ['v1/citations/top-pages?limit=101', 'limit'],
  ['v2/prompt-visibility-time-series?startDate=2025-01-01&endDate=2025-09-01', 'too large'],
])('%s is refused because of %s', async (path, words) => {
  const answer = await get(refusing, `/api/${path}`);
  expect(answer.status).toBe(400);
  expect(JSON.stringify(await answer.json())).toContain(words);
});
