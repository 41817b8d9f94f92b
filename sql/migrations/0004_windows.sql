-- One row per whole window: key = project_id, window_kind, window_start, scope, scope_id and what the row says.

-- One row per project, window, scope, competitor_name, competitor_domain, model_id: visibility of each competitor in each model
create table core.competitor_heatmap (
  project_id varchar not null,
  window_kind varchar not null,
  window_start date not null,
  window_end date not null,
  scope varchar not null,
  scope_id varchar not null,
  competitor_name varchar not null,
  competitor_domain varchar not null,
  model_id varchar not null,
  relation varchar,
  competitor_rank bigint,
  visibility double,
  _run_id varchar not null,
  _changed_at timestamp not null
);
comment on table core.competitor_heatmap is 'Visibility of each competitor in each model, one answer per whole window; windows add up to nothing. Source: GET v1 competitor-heatmap.';
comment on column core.competitor_heatmap.project_id is 'Project id as the API reports it (core.projects.project_id).';
comment on column core.competitor_heatmap.window_kind is 'Kind of window: month, last_7_days, last_28_days, last_90_days or day. Windows overlap: never add or average rows of different windows.';
comment on column core.competitor_heatmap.window_start is 'First day of the window (UTC). Part of the key.';
comment on column core.competitor_heatmap.window_end is 'Last day of the window (UTC), counted. Not part of the key: a month that is not over runs to the day of the sync.';
comment on column core.competitor_heatmap.scope is 'Filter the request carried: project (none), model, monitor, prompt or prompt_type. Never add or average rows of different scopes.';
comment on column core.competitor_heatmap.scope_id is 'Value of that filter; the project id in scope project.';
comment on column core.competitor_heatmap.competitor_name is 'Name; names repeat and may look like numbers. Source: v1 competitor-heatmap.';
comment on column core.competitor_heatmap.competitor_domain is 'Domain; '''' when the API reports none. Source: v1 competitor-heatmap.';
comment on column core.competitor_heatmap.model_id is 'Model id (core.models; LEFT JOIN). Source: v1 competitor-heatmap.';
comment on column core.competitor_heatmap.relation is 'DIRECT_COMPETITOR or OTHER; SELF where your brand is listed. Source: v1 competitor-heatmap.';
comment on column core.competitor_heatmap.competitor_rank is 'Place in the list of the answer, 1 is first. Source: v1 competitor-heatmap.';
comment on column core.competitor_heatmap.visibility is 'Visibility, percent; NULL: the answer has no cell. Do not sum, do not average. Source: v1 competitor-heatmap.';
comment on column core.competitor_heatmap._run_id is 'Run that last changed this row (meta.runs.run_id). A row that came again unchanged keeps its older run.';
comment on column core.competitor_heatmap._changed_at is 'Instant (UTC) at which this row last changed here.';

-- One row per project, window, scope, domain: citations of each domain
create table core.domain_citation_totals (
  project_id varchar not null,
  window_kind varchar not null,
  window_start date not null,
  window_end date not null,
  scope varchar not null,
  scope_id varchar not null,
  domain varchar not null,
  total bigint,
  percentage double,
  average_rank double,
  _run_id varchar not null,
  _changed_at timestamp not null
);
comment on table core.domain_citation_totals is 'Citations of each domain, one answer per whole window; windows add up to nothing. Source: GET v1 citations/domains-over-time.';
comment on column core.domain_citation_totals.project_id is 'Project id as the API reports it (core.projects.project_id).';
comment on column core.domain_citation_totals.window_kind is 'Kind of window: month, last_7_days, last_28_days, last_90_days or day. Windows overlap: never add or average rows of different windows.';
comment on column core.domain_citation_totals.window_start is 'First day of the window (UTC). Part of the key.';
comment on column core.domain_citation_totals.window_end is 'Last day of the window (UTC), counted. Not part of the key: a month that is not over runs to the day of the sync.';
comment on column core.domain_citation_totals.scope is 'Filter the request carried: project (none), model, monitor, prompt or prompt_type. Never add or average rows of different scopes.';
comment on column core.domain_citation_totals.scope_id is 'Value of that filter; the project id in scope project.';
comment on column core.domain_citation_totals.domain is 'Cited domain. Source: v1 citations/domains-over-time.';
comment on column core.domain_citation_totals.total is 'Citations in the window. Adds up over the listed domains (the list may be cut), not over windows. Source: v1 citations/domains-over-time.';
comment on column core.domain_citation_totals.percentage is 'Share of all citations, percent. Do not add over windows. Source: v1 citations/domains-over-time.';
comment on column core.domain_citation_totals.average_rank is 'Average rank, 1 is best. Do not sum or average. Source: v1 citations/domains-over-time.';
comment on column core.domain_citation_totals._run_id is 'Run that last changed this row (meta.runs.run_id). A row that came again unchanged keeps its older run.';
comment on column core.domain_citation_totals._changed_at is 'Instant (UTC) at which this row last changed here.';

-- One row per project, window, scope: citations in total
create table core.citation_totals (
  project_id varchar not null,
  window_kind varchar not null,
  window_start date not null,
  window_end date not null,
  scope varchar not null,
  scope_id varchar not null,
  total_citations bigint,
  overall_average_rank double,
  _run_id varchar not null,
  _changed_at timestamp not null
);
comment on table core.citation_totals is 'Citations in total, one answer per whole window; windows add up to nothing. Source: GET v1 citations/domains-over-time and v1 citations/rank-analysis.';
comment on column core.citation_totals.project_id is 'Project id as the API reports it (core.projects.project_id).';
comment on column core.citation_totals.window_kind is 'Kind of window: month, last_7_days, last_28_days, last_90_days or day. Windows overlap: never add or average rows of different windows.';
comment on column core.citation_totals.window_start is 'First day of the window (UTC). Part of the key.';
comment on column core.citation_totals.window_end is 'Last day of the window (UTC), counted. Not part of the key: a month that is not over runs to the day of the sync.';
comment on column core.citation_totals.scope is 'Filter the request carried: project (none), model, monitor, prompt or prompt_type. Never add or average rows of different scopes.';
comment on column core.citation_totals.scope_id is 'Value of that filter; the project id in scope project.';
comment on column core.citation_totals.total_citations is 'All citations, domains beyond the limit included (domains-over-time). Do not add over windows. Source: v1 citations/domains-over-time and v1 citations/rank-analysis.';
comment on column core.citation_totals.overall_average_rank is 'Average rank over all citations, 1 is best (rank-analysis). Do not sum or average. Source: v1 citations/domains-over-time and v1 citations/rank-analysis.';
comment on column core.citation_totals._run_id is 'Run that last changed this row (meta.runs.run_id). A row that came again unchanged keeps its older run.';
comment on column core.citation_totals._changed_at is 'Instant (UTC) at which this row last changed here.';

-- One row per project, window, scope, llm: citations by AI model
create table core.llm_sources (
  project_id varchar not null,
  window_kind varchar not null,
  window_start date not null,
  window_end date not null,
  scope varchar not null,
  scope_id varchar not null,
  llm varchar not null,
  provider varchar,
  model varchar,
  total_citations bigint,
  unique_domains bigint,
  unique_prompts bigint,
  _run_id varchar not null,
  _changed_at timestamp not null
);
comment on table core.llm_sources is 'Citations by AI model, one answer per whole window; windows add up to nothing. Source: GET v1 citations/llm-sources.';
comment on column core.llm_sources.project_id is 'Project id as the API reports it (core.projects.project_id).';
comment on column core.llm_sources.window_kind is 'Kind of window: month, last_7_days, last_28_days, last_90_days or day. Windows overlap: never add or average rows of different windows.';
comment on column core.llm_sources.window_start is 'First day of the window (UTC). Part of the key.';
comment on column core.llm_sources.window_end is 'Last day of the window (UTC), counted. Not part of the key: a month that is not over runs to the day of the sync.';
comment on column core.llm_sources.scope is 'Filter the request carried: project (none), model, monitor, prompt or prompt_type. Never add or average rows of different scopes.';
comment on column core.llm_sources.scope_id is 'Value of that filter; the project id in scope project.';
comment on column core.llm_sources.llm is 'Model id (core.models; LEFT JOIN). Source: v1 citations/llm-sources.';
comment on column core.llm_sources.provider is 'Provider. Source: v1 citations/llm-sources.';
comment on column core.llm_sources.model is 'Model. Source: v1 citations/llm-sources.';
comment on column core.llm_sources.total_citations is 'Citations. Adds up over models, not over windows. Source: v1 citations/llm-sources.';
comment on column core.llm_sources.unique_domains is 'Different domains. Do not sum. Source: v1 citations/llm-sources.';
comment on column core.llm_sources.unique_prompts is 'Different prompts. Do not sum. Source: v1 citations/llm-sources.';
comment on column core.llm_sources._run_id is 'Run that last changed this row (meta.runs.run_id). A row that came again unchanged keeps its older run.';
comment on column core.llm_sources._changed_at is 'Instant (UTC) at which this row last changed here.';

-- One row per project, window, scope: share of voice of the window and of the one before
create table core.share_of_voice_comparison (
  project_id varchar not null,
  window_kind varchar not null,
  window_start date not null,
  window_end date not null,
  scope varchar not null,
  scope_id varchar not null,
  current_total_responses bigint,
  current_brand_mentions bigint,
  current_share_of_voice double,
  previous_total_responses bigint,
  previous_brand_mentions bigint,
  previous_share_of_voice double,
  change double,
  change_percent double,
  _run_id varchar not null,
  _changed_at timestamp not null
);
comment on table core.share_of_voice_comparison is 'Share of voice of the window and of the one before, one answer per whole window; windows add up to nothing. Source: GET v1 share-of-voice/comparison.';
comment on column core.share_of_voice_comparison.project_id is 'Project id as the API reports it (core.projects.project_id).';
comment on column core.share_of_voice_comparison.window_kind is 'Kind of window: month, last_7_days, last_28_days, last_90_days or day. Windows overlap: never add or average rows of different windows.';
comment on column core.share_of_voice_comparison.window_start is 'First day of the window (UTC). Part of the key.';
comment on column core.share_of_voice_comparison.window_end is 'Last day of the window (UTC), counted. Not part of the key: a month that is not over runs to the day of the sync.';
comment on column core.share_of_voice_comparison.scope is 'Filter the request carried: project (none), model, monitor, prompt or prompt_type. Never add or average rows of different scopes.';
comment on column core.share_of_voice_comparison.scope_id is 'Value of that filter; the project id in scope project.';
comment on column core.share_of_voice_comparison.current_total_responses is 'Organic responses in the window. Do not add over windows. Source: v1 share-of-voice/comparison.';
comment on column core.share_of_voice_comparison.current_brand_mentions is 'Responses that mention your brand, in the window. Do not add over windows. Source: v1 share-of-voice/comparison.';
comment on column core.share_of_voice_comparison.current_share_of_voice is 'Share of voice in the window, percent. Do not sum or average. Source: v1 share-of-voice/comparison.';
comment on column core.share_of_voice_comparison.previous_total_responses is 'Organic responses in the window before. Do not add over windows. Source: v1 share-of-voice/comparison.';
comment on column core.share_of_voice_comparison.previous_brand_mentions is 'Responses that mention your brand, in the window before. Do not add over windows. Source: v1 share-of-voice/comparison.';
comment on column core.share_of_voice_comparison.previous_share_of_voice is 'Share of voice in the window before, percent. Do not sum or average. Source: v1 share-of-voice/comparison.';
comment on column core.share_of_voice_comparison.change is 'Change, percentage points. Do not sum or average. Source: v1 share-of-voice/comparison.';
comment on column core.share_of_voice_comparison.change_percent is 'Change relative to the window before, percent. Do not sum or average. Source: v1 share-of-voice/comparison.';
comment on column core.share_of_voice_comparison._run_id is 'Run that last changed this row (meta.runs.run_id). A row that came again unchanged keeps its older run.';
comment on column core.share_of_voice_comparison._changed_at is 'Instant (UTC) at which this row last changed here.';

-- One row per project, window, scope, request_path: pages that AI crawlers asked for most
create table core.crawler_top_pages (
  project_id varchar not null,
  window_kind varchar not null,
  window_start date not null,
  window_end date not null,
  scope varchar not null,
  scope_id varchar not null,
  request_path varchar not null,
  requests bigint,
  unique_crawlers bigint,
  crawlers varchar[],
  _run_id varchar not null,
  _changed_at timestamp not null
);
comment on table core.crawler_top_pages is 'Pages that AI crawlers asked for most, one answer per whole window; windows add up to nothing. Source: GET v1 analytics/crawlers/top-pages.';
comment on column core.crawler_top_pages.project_id is 'Project id as the API reports it (core.projects.project_id).';
comment on column core.crawler_top_pages.window_kind is 'Kind of window: month, last_7_days, last_28_days, last_90_days or day. Windows overlap: never add or average rows of different windows.';
comment on column core.crawler_top_pages.window_start is 'First day of the window (UTC). Part of the key.';
comment on column core.crawler_top_pages.window_end is 'Last day of the window (UTC), counted. Not part of the key: a month that is not over runs to the day of the sync.';
comment on column core.crawler_top_pages.scope is 'Filter the request carried: project (none), model, monitor, prompt or prompt_type. Never add or average rows of different scopes.';
comment on column core.crawler_top_pages.scope_id is 'Value of that filter; the project id in scope project.';
comment on column core.crawler_top_pages.request_path is 'Path of the page. Source: v1 analytics/crawlers/top-pages.';
comment on column core.crawler_top_pages.requests is 'Requests. Adds up over the listed pages (a top list), not over windows. Source: v1 analytics/crawlers/top-pages.';
comment on column core.crawler_top_pages.unique_crawlers is 'Different crawlers. Do not sum. Source: v1 analytics/crawlers/top-pages.';
comment on column core.crawler_top_pages.crawlers is 'Names of the crawlers. Source: v1 analytics/crawlers/top-pages.';
comment on column core.crawler_top_pages._run_id is 'Run that last changed this row (meta.runs.run_id). A row that came again unchanged keeps its older run.';
comment on column core.crawler_top_pages._changed_at is 'Instant (UTC) at which this row last changed here.';

-- One row per project, window, scope, sentiment: responses by sentiment
create table core.sentiment_distribution (
  project_id varchar not null,
  window_kind varchar not null,
  window_start date not null,
  window_end date not null,
  scope varchar not null,
  scope_id varchar not null,
  sentiment varchar not null,
  count bigint,
  percentage double,
  _run_id varchar not null,
  _changed_at timestamp not null
);
comment on table core.sentiment_distribution is 'Responses by sentiment, one answer per whole window; windows add up to nothing. Source: GET v1 responses/sentiment-distribution.';
comment on column core.sentiment_distribution.project_id is 'Project id as the API reports it (core.projects.project_id).';
comment on column core.sentiment_distribution.window_kind is 'Kind of window: month, last_7_days, last_28_days, last_90_days or day. Windows overlap: never add or average rows of different windows.';
comment on column core.sentiment_distribution.window_start is 'First day of the window (UTC). Part of the key.';
comment on column core.sentiment_distribution.window_end is 'Last day of the window (UTC), counted. Not part of the key: a month that is not over runs to the day of the sync.';
comment on column core.sentiment_distribution.scope is 'Filter the request carried: project (none), model, monitor, prompt or prompt_type. Never add or average rows of different scopes.';
comment on column core.sentiment_distribution.scope_id is 'Value of that filter; the project id in scope project.';
comment on column core.sentiment_distribution.sentiment is 'POSITIVE, NEGATIVE, NEUTRAL or what else the API reports. Source: v1 responses/sentiment-distribution.';
comment on column core.sentiment_distribution.count is 'Responses. Adds up over sentiments, not over windows. Source: v1 responses/sentiment-distribution.';
comment on column core.sentiment_distribution.percentage is 'Share of responses, percent. Do not add over windows. Source: v1 responses/sentiment-distribution.';
comment on column core.sentiment_distribution._run_id is 'Run that last changed this row (meta.runs.run_id). A row that came again unchanged keeps its older run.';
comment on column core.sentiment_distribution._changed_at is 'Instant (UTC) at which this row last changed here.';

-- One row per project, window, scope, competitor: mentions of competitors in responses, a top list
create table core.competitor_mentions (
  project_id varchar not null,
  window_kind varchar not null,
  window_start date not null,
  window_end date not null,
  scope varchar not null,
  scope_id varchar not null,
  competitor varchar not null,
  count bigint,
  percentage double,
  _run_id varchar not null,
  _changed_at timestamp not null
);
comment on table core.competitor_mentions is 'Mentions of competitors in responses, a top list, one answer per whole window; windows add up to nothing. Source: GET v1 responses/competitors.';
comment on column core.competitor_mentions.project_id is 'Project id as the API reports it (core.projects.project_id).';
comment on column core.competitor_mentions.window_kind is 'Kind of window: month, last_7_days, last_28_days, last_90_days or day. Windows overlap: never add or average rows of different windows.';
comment on column core.competitor_mentions.window_start is 'First day of the window (UTC). Part of the key.';
comment on column core.competitor_mentions.window_end is 'Last day of the window (UTC), counted. Not part of the key: a month that is not over runs to the day of the sync.';
comment on column core.competitor_mentions.scope is 'Filter the request carried: project (none), model, monitor, prompt or prompt_type. Never add or average rows of different scopes.';
comment on column core.competitor_mentions.scope_id is 'Value of that filter; the project id in scope project.';
comment on column core.competitor_mentions.competitor is 'Name of the competitor. Source: v1 responses/competitors.';
comment on column core.competitor_mentions.count is 'Responses that mention it. Do not add over windows. Source: v1 responses/competitors.';
comment on column core.competitor_mentions.percentage is 'Share of responses, percent. Do not sum or average. Source: v1 responses/competitors.';
comment on column core.competitor_mentions._run_id is 'Run that last changed this row (meta.runs.run_id). A row that came again unchanged keeps its older run.';
comment on column core.competitor_mentions._changed_at is 'Instant (UTC) at which this row last changed here.';

-- One row per project, window, scope: responses and brand mentions in total
create table core.response_summary (
  project_id varchar not null,
  window_kind varchar not null,
  window_start date not null,
  window_end date not null,
  scope varchar not null,
  scope_id varchar not null,
  total_responses bigint,
  total_brand_mentions bigint,
  brand_mention_rate double,
  _run_id varchar not null,
  _changed_at timestamp not null
);
comment on table core.response_summary is 'Responses and brand mentions in total, one answer per whole window; windows add up to nothing. Source: GET v1 responses/summary.';
comment on column core.response_summary.project_id is 'Project id as the API reports it (core.projects.project_id).';
comment on column core.response_summary.window_kind is 'Kind of window: month, last_7_days, last_28_days, last_90_days or day. Windows overlap: never add or average rows of different windows.';
comment on column core.response_summary.window_start is 'First day of the window (UTC). Part of the key.';
comment on column core.response_summary.window_end is 'Last day of the window (UTC), counted. Not part of the key: a month that is not over runs to the day of the sync.';
comment on column core.response_summary.scope is 'Filter the request carried: project (none), model, monitor, prompt or prompt_type. Never add or average rows of different scopes.';
comment on column core.response_summary.scope_id is 'Value of that filter; the project id in scope project.';
comment on column core.response_summary.total_responses is 'Responses in the window. Do not add over windows. Source: v1 responses/summary.';
comment on column core.response_summary.total_brand_mentions is 'Mentions of your brand in the window. Do not add over windows. Source: v1 responses/summary.';
comment on column core.response_summary.brand_mention_rate is 'Brand mention rate, scale as the API reports it. Do not sum or average. Source: v1 responses/summary.';
comment on column core.response_summary._run_id is 'Run that last changed this row (meta.runs.run_id). A row that came again unchanged keeps its older run.';
comment on column core.response_summary._changed_at is 'Instant (UTC) at which this row last changed here.';
