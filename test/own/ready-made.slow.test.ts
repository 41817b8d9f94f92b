import { cpSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { ListEntry } from '../../simulator/route.ts';
import { addDays, toDay } from '../../src/day.ts';
import { openSmallWorld } from '../cli/small-world.ts';
import { rowsOfFile } from '../support/file-reader.ts';

const NAMES = readdirSync('config/own').flatMap((file) =>
  file.endsWith('.yaml') ? [file.slice(0, -5)] : [],
);
const PROJECT = 'hostile:project/1';
const FIRST = toDay('2025-02-10');

it('the nine ready-made endpoints hold what the server lists after nights with late, restated and hidden answers', async () => {
  const { simulator, run, folder } = await openSmallWorld({
    world: 'hostile',
    startDate: '2025-02-03',
    account: `, projects: ['${PROJECT}']`,
  });
  cpSync('config/own/views', join(folder, 'views'), { recursive: true });
  mkdirSync(join(folder, 'endpoints'));
  for (const name of NAMES)
    cpSync(join('config/own', `${name}.yaml`), join(folder, 'endpoints', `${name}.yaml`));
  const endpoints = ['prompts', ...NAMES].join(',');
  const night = async (index: number): Promise<void> => {
    const day = addDays(FIRST, index);
    simulator.setToday(day);
    const { code, stderr } = await run(['sync', '--today', day, '--endpoint', endpoints]);
    expect([code, stderr.includes('error')], stderr).toEqual([0, false]);
  };
  const listed = (path: string, query = {}): readonly ListEntry[] => simulator.listed(path, PROJECT, query);
  const days = { from: '2025-02-03T00:00:00.000Z', until: `${addDays(FIRST, 3)}T23:59:59.999Z` };
  await night(0);
  const hidden = listed('/api/v2/responses', days)
    .slice(0, 5)
    .map(({ id }) => String(id));
  simulator.setHidden(hidden, true);
  simulator.restate({ project: PROJECT, days: toDay('2025-02-08'), by: 0.5 });
  await night(1);
  await night(2);
  await night(3);

  const path = join(folder, 'data', 'answers.duckdb');
  const rows = async (sql: string): Promise<Record<string, unknown>[]> => await rowsOfFile(path, sql);
  const answers = listed('/api/v2/responses', days);
  const fields = ['id', 'mentionedOurBrand', 'sentiment', 'citationCount'];
  const truth = answers.map((one) => fields.map((name) => one[name]));
  const stored = await rows(
    "select id, mentioned_own_brand, sentiment, citations_count from own.responses where removed_at is null and date >= '2025-02-03'",
  );
  const inOrder = (list: readonly unknown[]): string[] => list.map((one) => JSON.stringify(one)).toSorted();
  expect(inOrder(stored.map((row) => Object.values(row)))).toEqual(inOrder(truth));
  const removed = await rows('select id from own.responses where removed_at is not null');
  expect(inOrder(removed.map(({ id }) => id))).toEqual(inOrder(hidden));
  const whole = answers.filter(({ citations, citationCount }) => (citations as []).length === citationCount);
  const cited = whole.flatMap(({ id, citations }) =>
    (citations as { url: string; rank: number | null }[]).map(({ url, rank }, at) => [id, at + 1, url, rank]),
  );
  const parts = await rows(
    "select c.id, c.position, c.url, c.rank from own.responses_citations c join own.responses r using (project_id, id) where not r.citations_is_cut_off and r.removed_at is null and r.date >= '2025-02-03'",
  );
  expect(inOrder(parts.map((row) => Object.values(row)))).toEqual(inOrder(cited));
  const closed = { startDate: '2025-02-03', endDate: '2025-02-12' };
  const inClosed = "date between '2025-02-03' and '2025-02-12'";
  const sum = (list: readonly ListEntry[], name: string): number =>
    list.reduce((total, one) => total + Number(one[name]), 0);
  const statuses = { status: ['suggested', 'dismissed', 'todo', 'in_progress', 'done'] };
  for (const [table, path, query] of [
    ['markets', 'monitors', {}],
    ['topics', 'topics', {}],
    ['tags', 'tags', {}],
    ['personas', 'personas', {}],
    ['actions', 'actions', statuses],
  ] as const)
    expect(await rows(`select count(*) as n from own.${table} where removed_at is null`), table).toEqual([
      { n: listed(`/api/v2/${path}`, query).length },
    ]);
  const mentions = listed('/api/v1/responses/mentions-time-series', closed);
  expect(
    await rows(
      `select sum(brand_mentions) as own, sum(competitor_mentions) as others from own.mentions where scope = 'project' and ${inClosed}`,
    ),
  ).toEqual([{ own: sum(mentions, 'brandMentions'), others: sum(mentions, 'competitorMentions') }]);
  const byPrompt = listed('/api/v2/prompt-visibility-time-series', { ...closed, limit: 5000 });
  expect(
    await rows(
      `select count(*) as n, sum(total_responses) as answers from own.prompt_visibility where ${inClosed}`,
    ),
  ).toEqual([{ n: byPrompt.length, answers: sum(byPrompt, 'totalResponses') }]);
  const window = { startDate: '2025-02-01', endDate: addDays(FIRST, 3), limit: 100 };
  const pages = listed('/api/v1/citations/top-pages', window);
  expect(
    await rows(
      "select count(*) as n, sum(citations) as c from own.cited_pages where window_kind = 'month' and window_start = '2025-02-01'",
    ),
  ).toEqual([{ n: pages.length, c: sum(pages, 'count') }]);
  const [answer = {}] = await rows('select * from own.answers limit 1');
  const columns =
    'project_name date created_at prompt prompt_type intent monitor_name model mentioned_own_brand brands_named sentiment visibility_score sentiment_score citations_count cites_own_domain is_removed';
  expect(Object.keys(answer)).toEqual(expect.arrayContaining(columns.split(' ')));
  const views = await rows(
    'select (select count(*) from own.answers) = (select count(*) from own.responses) as a, (select count(*) from own.prompt_precision) > 0 as p, (select count(*) from own.cited_urls_by_prompt) > 0 as c, (select count(*) from own.visibility_precision) > 0 as v',
  );
  expect(views).toEqual([{ a: true, p: true, c: true, v: true }]);
});
