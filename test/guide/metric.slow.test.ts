import { expect, it } from 'vitest';
import { GOVERNED } from '../../src/guide/governed.ts';
import { answerMetric, type MetricRequest } from '../../src/guide/metric.ts';
import { tellMetric, tellQuery } from '../../src/guide/tools.ts';
import { openDemoWorld } from '../bi/demo-world.ts';

const { file, rows: rowsOf, id } = await openDemoWorld();
const JUNE = { from: '2026-06-01', to: '2026-06-30', project: id };

/** The rows of an answer, numbers as numbers. */
async function ask(request: MetricRequest): Promise<Record<string, string | number | null>[]> {
  const { result } = await answerMetric(file, request);
  return result.rows.map((row) =>
    Object.fromEntries(
      row.map(({ text }, index) => {
        const { name = '', kind } = result.columns[index] ?? {};
        const isText = kind === 'text' || kind === 'day';
        return [name, text === null || isText ? text : Number(text)];
      }),
    ),
  );
}

const ofJune = `project_id = '${id}' and grain = 'day' and scope = 'project' and date between '2026-06-01' and '2026-06-30'`;
const brands = `core.brand_visibility v join core.brands b using (project_id, brand_id) where ${ofJune}`;

/** The value and n of each figure, computed from core in another way. */
const FROM_CORE = {
  visibility: `avg(visibility), count(visibility) from core.visibility where ${ofJune}`,
  sentiment: `avg(sentiment), count(sentiment) from core.sentiment where ${ofJune}`,
  share_of_voice_pct: `100.0 * sum(brand_mentions) / sum(total_responses), sum(total_responses) from core.share_of_voice where ${ofJune}`,
  organic_responses: `sum(total_responses), count(*) from core.share_of_voice where ${ofJune}`,
  organic_brand_mentions: `sum(brand_mentions), count(*) from core.share_of_voice where ${ofJune}`,
  net_sentiment_known_pct: `100.0 * (sum(positive) - sum(negative)) / sum(positive + negative + neutral), sum(positive + negative + neutral) from core.response_sentiment where ${ofJune}`,
  citations: `sum(total_citations), count(*) from core.citation_ranks where ${ofJune}`,
  average_citation_rank: `sum(average_rank * citations_with_rank) / sum(citations_with_rank), sum(citations_with_rank) from core.citation_ranks where ${ofJune}`,
  crawler_requests: `sum(requests), count(distinct date) from core.crawler_requests where ${ofJune}`,
  ai_visits: `sum(visits), count(distinct date) from core.visitor_visits where ${ofJune}`,
  own_visibility_pct: `sum(visibility_percentage * total_responses) / sum(total_responses), sum(total_responses) from ${brands} and relation = 'SELF'`,
  brand_mention_share_pct: `100.0 * sum(mention_count) filter (where relation = 'SELF') / sum(mention_count), sum(mention_count) from ${brands} and relation <> 'IGNORED'`,
  all_responses: `sum(positive + negative + neutral + unknown), count(*) from core.response_sentiment where ${ofJune}`,
  positive_answers: `sum(positive), count(*) from core.response_sentiment where ${ofJune}`,
  negative_answers: `sum(negative), count(*) from core.response_sentiment where ${ofJune}`,
  neutral_answers: `sum(neutral), count(*) from core.response_sentiment where ${ofJune}`,
  answers_naming_brand: `sum(mention_count), count(*) from ${brands} and relation = 'SELF'`,
  own_citations: `sum(citations), count(distinct date) from core.domain_citations c where ${ofJune} and exists (select 1 from core.brands b where b.project_id = c.project_id and b.relation = 'SELF' and (c.domain = b.domain or c.domain like '%.' || b.domain))`,
  actions_completed: `count(*), 30 as n from core.events where project_id = '${id}' and type = 'action' and date between '2026-06-01' and '2026-06-30'`,
};

