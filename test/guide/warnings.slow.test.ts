import { copyFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { openPublishedFile } from '../../src/publish/published-file.ts';
import { changeFile } from '../support/file-reader.ts';
import { Scratch } from '../support/folder.ts';
import { readExamples } from '../../src/guide/examples.ts';
import { explainResult } from '../../src/guide/tools.ts';
import { openDemoWorld } from '../bi/demo-world.ts';

const demo = await openDemoWorld();
const { file } = demo;

/** Each name, with its statement and the words of its warning. */
function entriesOf(
  warned: Readonly<Record<string, Readonly<Record<string, string>>>>,
): [string, { sql: string; words: string }][] {
  return Object.entries(warned).flatMap(([words, statements]) =>
    Object.entries(statements).map(([name, sql]): [string, { sql: string; words: string }] => [
      name,
      { sql, words },
    ]),
  );
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

/** Words of a warning, and statements that are warned of with them. */
const WARNED: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'every scope': {
    'a sum over scopes': `select sum(organic_responses) from ${SOV} where grain = 'day' and is_whole_day`,
    'a count over scopes': 'select count(*) from detail.visibility_with_events where visibility > 50',
    'several scopes in an IN': `select sum(organic_responses) from ${SOV} where scope in ('model', 'monitor') and grain = 'day' and is_whole_day`,
    'a mixture behind a CTE': `with s as (select * from ${SOV} where is_whole_day) select date, sum(organic_responses) as n from s where grain = 'day' group by date`,
    'a mixture behind a subquery': `select max(n) from (select date, sum(organic_responses) as n from ${SOV} where ${PINNED.replace("scope = 'project' and ", '')} group by 1)`,
    'a mixture in a window function': `select date, scope, grain, sum(organic_responses) over (order by date) from ${SOV} where is_whole_day`,
    'rows of a table of core': 'select date, sum(total_responses) from core.share_of_voice group by 1',
  },
  'every grain': {
    'a sum over grains': `select sum(organic_responses) from ${SOV} where scope = 'project' and is_whole_day`,
  },
  is_whole_day: {
    'a sum over the running day': `select sum(organic_responses) from ${SOV} where scope = 'project' and grain = 'day'`,
  },
  'every window_kind': {
    'windows of several kinds': `select domain, sum(citations_count) from detail.cited_domains where scope = 'project' and is_whole_window group by 1`,
  },
  'mix every scope': {
    'rows of scopes that are not shown': `select date, share_of_voice_pct from ${SOV} where grain = 'day' and is_whole_day`,
  },
  'every measure': {
    'a mean of changes': `select avg(change) from kpi_changes where window_days = 28`,
  },
  'every project_id': {
    'all projects beside single ones': `select sum(actions_count) from action_type_impact where measure = 'visibility'`,
  },
  'compute from the counts': {
    'a mean of shares after a cast': `select project_name, avg(share_of_voice_pct::double) from daily_kpis group by all`,
  },
  'Do not sum or average': {
    'a sum of a mean': 'select sum(average_citation_rank) from daily_kpis',
    'a median of scores by model': 'select model_name, median(visibility) from model_kpis group by 1',
    'a mean of a score with a value for NULL':
      'select project_name, avg(coalesce(visibility, 0)) from daily_kpis group by 1',
    'a mean of the score of some rows':
      'select avg(case when is_own_brand then mention_share_pct end) from brand_mention_share',
  },
  'a mean of quotients': {
    'a mean of quotients': 'select avg(100.0 * organic_brand_mentions / organic_responses) from daily_kpis',
  },
  'goes from one project_id to another': {
    'a day before that is of another project':
      'select date, visibility - lag(visibility) over (order by date) from daily_kpis',
  },
  'action_type_impact pools effects': {
    'a mean of changes after actions':
      'select action_type, avg(visibility_change) from action_impact group by 1',
  },
  'new_responses_count adds up': {
    'a sum of running totals': 'select sum(responses_count) from prompt_trend',
  },
  'Days before 2026-05-01': {
    'days before the first': `select sum(citations_count) from daily_kpis where date >= '2026-01-01'`,
  },
  'The period that begins on 2026-07-01 has days up to 2026-07-13 only': {
    'a sum by month that ends with the running month': `select date_trunc('month', date) as month, sum(citations_count) from daily_kpis group by 1`,
    'a sum by month of the calendar':
      'select c.month_start, sum(k.ai_visits_count) from daily_kpis k join calendar c using (date) group by 1',
    'a sum over the running month of the calendar': `select sum(k.ai_visits_count) from daily_kpis k join calendar c using (date) where c.month_start = date '2026-07-01'`,
    'a sum over the running month by its year and number': `select sum(k.ai_visits_count) from daily_kpis k join calendar c on c.date = k.date where c.year = 2026 and c.month = 7`,
    'a count by a month as text': `select strftime(date, '%Y-%m') as month, count(*) from daily_kpis where visibility > 10 group by month`,
  },
  'The period that begins on 2026-07-13 has days up to 2026-07-13 only': {
    'a sum by ISO week, behind a CTE':
      'with d as (select c.iso_year, c.iso_week, k.ai_visits_count from daily_kpis k join calendar c on c.date = k.date) select iso_year, iso_week, sum(ai_visits_count) from d group by 1, 2',
  },
  'The period that begins on 2026-06-01 has days from 2026-06-03 up to 2026-06-20 only': {
    'a range that cuts its only month at both ends': `select date_trunc('month', date), sum(citations_count) from daily_kpis where date between '2026-06-03' and '2026-06-20' group by 1`,
  },
  'answers of every type': {
    'a quotient of two populations behind a CTE': `with m as (select organic_brand_mentions as named, all_responses from daily_kpis) select sum(named) / sum(all_responses) from m`,
  },
  'a mean over each domain': {
    'a mean of a count whose key has more than the day': `select project_name, avg(citations_count) from domain_citation_trend group by 1`,
  },
  'a mean over each project_id': {
    'a mean of a count over days of all projects': 'select avg(citations_count) from daily_kpis',
  },
  'Days after 2026-07-13': {
    'a running week beside a whole one': `select sum(citations_count) filter (where date between '2026-07-08' and '2026-07-14') - sum(citations_count) filter (where date between '2026-07-01' and '2026-07-07') from daily_kpis`,
  },
  'whose unit is that of its measure': {
    'measures ranked by a window function': `select measure, row_number() over (order by abs(change) desc) from kpi_changes where window_days = 28`,
  },
  'LIMIT without ORDER BY': {
    'some groups': `select domain, sum(citations_count) from domain_citation_trend group by 1 limit 5`,
  },
  'Days as text': {
    'a newest day by its letters': `select strftime(date, '%d/%m/%Y') as day, citations_count from daily_kpis order by day desc limit 3`,
  },
  'count the same in two ways': {
    'a union of two ways to count the same':
      'select date, organic_responses from model_kpis union all select date, organic_responses from monitor_kpis',
  },
  'count(distinct prompt_id)': {
    'a count of rows of prompts and days': 'select project_name, count(*) from prompt_trend group by 1',
  },
  'counts the listed pages alone': {
    'a total of a list that the API cuts off': `select sum(crawler_requests_count) from crawler_page_trend where window_start = '2026-06-01'`,
  },
  'The groups hold from': {
    'a sum by weekday over days that hold some more often': `select dayname(date), sum(ai_visits_count) from daily_kpis where date between '2026-06-01' and '2026-06-30' group by 1`,
  },
  'weighs visibility by organic_responses': {
    'a score weighed by what does not weigh it':
      'select sum(visibility * organic_responses) / sum(organic_responses) from daily_kpis',
  },
};

it.each(entriesOf(WARNED))('a statement with %s is warned of', async (_, { sql, words }) => {
  expect((await warningsOf(sql)).join('\n')).toContain(words);
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
  const path = scratch.path('many.duckdb');
  copyFileSync(demo.path, path);
  await changeFile(
    path,
    "insert into core.models (model_id, _run_id, _changed_at) select 'z' || i, 'r', now() from range(1500) t(i)",
  );
  await using many = await openPublishedFile(path);
  const whyOf = async (id: string): Promise<string> => {
    const sql = `select * from models where model_id = '${id}' and model_name = 'nothing'`;
    return (await explainResult(many, sql, true)).why.join('\n');
  };
  expect(await whyOf('z999')).not.toContain('model_id is never');
  expect(await whyOf('z9999')).toContain("models.model_id is never 'z9999'; it is one of: ");
});

it('a count of the domains of lists that were cut off says so', async () => {
  using scratch = new Scratch();
  const path = scratch.path('cut.duckdb');
  copyFileSync(demo.path, path);
  await changeFile(path, "update meta.slices set truncated = true where endpoint = 'domain_citation_totals'");
  await using cut = await openPublishedFile(path);
  const { warnings } = await explainResult(cut, 'select count(distinct domain) from cited_domains', false);
  expect(warnings.join()).toContain('The lists of domain_citation_totals are cut off');
});
