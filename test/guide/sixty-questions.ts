const JUNE = `date between '2026-06-01' and '2026-06-30'`;
const FERNHILL = `project_name = 'Fernhill Coffee'`;
const own = (table: string): string =>
  `core.${table} v join core.projects p using (project_id) where v.grain = 'day' and v.scope = 'project' and p.name = 'Fernhill Coffee' and v.${JUNE}`;
const all = (table: string): string =>
  `core.${table} v join core.projects p using (project_id) where v.grain = 'day' and v.scope = 'project' and v.${JUNE}`;
const scoped = (table: string, scope: string): string =>
  `core.${table} v join core.projects p using (project_id) where v.grain = 'day' and v.scope = '${scope}' and p.name = 'Fernhill Coffee' and v.${JUNE}`;
const month = (table: string): string =>
  `core.${table} v join core.projects p using (project_id) where v.window_kind = 'month' and v.window_start = '2026-06-01' and v.scope = 'project' and p.name = 'Fernhill Coffee'`;

/** A question in words, the statement that the names and comments suggest, and the same from the stored answers. */
export const RIGHT: Readonly<Record<string, { sql: string; core: string }>> = {
  'How many organic answers did Fernhill Coffee have in June?': {
    sql: `select sum(organic_responses) from daily_kpis where ${FERNHILL} and ${JUNE}`,
    core: `select sum(total_responses) from ${own('share_of_voice')}`,
  },
  'How many of them named the brand?': {
    sql: `select sum(organic_brand_mentions) from share_of_voice_trend where ${FERNHILL} and ${JUNE}`,
    core: `select sum(brand_mentions) from ${own('share_of_voice')}`,
  },
  'What was its share of voice in June?': {
    sql: `select 100.0 * sum(organic_brand_mentions) / sum(organic_responses) from daily_kpis where ${FERNHILL} and ${JUNE}`,
    core: `select 100.0 * sum(brand_mentions) / sum(total_responses) from ${own('share_of_voice')}`,
  },
  'On which day of June was visibility highest?': {
    sql: `select date from daily_kpis where ${FERNHILL} and ${JUNE} order by visibility desc limit 1`,
    core: `select date from ${own('visibility')} order by visibility desc limit 1`,
  },
  'How did visibility move day by day in June?': {
    sql: `select date, visibility from daily_kpis where ${FERNHILL} and ${JUNE} order by date`,
    core: `select date, visibility from ${own('visibility')} order by date`,
  },
  'How many citations did each client get in June?': {
    sql: `select project_name, sum(citations_count) from daily_kpis where ${JUNE} group by 1 order by 1`,
    core: `select p.name, sum(total_citations) from ${all('citation_ranks')} group by 1 order by 1`,
  },
  'How many citations did all clients get together?': {
    sql: `select sum(citations_count) from citation_rank_trend where ${JUNE}`,
    core: `select sum(total_citations) from ${all('citation_ranks')}`,
  },
  'What was the average citation rank in June, by citations?': {
    sql: `select sum(average_citation_rank * ranked_citations_count) / sum(ranked_citations_count) from citation_rank_trend where ${FERNHILL} and ${JUNE}`,
    core: `select sum(average_rank * citations_with_rank) / sum(citations_with_rank) from ${own('citation_ranks')}`,
  },
  'What was the best citation rank of June?': {
    sql: `select min(best_citation_rank) from citation_rank_trend where ${FERNHILL} and ${JUNE}`,
    core: `select min(best_rank) from ${own('citation_ranks')}`,
  },
  'How many requests did AI crawlers make in June?': {
    sql: `select sum(crawler_requests_count) from daily_kpis where ${FERNHILL} and ${JUNE}`,
    core: `select sum(requests) from ${own('crawler_requests')}`,
  },
  'Which crawlers came most?': {
    sql: `select source, sum(crawler_requests_count) as n from ai_traffic where source_kind = 'crawler' and ${FERNHILL} and ${JUNE} group by 1 order by n desc, 1`,
    core: `select crawler, sum(requests) as n from ${own('crawler_requests')} group by 1 order by n desc, 1`,
  },
  'How many crawler requests and visits were there by source kind?': {
    sql: `select sum(crawler_requests_count), sum(ai_visits_count) from ai_traffic where ${FERNHILL} and ${JUNE}`,
    core: `select (select sum(requests) from ${own('crawler_requests')}), (select sum(visits) from ${own('visitor_visits')})`,
  },
  'How many visits did AI assistants send?': {
    sql: `select sum(ai_visits_count) from daily_kpis where ${JUNE}`,
    core: `select sum(visits) from ${all('visitor_visits')}`,
  },
  'Which assistant sent the most visits?': {
    sql: `select source, sum(ai_visits_count) as n from ai_traffic where source_kind = 'visitor' and ${FERNHILL} and ${JUNE} group by 1 order by n desc, 1 limit 1`,
    core: `select referrer, sum(visits) as n from ${own('visitor_visits')} group by 1 order by n desc, 1 limit 1`,
  },
  'How do crawler requests and visits of all vendors add up?': {
    sql: `select sum(crawler_requests_count), sum(ai_visits_count) from crawler_visitor_funnel where ${FERNHILL} and ${JUNE}`,
    core: `select (select sum(requests) from ${own('crawler_requests')}), (select sum(visits) from ${own('visitor_visits')})`,
  },
  'How many actions were completed in June?': {
    sql: `select sum(actions_completed) from daily_kpis where ${FERNHILL} and ${JUNE}`,
    core: `select count(*) from core.events e join core.projects p using (project_id) where e.type = 'action' and p.name = 'Fernhill Coffee' and e.${JUNE}`,
  },
  'Which actions were completed?': {
    sql: `select date, action_title from action_impact where ${FERNHILL} and ${JUNE} order by 1, 2`,
    core: `select e.date, e.action_title from core.events e join core.projects p using (project_id) where e.type = 'action' and p.name = 'Fernhill Coffee' and e.${JUNE} order by 1, 2`,
  },
  'How many prompts were created?': {
    sql: `select sum(prompts_created) from daily_kpis where ${JUNE}`,
    core: `select coalesce(sum(prompt_count), 0) from core.events where type = 'prompts_created' and ${JUNE}`,
  },
  'How many events of each type were there?': {
    sql: `select type, count(*) from event_annotations where type in ('action', 'prompts_created', 'prompts_deleted') and ${JUNE} group by 1 order by 1`,
    core: `select type, count(*) from core.events where ${JUNE} group by 1 order by 1`,
  },
  'How many citations came on days with actions?': {
    sql: `select sum(citations_count) from daily_kpis where actions_completed > 0 and ${JUNE}`,
    core: `select sum(total_citations) from ${all('citation_ranks')} and exists (select 1 from core.events e where e.project_id = v.project_id and e.date = v.date and e.type = 'action')`,
  },
  'How many answers were positive in June?': {
    sql: `select sum(positive_count) from sentiment_split where ${FERNHILL} and ${JUNE}`,
    core: `select sum(positive) from ${own('response_sentiment')}`,
  },
  'What is net sentiment among answers with a known sentiment?': {
    sql: `select 100.0 * (sum(positive_count) - sum(negative_count)) / sum(known_count) from daily_kpis where ${FERNHILL} and ${JUNE}`,
    core: `select 100.0 * (sum(positive) - sum(negative)) / sum(positive + negative + neutral) from ${own('response_sentiment')}`,
  },
  'What share of voice does each model give?': {
    sql: `select model_id, 100.0 * sum(organic_brand_mentions) / sum(organic_responses) from model_kpis where ${FERNHILL} and ${JUNE} and model_id <> '(other)' group by 1 order by 1`,
    core: `select scope_id, 100.0 * sum(brand_mentions) / sum(total_responses) from ${scoped('share_of_voice', 'model')} group by 1 order by 1`,
  },
  'How many answers did all models give?': {
    sql: `select sum(organic_responses) from model_kpis where ${FERNHILL} and ${JUNE}`,
    core: `select sum(total_responses) from ${own('share_of_voice')}`,
  },
  'How many answers did all monitors have?': {
    sql: `select sum(organic_responses) from monitor_kpis where ${FERNHILL} and ${JUNE}`,
    core: `select sum(total_responses) from ${own('share_of_voice')}`,
  },
  'How many answers did each monitor have?': {
    sql: `select monitor_id, sum(organic_responses) from monitor_kpis where ${FERNHILL} and ${JUNE} and monitor_id <> '(other)' group by 1 order by 1`,
    core: `select scope_id, sum(total_responses) from ${scoped('share_of_voice', 'monitor')} group by 1 order by 1`,
  },
  'How often was each brand mentioned?': {
    sql: `select brand_name, sum(mention_count) from brand_mention_share where ${FERNHILL} and ${JUNE} group by 1 order by 1`,
    core: `select b.name, sum(v.mention_count) from ${own('brand_visibility').replace(' where', ' join core.brands b using (project_id, brand_id) where')} and b.relation <> 'IGNORED' group by 1 order by 1`,
  },
  'What is our share of all brand mentions?': {
    sql: `select 100.0 * sum(mention_count) filter (where is_own_brand) / sum(mention_count) from brand_mention_share where ${FERNHILL} and ${JUNE}`,
    core: `select 100.0 * sum(mention_count) filter (where b.relation = 'SELF') / sum(mention_count) from ${own('brand_visibility').replace(' where', ' join core.brands b using (project_id, brand_id) where')} and b.relation <> 'IGNORED'`,
  },
  'In how many answers is a competitor named?': {
    sql: `select competitor_name, sum(competitor_mention_count) from competitor_gap where ${FERNHILL} and ${JUNE} group by 1 order by 1`,
    core: `select b.name, sum(v.mention_count) from ${own('brand_visibility').replace(' where', ' join core.brands b using (project_id, brand_id) where')} and b.relation not in ('IGNORED', 'SELF') group by 1 order by 1`,
  },
  'Which domains were cited most in June?': {
    sql: `select domain, citations_count from cited_domains where ${FERNHILL} and window_start = '2026-06-01' and domain_status <> 'lost' order by 2 desc, 1`,
    core: `select domain, total from ${month('domain_citation_totals')} order by 2 desc, 1`,
  },
  'How many citations had the listed domains in June?': {
    sql: `select sum(citations_count) from cited_domains where ${FERNHILL} and window_start = '2026-06-01'`,
    core: `select sum(total) from ${month('domain_citation_totals')}`,
  },
  'How many citations did each domain get day by day?': {
    sql: `select domain, sum(citations_count) from domain_citation_trend where ${FERNHILL} and ${JUNE} group by 1 order by 1`,
    core: `select domain, sum(citations) from ${own('domain_citations')} group by 1 order by 1`,
  },
  'How many answers of every type were there in June?': {
    sql: `select all_responses, all_brand_mentions from window_summary where ${FERNHILL} and window_start = '2026-06-01'`,
    core: `select total_responses, total_brand_mentions from ${month('response_summary')}`,
  },
  'Which competitors do answers mention that we do not track?': {
    sql: `select competitor, mention_count from competitor_mention_trend where ${FERNHILL} and window_start = '2026-06-01' and not is_tracked order by 1`,
    core: `select competitor, count from ${month('competitor_mentions')} and lower(competitor) not in (select lower(name) from core.brands b where b.project_id = v.project_id) order by 1`,
  },
  'Which citations did each model give in June?': {
    sql: `select model_id, citations_count from model_sources where ${FERNHILL} and window_start = '2026-06-01' order by 1`,
    core: `select llm, total_citations from ${month('llm_sources')} order by 1`,
  },
  'Which pages do crawlers read most?': {
    sql: `select request_path, crawler_requests_count from crawler_page_trend where ${FERNHILL} and window_start = '2026-06-01' order by 2 desc, 1`,
    core: `select request_path, requests from ${month('crawler_top_pages')} order by 2 desc, 1`,
  },
  'How many prompts does each monitor have today?': {
    sql: `select monitor_name, count(*) from prompt_catalog where ${FERNHILL} group by 1 order by 1`,
    core: `select m.name, count(*) from core.prompts q join core.projects p using (project_id) left join core.monitors m using (project_id, monitor_id) where q.removed_at is null and p.name = 'Fernhill Coffee' group by 1 order by 1`,
  },
};

