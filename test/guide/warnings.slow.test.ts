import { copyFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { compareMetric } from '../../src/guide/compare.ts';
import { openPublishedFile } from '../../src/publish/published-file.ts';
import { readAge } from '../../src/warehouse/freshness.ts';
import { changeFile } from '../support/file-reader.ts';
import { Scratch } from '../support/folder.ts';
import { readExamples } from '../../src/guide/examples.ts';
import { explainResult, tellMetric } from '../../src/guide/tools.ts';
import { openDemoWorld } from '../bi/demo-world.ts';

const demo = await openDemoWorld();
const { file } = demo;

/** A copy of the demo world in which `sql` changed something. */
async function changedDemo(scratch: Scratch, sql: string) {
  const path = scratch.path('changed.duckdb');
  copyFileSync(demo.path, path);
  await changeFile(path, sql);
  return await openPublishedFile(path);
}

const warningsOf = async (sql: string): Promise<readonly string[]> => {
  await file.query(sql);
  return (await explainResult(file, sql, false)).warnings;
};
const whyEmpty = async (sql: string): Promise<string> =>
  (await explainResult(file, sql, true)).why.join('\n');

it('no shipped example is warned of', async () => {
  for (const { name, sql } of readExamples()) expect([name, await warningsOf(sql)]).toEqual([name, []]);
});

const SOV = 'detail.share_of_voice_trend';
const PINNED = `scope = 'project' and grain = 'day' and is_whole_day`;

/** Statements that are warned of, each after its name and words of its warning. */
const WARNED: Readonly<Record<string, string>> = {
  'a sum over scopes → every scope': `select sum(organic_responses) from ${SOV} where grain = 'day' and is_whole_day`,
  'a count over scopes → every scope':
    'select count(*) from detail.visibility_with_events where visibility > 50',
  'several scopes in an IN → every scope': `select sum(organic_responses) from ${SOV} where scope in ('model', 'monitor') and grain = 'day' and is_whole_day`,
  'a mixture behind a CTE → every scope': `with s as (select * from ${SOV} where is_whole_day) select date, sum(organic_responses) as n from s where grain = 'day' group by date`,
  'a mixture behind a subquery → every scope': `select max(n) from (select date, sum(organic_responses) as n from ${SOV} where ${PINNED.replace("scope = 'project' and ", '')} group by 1)`,
  'a mixture in a window function → every scope': `select date, scope, grain, sum(organic_responses) over (order by date) from ${SOV} where is_whole_day`,
  'rows of a table of core → every scope':
    'select date, sum(total_responses) from core.share_of_voice group by 1',
  'a sum over grains → every grain': `select sum(organic_responses) from ${SOV} where scope = 'project' and is_whole_day`,
  'a sum over the running day → is_whole_day': `select sum(organic_responses) from ${SOV} where scope = 'project' and grain = 'day'`,
  'windows of several kinds → every window_kind': `select domain, sum(citations_count) from detail.cited_domains where scope = 'project' and is_whole_window group by 1`,
  'rows of scopes that are not shown → mix every scope': `select date, share_of_voice_pct from ${SOV} where grain = 'day' and is_whole_day`,
  'a mean of changes → every measure': `select avg(change) from kpi_changes where window_days = 28`,
  'all projects beside single ones → every project_id': `select sum(actions_count) from action_type_impact where measure = 'visibility'`,
  'a mean of shares after a cast → compute from the counts': `select project_name, avg(share_of_voice_pct::double) from daily_kpis group by all`,
  'a sum of a mean → Do not sum or average': 'select sum(average_citation_rank) from daily_kpis',
  'a median of scores by model → Do not sum or average':
    'select model_name, median(visibility) from model_kpis group by 1',
  'a mean of a score with a value for NULL → Do not sum or average':
    'select project_name, avg(coalesce(visibility, 0)) from daily_kpis group by 1',
  'a mean of the score of some rows → Do not sum or average':
    'select avg(case when is_own_brand then mention_share_pct end) from brand_mention_share',
  'a mean of quotients → a mean of quotients':
    'select avg(100.0 * organic_brand_mentions / organic_responses) from daily_kpis',
  'a day before that is of another project → goes from one project_id to another':
    'select date, visibility - lag(visibility) over (order by date) from daily_kpis',
  'a mean of changes after actions → action_type_impact pools effects':
    'select action_type, avg(visibility_change) from action_impact group by 1',
  'a sum of running totals → new_responses_count adds up': 'select sum(responses_count) from prompt_trend',
  'days before the first → Days before 2026-05-01': `select sum(citations_count) from daily_kpis where date >= '2026-01-01'`,
  'a sum by month that ends with the running month → The period that begins on 2026-07-01 has days up to 2026-07-13 only': `select date_trunc('month', date) as month, sum(citations_count) from daily_kpis group by 1`,
  'a sum by month of the calendar → The period that begins on 2026-07-01 has days up to 2026-07-13 only':
    'select c.month_start, sum(k.ai_visits_count) from daily_kpis k join calendar c using (date) group by 1',
  'a sum over the running month of the calendar → The period that begins on 2026-07-01 has days up to 2026-07-13 only': `select sum(k.ai_visits_count) from daily_kpis k join calendar c using (date) where c.month_start = date '2026-07-01'`,
  'a sum over the running month by its year and number → The period that begins on 2026-07-01 has days up to 2026-07-13 only': `select sum(k.ai_visits_count) from daily_kpis k join calendar c on c.date = k.date where c.year = 2026 and c.month = 7`,
  'a count by a month as text → The period that begins on 2026-07-01 has days up to 2026-07-13 only': `select strftime(date, '%Y-%m') as month, count(*) from daily_kpis where visibility > 10 group by month`,
  'a sum by ISO week, behind a CTE → The period that begins on 2026-07-13 has days up to 2026-07-13 only':
    'with d as (select c.iso_year, c.iso_week, k.ai_visits_count from daily_kpis k join calendar c on c.date = k.date) select iso_year, iso_week, sum(ai_visits_count) from d group by 1, 2',
  'a range that cuts its only month at both ends → The period that begins on 2026-06-01 has days from 2026-06-03 up to 2026-06-20 only': `select date_trunc('month', date), sum(citations_count) from daily_kpis where date between '2026-06-03' and '2026-06-20' group by 1`,
  'a quotient of two populations behind a CTE → answers of every type': `with m as (select organic_brand_mentions as named, all_responses from daily_kpis) select sum(named) / sum(all_responses) from m`,
  'a mean of a count whose key has more than the day → a mean over each domain': `select project_name, avg(citations_count) from domain_citation_trend group by 1`,
  'a mean of a count over days of all projects → a mean over each project_id':
    'select avg(citations_count) from daily_kpis',
  'a running week beside a whole one → Days after 2026-07-13': `select sum(citations_count) filter (where date between '2026-07-08' and '2026-07-14') - sum(citations_count) filter (where date between '2026-07-01' and '2026-07-07') from daily_kpis`,
  'measures ranked by a window function → whose unit is that of its measure': `select measure, row_number() over (order by abs(change) desc) from kpi_changes where window_days = 28`,
  'some groups → LIMIT without ORDER BY': `select domain, sum(citations_count) from domain_citation_trend group by 1 limit 5`,
  'a newest day by its letters → Days as text': `select strftime(date, '%d/%m/%Y') as day, citations_count from daily_kpis order by day desc limit 3`,
  'a union of two ways to count the same → count the same in two ways':
    'select date, organic_responses from model_kpis union all select date, organic_responses from monitor_kpis',
  'a count of rows of prompts and days → count(distinct prompt_id)':
    'select project_name, count(*) from prompt_trend group by 1',
  'a total of a list that the API cuts off → counts the listed pages alone': `select sum(crawler_requests_count) from crawler_page_trend where window_start = '2026-06-01'`,
  'a sum by weekday over days that hold some more often → The groups hold from': `select dayname(date), sum(ai_visits_count) from daily_kpis where date between '2026-06-01' and '2026-06-30' group by 1`,
  'a score weighed by what does not weigh it → weighs visibility by organic_responses':
    'select sum(visibility * organic_responses) / sum(organic_responses) from daily_kpis',
};

it.each(Object.entries(WARNED))('a statement is warned of: %s', async (name, sql) => {
  expect((await warningsOf(sql)).join('\n')).toContain(name.split(' → ')[1]);
});

/** Columns, and which aggregates of them are warned of. */
const AGGREGATES: Readonly<Record<string, string>> = {
  'daily_kpis.citations_count': '',
  'daily_kpis.visibility': 'sum avg',
  'daily_kpis.average_citation_rank': 'sum avg',
  'calendar.iso_week': '',
  'crawler_page_trend.unique_crawlers_count': 'sum',
  'prompt_trend.average_visibility_change': 'avg',
  'prompt_trend.responses_count': 'sum',
  'brand_visibility_trend.mention_count': '',
  'brand_visibility_trend.all_responses': '',
  'detail.brand_visibility_trend.own_mention_count': 'sum',
  'detail.brand_visibility_trend.own_visibility_pct': 'sum avg',
  'cited_domains.citations_share_pct': 'sum avg',
  'detail.cited_domains.window_citations_count': 'sum',
  'window_summary.all_responses': '',
  'detail.window_summary.all_responses': 'sum',
  'detail.cited_domains.citations_change': 'sum',
  'detail.brand_mention_share.mention_share_pct': 'sum avg',
  'action_type_impact.actions_count': 'sum',
  'core.citation_ranks.average_rank': 'sum avg',
  'core.citation_ranks.total_citations': '',
  'meta.runs.requests': '',
};

it('a table says which aggregates of a column are warned of', async () => {
  for (const [place, expected] of Object.entries(AGGREGATES)) {
    const [column = '', ...view] = place.split('.').toReversed();
    const warned: string[] = [];
    for (const aggregate of ['sum', 'avg']) {
      const warnings = await warningsOf(`select ${aggregate}(${column}) from ${view.toReversed().join('.')}`);
      if (warnings.some((warning) => warning.includes(`.${column} says`))) warned.push(aggregate);
    }
    expect([place, warned.join(' ')]).toEqual([place, expected]);
  }
});

const SOUND = {
  'one scope, grain and whole days': `select sum(organic_responses) from ${SOV} where ${PINNED}`,
  'a group by scope and grain': `select scope, grain, sum(organic_responses) from ${SOV} where is_whole_day group by all`,
  'scopes that are shown': `select date, scope, scope_id, grain, share_of_voice_pct from ${SOV} where is_whole_day`,
  'whole days by a bound': `select sum(organic_responses) from ${SOV} where scope = 'project' and grain = 'day' and date <= '2026-07-01'`,
  'a filter of the aggregate': `select sum(organic_responses) filter (where ${PINNED}) from ${SOV}`,
  'one measure and window': `select project_name, change from kpi_changes where measure = 'visibility' and window_days = 28`,
  'a join of one measure with itself': `select l.project_name, l.measure, s.change from kpi_changes l join kpi_changes s using (project_id, measure) where l.window_days = 90 and s.window_days = 28`,
  'the day before in one series':
    'select date, visibility - lag(visibility) over (partition by project_id order by date) from daily_kpis',
  'a count of days with a high score':
    'select sum(case when visibility > 50 then 1 else 0 end) from daily_kpis',
  'events aggregated before the join': `select sum(k.citations_count) from daily_kpis k join (select project_id, date, count(*) as n from event_annotations where type = 'action' group by 1, 2) e using (project_id, date)`,
  'a dimension that is joined by its key':
    'select p.organization_name, sum(k.citations_count) from daily_kpis k join projects p using (project_id) group by 1',
  'the calendar': `select c.week_start, sum(k.ai_visits_count) from daily_kpis k join calendar c using (date) where k.date <= '2026-07-12' group by 1`,
  'a month of the calendar that is over': `select sum(k.ai_visits_count) from daily_kpis k join calendar c using (date) where c.month_start = date '2026-06-01'`,
  'weekdays of the calendar':
    "select c.day_name, sum(k.ai_visits_count) from daily_kpis k join calendar c using (date) where k.date between '2026-06-01' and '2026-06-28' group by all",
  'a sum of each day': 'select date, sum(ai_visits_count) from daily_kpis group by 1',
  'all projects by name': `select sum(actions_count) from action_type_impact where measure = 'visibility' and project_name = 'All projects'`,
  'a repeated figure once a day': `select sum(n) from (select distinct project_id, date, all_mention_count as n from detail.brand_mention_share where grain = 'day' and scope = 'project' and is_whole_day)`,
  'a newest day': `select max(date) from ${SOV}`,
  'whole months': `select month(date), sum(citations_count) from daily_kpis where date <= '2026-06-30' group by 1`,
  'a mean score of one project': `select avg(visibility) from daily_kpis where project_name = 'x'`,
  'a mean score by project and model':
    'select project_id, model_name, avg(visibility) from model_kpis group by all',
  'a mean count of the own brand': `select project_id, avg(mention_count) from brand_mention_share where is_own_brand group by 1`,
  'measures ranked by multiples of the typical change': `select measure from kpi_changes where window_days = 28 order by abs(change_in_typical) desc limit 3`,
  'days as text that sort': `select strftime(date, '%Y-%m-%d') as day, citations_count from daily_kpis order by day desc limit 3`,
  'weekdays in the order of their names':
    "select dayname(date) as name, sum(ai_visits_count) from daily_kpis where date between '2026-06-01' and '2026-06-28' group by 1 order by name",
  'rows of any kind': 'select * from daily_kpis limit 3',
  'a share of verdicts that are known': `select count(*) filter (where visibility_is_clear) / count(visibility_is_clear) from action_impact`,
  'a union whose parts are named': `select 'model' as kind, date, organic_responses from model_kpis union all select 'monitor', date, organic_responses from monitor_kpis`,
  'a share of the listed pages':
    'select request_path, 1.0 * crawler_requests_count / sum(crawler_requests_count) over (partition by project_id) from crawler_pages',
  'a sum by a part of the page': `select split_part(request_path, '/', 2), sum(crawler_requests_count) from crawler_pages group by 1`,
  'a count of days on which one rival by its name was ahead': `select project_id, count(*) from competitor_gap where competitor_name = 'x' group by 1`,
  'a count of prompts': 'select count(distinct prompt_id) from prompt_trend',
  'a count of days of one prompt': `select count(*) from prompt_trend where prompt_id = 'x'`,
  'a count of domains of whole lists': 'select count(distinct domain) from cited_domains',
  'no table': 'select 1',
  'no SELECT': 'show tables',
};

it.each(Object.entries(SOUND))('a statement with %s is not warned of', async (_, sql) => {
  expect(await warningsOf(sql)).toEqual([]);
});

it('an empty result says which projects, values and days there are', async () => {
  const nike = await whyEmpty(`select sum(citations_count) from daily_kpis where project_name = 'Nike'`);
  expect(nike).toContain(`Projects: `);
  expect(nike).toContain(`${demo.name} (2026-05-01 to 2026-07-13)`);
  expect(nike).toContain(' rows, from 2026-05-01 to 2026-07-13');
  expect(await whyEmpty(`select * from kpi_changes where measure = 'visiblity'`)).toContain(
    `kpi_changes.measure is never 'visiblity'; it is one of: ai_visits, citations`,
  );
  expect(await whyEmpty('select * from prompt_days')).toContain('it needs the scope prompt');
  expect(await whyEmpty('select * from landing_page_days')).toContain('it needs sync.landing_pages');
});

it('a value beyond the first thousand of its column is not called unknown', async () => {
  using scratch = new Scratch();
  await using many = await changedDemo(
    scratch,
    "insert into core.models (model_id, _run_id, _changed_at) select 'z' || i, 'r', now() from range(1500) t(i)",
  );
  const whyOf = async (id: string): Promise<string> => {
    const sql = `select * from models where model_id = '${id}' and model_name = 'nothing'`;
    return (await explainResult(many, sql, true)).why.join('\n');
  };
  expect(await whyOf('z999')).not.toContain('model_id is never');
  expect(await whyOf('z9999')).toContain("models.model_id is never 'z9999'; it is one of: ");
});

it('a count of the domains of lists that were cut off says so', async () => {
  using scratch = new Scratch();
  const cutting = "update meta.slices set truncated = true where endpoint = 'domain_citation_totals'";
  await using cut = await changedDemo(scratch, cutting);
  const { warnings } = await explainResult(cut, 'select count(distinct domain) from cited_domains', false);
  expect(warnings.join()).toContain('The lists of domain_citation_totals are cut off');
});

it('two projects of one name are told apart in figures, warnings, lists and ages', async () => {
  using scratch = new Scratch();
  await using twins = await changedDemo(
    scratch,
    `update core.projects set name = '${demo.name}';
     delete from meta.asked_days where endpoint = 'citation_ranks' and date = date '2026-06-10'`,
  );
  const named = `select project_label as label from main.projects where project_id = '${demo.id}'`;
  const [{ label } = { label: '' }] = await twins.rowsAs(z.object({ label: z.string() }), named);
  expect(label).toMatch(new RegExp(`^${demo.name} \\(.+\\)$`));
  const past = { name: 'visibility', from: '2020-01-01', to: '2020-01-31' };
  await expect(tellMetric(twins, past)).rejects.toThrow(`${label} (2026-05-01 to`);
  const { result } = await compareMetric(twins, { name: 'visibility' });
  expect(result.rows[0]?.[0]?.text).toBe(label);
  const sql = "select sum(citations_count) from daily_kpis where date >= date '2026-05-01'";
  const { warnings } = await explainResult(twins, sql, false);
  expect(warnings.join('\n')).toContain(`citation_ranks of ${label} 2026-06-10`);
  expect((await readAge(twins, { now: Date.now() }))?.stale[0]?.project).toBe(label);
});