it.each(Object.entries(FROM_CORE))(
  'the governed figure %s of a month equals the same from core',
  async (name, sql) => {
    const [expected = {}] = await rowsOf(`select ${sql}`);
    const [value, n] = Object.values(expected).map(Number);
    const [row, ...others] = await ask({ name, ...JUNE });
    expect(others).toEqual([]);
    expect(row?.['value']).toBeCloseTo(value ?? Number.NaN, 3);
    expect(row).toMatchObject({ n, days_asked: 30, days_with_figure: 30, days_that_may_change: 0 });
    const [low, own, high] = [row?.['low'] ?? null, Number(row?.['value']), row?.['high'] ?? null];
    expect(low === null ? high === null : Number(low) < own && own < Number(high)).toBe(true);
  },
);

it('the test of governed figures leaves none out', () => {
  expect(GOVERNED.map(({ name }) => name).toSorted()).toEqual(Object.keys(FROM_CORE).toSorted());
});

it('the interval of a share is that of Wilson, and a sum has none', async () => {
  const [share] = await ask({ name: 'share_of_voice_pct', ...JUNE });
  const p = Number(share?.['value']) / 100;
  const n = Number(share?.['n']);
  const middle = (p + 1.9208 / n) / (1 + 3.8416 / n);
  const half = (1.96 * Math.sqrt((p * (1 - p)) / n + 0.9604 / n / n)) / (1 + 3.8416 / n);
  expect(share?.['low']).toBeCloseTo(100 * (middle - half), 2);
  expect(share?.['high']).toBeCloseTo(100 * (middle + half), 2);
  expect((await ask({ name: 'citations', ...JUNE }))[0]).toMatchObject({ low: null, high: null });
});

it('months, days, models and brands have rows of their own, and the models add up to the project', async () => {
  const months = await ask({ name: 'citations', project: id, by: 'month', from: '2026-06-15' });
  expect(months).toMatchObject([
    { month: '2026-06-01', days_with_figure: 16, days_asked: 16, days_that_may_change: 0 },
    { month: '2026-07-01', days_with_figure: 13, days_asked: 13, days_that_may_change: 6 },
  ]);
  const two = { from: '2026-07-12', to: '2026-07-13' };
  const days = await ask({ name: 'visibility', project: id, by: 'day', ...two });
  expect(days.map((row) => row['day'])).toEqual(['2026-07-12', '2026-07-13']);
  const models = await ask({ name: 'organic_responses', by: 'model', ...JUNE });
  const [all] = await ask({ name: 'organic_responses', ...JUNE });
  expect(models.reduce((sum, row) => sum + Number(row['value']), 0)).toBe(all?.['value']);
  const brands = await ask({ name: 'brand_mention_share_pct', by: 'brand', ...JUNE });
  expect(brands.reduce((sum, row) => sum + Number(row['value']), 0)).toBeCloseTo(100, 2);
});

it('without a project each has a row, and none is added to another', async () => {
  const rows = await ask({ name: 'visibility', from: JUNE.from, to: JUNE.to });
  const projects = await rowsOf(
    `select count(distinct project_id) as n from core.visibility where scope = 'project'`,
  );
  expect(rows).toHaveLength(Number(projects[0]?.['n']));
});

it('days that are not over or not stored are left out of the range, and said to be', async () => {
  const { from, to, warnings, notes } = await answerMetric(file, {
    name: 'citations',
    project: id,
    from: '2026-01-01',
    to: '2026-12-31',
  });
  expect([from, to]).toEqual(['2026-05-01', '2026-07-13']);
  expect(warnings).toEqual([
    'Days after 2026-07-13, the newest whole day, are left out.',
    'Days before 2026-05-01, the first stored day, are left out.',
  ]);
  expect(notes).toContain('The figure: some days may still change (days_that_may_change).');
});