/** Each question or name, with its statement and the words of its warning. */
export function entriesOf(
  warned: Readonly<Record<string, Readonly<Record<string, string>>>>,
): [string, { sql: string; words: string }][] {
  return Object.entries(warned).flatMap(([words, statements]) =>
    Object.entries(statements).map(([name, sql]): [string, { sql: string; words: string }] => [
      name,
      { sql, words },
    ]),
  );
}

/** Words of a warning, and questions whose obvious statement is warned of with them. */
export const WARNED: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'compute from the counts': {
    'What was the average share of voice in June?': `select avg(share_of_voice_pct) from daily_kpis where ${FERNHILL} and ${JUNE}`,
  },
  'Do not sum or average': {
    'What was the average visibility in June?': `select avg(visibility) from daily_kpis where ${FERNHILL} and ${JUNE}`,
    'What is the visibility of all clients together?': `select avg(visibility) from visibility_with_events where ${JUNE}`,
    'How has the weekly visibility moved?': `select date_trunc('week', date) as week, avg(visibility_7_day_mean) from visibility_with_events where ${FERNHILL} group by 1`,
    'What was the average citation rank?': `select avg(average_citation_rank) from daily_kpis where ${FERNHILL} and ${JUNE}`,
    'What is the average sentiment by project?': `select project_name, avg(sentiment) from daily_kpis where ${JUNE} group by 1`,
    'Which model sees the brand best?': `select model_name, avg(visibility) as v from model_kpis where ${FERNHILL} group by 1 order by v desc`,
  },
  'its event_id': {
    'How many citations came on days with events?': `select sum(k.citations_count) from daily_kpis k join event_annotations e on e.project_id = k.project_id and e.date = k.date where k.${JUNE}`,
  },
  net_sentiment_pct: {
    'What is the average net sentiment?': `select avg(net_sentiment_pct) from daily_kpis where ${FERNHILL} and ${JUNE}`,
  },
  'its model_id': {
    'How many citations did we get, by model?': `select m.model_name, sum(k.citations_count) from daily_kpis k join model_kpis m using (project_id, date) where k.${JUNE} group by 1`,
  },
  mention_share_pct: {
    'What is our average share of mentions?': `select avg(mention_share_pct) from brand_mention_share where is_own_brand and ${FERNHILL} and ${JUNE}`,
  },
  'Repeated on every row': {
    'How many mentions do all brands have together?': `select sum(all_mention_count) from detail.brand_mention_share where grain = 'day' and scope = 'project' and is_whole_day and ${FERNHILL} and ${JUNE}`,
  },
  gap_points: {
    'How far ahead of us is each competitor?': `select competitor_name, avg(gap_points) from competitor_gap where ${FERNHILL} and ${JUNE} group by 1`,
  },
  own_mention_count: {
    'How often are we mentioned beside competitors?': `select sum(own_mention_count) from detail.competitor_gap where grain = 'day' and scope = 'project' and is_whole_day and ${FERNHILL} and ${JUNE}`,
  },
  own_citations_share_pct: {
    'What share of citations does our own domain have?': `select avg(own_citations_share_pct) from detail.domain_citation_trend where grain = 'day' and scope = 'project' and is_whole_day and ${FERNHILL} and ${JUNE}`,
  },
  own_citations_count: {
    'How many citations did our own domain get?': `select sum(own_citations_count) from detail.domain_citation_trend where grain = 'day' and scope = 'project' and is_whole_day and ${FERNHILL} and ${JUNE}`,
  },
  'Do not sum': {
    'How many different domains do models cite?': `select sum(unique_domains_count) from model_sources where ${FERNHILL} and window_start = '2026-06-01'`,
    'What did all actions gain us?': `select sum(visibility_effect) from action_impact where ${FERNHILL}`,
  },
  average_visibility: {
    'What is the average visibility of our prompts?': `select avg(average_visibility) from prompt_catalog where ${FERNHILL}`,
  },
  'every window_days': {
    'By how many points did visibility change?': `select project_name, change from kpi_changes where measure = 'visibility'`,
    'How much did new prompts add?': `select sum(points) from why_visibility_moved where part = 'prompts_added'`,
  },
  every: {
    'How many actions of each type were there?': `select action_type, sum(actions_count) from action_type_impact group by 1`,
  },
  'not there yet': {
    'How many citations did we get in July?': `select sum(citations_count) from daily_kpis where ${FERNHILL} and date between '2026-07-01' and '2026-07-31'`,
  },
};