it('without days, a figure is of final days in whole periods', async () => {
  const usual = async (by?: 'week' | 'month') => {
    const { from, to, warnings, notes } = await answerMetric(file, { name: 'ai_visits', project: id, by });
    return [from, to, warnings, notes];
  };
  expect(await usual()).toEqual(['2026-06-10', '2026-07-07', [], []]);
  expect(await usual('week')).toEqual(['2026-06-08', '2026-07-05', [], []]);
  expect(await usual('month')).toEqual(['2026-05-01', '2026-06-30', [], []]);
});

it('weeks that the days cut, and assistants of several models, are warned of', async () => {
  const weeks = await answerMetric(file, { name: 'citations', by: 'week', ...JUNE });
  expect(weeks.warnings).toEqual(['The period that begins on 2026-06-29 has days up to 2026-06-30 only.']);
  const models = await answerMetric(file, { name: 'visibility', by: 'model', ...JUNE });
  const [several] = models.warnings;
  expect(several ?? 'none').toMatch(/^none$|^\w+ comprises several of these models \(.*, .*\)/);
});

it('weeks, sources and all projects as one are sums of the days, crawlers and projects', async () => {
  const sum = (rows: readonly Record<string, unknown>[]): number =>
    rows.reduce((all, row) => all + Number(row['value']), 0);
  const [june] = await ask({ name: 'crawler_requests', ...JUNE });
  const weeks = await ask({ name: 'crawler_requests', by: 'week', ...JUNE });
  expect(weeks[0]).toMatchObject({ week: '2026-06-01', days_asked: 7 });
  expect(weeks.at(-1)).toMatchObject({ week: '2026-06-29', days_asked: 2 });
  expect(sum(weeks)).toBe(june?.['value']);
  const sources = await ask({ name: 'crawler_requests', by: 'source', ...JUNE });
  expect(sources.length).toBeGreaterThan(1);
  expect(sum(sources)).toBe(june?.['value']);
  const { from, to } = JUNE;
  const one = await ask({ name: 'citations', asOne: true, from, to });
  expect(one).toMatchObject([{ project_name: 'All projects' }]);
  expect(sum(one)).toBe(sum(await ask({ name: 'citations', from, to })));
});

it('the SQL of an answer can be run, and gives the same rows', async () => {
  for (const { name, parts } of GOVERNED) {
    const by = parts.model === undefined ? (parts.brand === undefined ? undefined : 'brand') : 'model';
    const { sql, result } = await answerMetric(file, { name, by, ...JUNE });
    expect((await file.query(sql)).rows).toEqual(result.rows);
  }
});

it.each<[string, MetricRequest]>([
  ['There is no figure visiblity: did you mean visibility?', { name: 'visiblity' }],
  ['The published file has no project "Nike". It has:', { name: 'visibility', project: 'Nike' }],
  ['visibility cannot be split by brand, only by day, week,', { name: 'visibility', by: 'brand' }],
  ['from: 2026-13-01 is not a calendar day', { name: 'visibility', from: '2026-13-01' }],
  ['no figures from 2027-01-01 to 2027-02-01', { name: 'visibility', from: '2027-01-01', to: '2027-02-01' }],
  ['(2026-06-02) is after to (2026-06-01)', { name: 'visibility', from: '2026-06-02', to: '2026-06-01' }],
])('a question that cannot be answered says what can be asked: %s', async (words, request) => {
  await expect(tellMetric(file, request)).rejects.toThrow(words);
});

it('nothing like a pattern is answered with the values that there are; a pattern that some value has is not blamed', async () => {
  const sql = (pattern: string): string =>
    `select * from model_kpis where model_name ilike '${pattern}' and date = '2026-06-01' and organic_responses < 0`;
  expect(await tellQuery(file, sql('bard%'))).toMatch(
    /model_kpis\.model_name is never 'bard%'; it is one of: .*GPT/,
  );
  expect(await tellQuery(file, sql('%GPT%'))).not.toContain('is never');
});
