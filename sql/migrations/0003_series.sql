-- One row per period: key = project_id, grain, date, scope, scope_id and what the row says.

-- One row per project, grain, period, scope: visibility of your brand in AI answers
create table core.visibility (
  project_id varchar not null,
  grain varchar not null,
  date date not null,
  scope varchar not null,
  scope_id varchar not null,
  visibility double,
  _run_id varchar not null,
  _changed_at timestamp not null
);
comment on table core.visibility is 'Visibility of your brand in AI answers, one row per period. Source: GET v1 visibility-time-series.';
comment on column core.visibility.project_id is 'Project id as the API reports it (core.projects.project_id).';
comment on column core.visibility.grain is 'Length of the period: day, week (starts on Monday) or month. Never add or average rows of different grains.';
comment on column core.visibility.date is 'First day of the period (UTC).';
comment on column core.visibility.scope is 'Filter the request carried: project (none), model, monitor, prompt or prompt_type. Never add or average rows of different scopes.';
comment on column core.visibility.scope_id is 'Value of that filter; the project id in scope project.';
comment on column core.visibility.visibility is 'Visibility score, scale as the API reports it; NULL when it has no value. Do not sum, do not average. Source: v1 visibility-time-series.';
comment on column core.visibility._run_id is 'Run that last changed this row (meta.runs.run_id). A row that came again unchanged keeps its older run.';
comment on column core.visibility._changed_at is 'Instant (UTC) at which this row last changed here.';

-- One row per project, grain, period, scope: sentiment towards your brand in AI answers
create table core.sentiment (
  project_id varchar not null,
  grain varchar not null,
  date date not null,
  scope varchar not null,
  scope_id varchar not null,
  sentiment double,
  _run_id varchar not null,
  _changed_at timestamp not null
);
comment on table core.sentiment is 'Sentiment towards your brand in AI answers, one row per period. Source: GET v1 sentiment-time-series.';
comment on column core.sentiment.project_id is 'Project id as the API reports it (core.projects.project_id).';
comment on column core.sentiment.grain is 'Length of the period: day, week (starts on Monday) or month. Never add or average rows of different grains.';
comment on column core.sentiment.date is 'First day of the period (UTC).';
comment on column core.sentiment.scope is 'Filter the request carried: project (none), model, monitor, prompt or prompt_type. Never add or average rows of different scopes.';
comment on column core.sentiment.scope_id is 'Value of that filter; the project id in scope project.';
comment on column core.sentiment.sentiment is 'Sentiment score, scale as the API reports it; NULL when it has no value. Do not sum, do not average. Source: v1 sentiment-time-series.';
comment on column core.sentiment._run_id is 'Run that last changed this row (meta.runs.run_id). A row that came again unchanged keeps its older run.';
comment on column core.sentiment._changed_at is 'Instant (UTC) at which this row last changed here.';

-- One row per project, grain, period, scope: share of voice of your brand
create table core.share_of_voice (
  project_id varchar not null,
  grain varchar not null,
  date date not null,
  scope varchar not null,
  scope_id varchar not null,
  total_responses bigint,
  brand_mentions bigint,
  share_of_voice double,
  previous_period_share_of_voice double,
  change double,
  _run_id varchar not null,
  _changed_at timestamp not null
);
comment on table core.share_of_voice is 'Share of voice of your brand, one row per period. Source: GET v1 share-of-voice/time-series.';
comment on column core.share_of_voice.project_id is 'Project id as the API reports it (core.projects.project_id).';
comment on column core.share_of_voice.grain is 'Length of the period: day, week (starts on Monday) or month. Never add or average rows of different grains.';
comment on column core.share_of_voice.date is 'First day of the period (UTC).';
comment on column core.share_of_voice.scope is 'Filter the request carried: project (none), model, monitor, prompt or prompt_type. Never add or average rows of different scopes.';
comment on column core.share_of_voice.scope_id is 'Value of that filter; the project id in scope project.';
comment on column core.share_of_voice.total_responses is 'Organic responses in the period. Adds up over periods of one grain, not over scopes. Source: v1 share-of-voice/time-series.';
comment on column core.share_of_voice.brand_mentions is 'Responses that mention your brand. Adds up over periods of one grain, not over scopes. Source: v1 share-of-voice/time-series.';
comment on column core.share_of_voice.share_of_voice is 'Brand mentions per organic response, percent 0 to 100. Do not sum or average: compute from the counts. Source: v1 share-of-voice/time-series.';
comment on column core.share_of_voice.previous_period_share_of_voice is 'Share of voice of the period before, percent. Do not sum or average. Source: v1 share-of-voice/time-series.';
comment on column core.share_of_voice.change is 'Change against the period before, percentage points. Do not sum or average. Source: v1 share-of-voice/time-series.';
comment on column core.share_of_voice._run_id is 'Run that last changed this row (meta.runs.run_id). A row that came again unchanged keeps its older run.';
comment on column core.share_of_voice._changed_at is 'Instant (UTC) at which this row last changed here.';

-- One row per project, grain, period, scope, brand_id: visibility of each brand, own and competing
create table core.brand_visibility (
  project_id varchar not null,
  grain varchar not null,
  date date not null,
  scope varchar not null,
  scope_id varchar not null,
  brand_id varchar not null,
  average_visibility double,
  mention_count bigint,
  total_responses bigint,
  visibility_percentage double,
  _run_id varchar not null,
  _changed_at timestamp not null
);
comment on table core.brand_visibility is 'Visibility of each brand, own and competing, one row per period. Source: GET v1 analytics/brands/visibility-over-time.';
comment on column core.brand_visibility.project_id is 'Project id as the API reports it (core.projects.project_id).';
comment on column core.brand_visibility.grain is 'Length of the period: day, week (starts on Monday) or month. Never add or average rows of different grains.';
comment on column core.brand_visibility.date is 'First day of the period (UTC).';
comment on column core.brand_visibility.scope is 'Filter the request carried: project (none), model, monitor, prompt or prompt_type. Never add or average rows of different scopes.';
comment on column core.brand_visibility.scope_id is 'Value of that filter; the project id in scope project.';
comment on column core.brand_visibility.brand_id is 'Brand id (core.brands). Source: v1 analytics/brands/visibility-over-time.';
comment on column core.brand_visibility.average_visibility is 'Average visibility, scale as the API reports it. Do not sum, do not average. Source: v1 analytics/brands/visibility-over-time.';
comment on column core.brand_visibility.mention_count is 'Mentions of the brand. Adds up over periods of one grain. Source: v1 analytics/brands/visibility-over-time.';
comment on column core.brand_visibility.total_responses is 'Responses in the period, the same for every brand: do not sum over brands. Source: v1 analytics/brands/visibility-over-time.';
comment on column core.brand_visibility.visibility_percentage is 'Share of responses that show the brand, percent. Do not sum or average. Source: v1 analytics/brands/visibility-over-time.';
comment on column core.brand_visibility._run_id is 'Run that last changed this row (meta.runs.run_id). A row that came again unchanged keeps its older run.';
comment on column core.brand_visibility._changed_at is 'Instant (UTC) at which this row last changed here.';

-- One row per project, grain, period, scope, domain: citations of each domain in AI answers
create table core.domain_citations (
  project_id varchar not null,
  grain varchar not null,
  date date not null,
  scope varchar not null,
  scope_id varchar not null,
  domain varchar not null,
  citations bigint,
  _run_id varchar not null,
  _changed_at timestamp not null
);
comment on table core.domain_citations is 'Citations of each domain in AI answers, one row per period. Source: GET v1 citations/domains-over-time.';
comment on column core.domain_citations.project_id is 'Project id as the API reports it (core.projects.project_id).';
comment on column core.domain_citations.grain is 'Length of the period: day, week (starts on Monday) or month. Never add or average rows of different grains.';
comment on column core.domain_citations.date is 'First day of the period (UTC).';
comment on column core.domain_citations.scope is 'Filter the request carried: project (none), model, monitor, prompt or prompt_type. Never add or average rows of different scopes.';
comment on column core.domain_citations.scope_id is 'Value of that filter; the project id in scope project.';
comment on column core.domain_citations.domain is 'Cited domain. Source: v1 citations/domains-over-time.';
comment on column core.domain_citations.citations is 'Citations of the domain. Adds up over periods of one grain and over the listed domains (the list may be cut). Source: v1 citations/domains-over-time.';
comment on column core.domain_citations._run_id is 'Run that last changed this row (meta.runs.run_id). A row that came again unchanged keeps its older run.';
comment on column core.domain_citations._changed_at is 'Instant (UTC) at which this row last changed here.';

-- One row per project, grain, period, scope: citations of your domain and their rank
create table core.citation_ranks (
  project_id varchar not null,
  grain varchar not null,
  date date not null,
  scope varchar not null,
  scope_id varchar not null,
  total_citations bigint,
  average_rank double,
  best_rank double,
  worst_rank double,
  citations_with_rank bigint,
  _run_id varchar not null,
  _changed_at timestamp not null
);
comment on table core.citation_ranks is 'Citations of your domain and their rank, one row per period. Source: GET v1 citations/rank-analysis.';
comment on column core.citation_ranks.project_id is 'Project id as the API reports it (core.projects.project_id).';
comment on column core.citation_ranks.grain is 'Length of the period: day, week (starts on Monday) or month. Never add or average rows of different grains.';
comment on column core.citation_ranks.date is 'First day of the period (UTC).';
comment on column core.citation_ranks.scope is 'Filter the request carried: project (none), model, monitor, prompt or prompt_type. Never add or average rows of different scopes.';
comment on column core.citation_ranks.scope_id is 'Value of that filter; the project id in scope project.';
comment on column core.citation_ranks.total_citations is 'Citations. Adds up over periods of one grain. Source: v1 citations/rank-analysis.';
comment on column core.citation_ranks.average_rank is 'Average rank of the citations that have one, 1 is best. Do not sum or average. Source: v1 citations/rank-analysis.';
comment on column core.citation_ranks.best_rank is 'Best (lowest) rank. Minimum over periods only. Source: v1 citations/rank-analysis.';
comment on column core.citation_ranks.worst_rank is 'Worst (highest) rank. Maximum over periods only. Source: v1 citations/rank-analysis.';
comment on column core.citation_ranks.citations_with_rank is 'Citations that have a rank. Adds up over periods of one grain. Source: v1 citations/rank-analysis.';
comment on column core.citation_ranks._run_id is 'Run that last changed this row (meta.runs.run_id). A row that came again unchanged keeps its older run.';
comment on column core.citation_ranks._changed_at is 'Instant (UTC) at which this row last changed here.';

-- One row per project, grain, period, scope: responses by sentiment; grain is always day, scope always project
create table core.response_sentiment (
  project_id varchar not null,
  grain varchar not null,
  date date not null,
  scope varchar not null,
  scope_id varchar not null,
  positive bigint,
  negative bigint,
  neutral bigint,
  unknown bigint,
  _run_id varchar not null,
  _changed_at timestamp not null
);
comment on table core.response_sentiment is 'Responses by sentiment; grain is always day, scope always project, one row per period. Source: GET v1 responses/sentiment-time-series.';
comment on column core.response_sentiment.project_id is 'Project id as the API reports it (core.projects.project_id).';
comment on column core.response_sentiment.grain is 'Length of the period: day, week (starts on Monday) or month. Never add or average rows of different grains.';
comment on column core.response_sentiment.date is 'First day of the period (UTC).';
comment on column core.response_sentiment.scope is 'Filter the request carried: project (none), model, monitor, prompt or prompt_type. Never add or average rows of different scopes.';
comment on column core.response_sentiment.scope_id is 'Value of that filter; the project id in scope project.';
comment on column core.response_sentiment.positive is 'Positive responses. Adds up over days. Source: v1 responses/sentiment-time-series.';
comment on column core.response_sentiment.negative is 'Negative responses. Adds up over days. Source: v1 responses/sentiment-time-series.';
comment on column core.response_sentiment.neutral is 'Neutral responses. Adds up over days. Source: v1 responses/sentiment-time-series.';
comment on column core.response_sentiment.unknown is 'Responses without a known sentiment. Adds up over days. Source: v1 responses/sentiment-time-series.';
comment on column core.response_sentiment._run_id is 'Run that last changed this row (meta.runs.run_id). A row that came again unchanged keeps its older run.';
comment on column core.response_sentiment._changed_at is 'Instant (UTC) at which this row last changed here.';

-- One row per project, grain, period, scope, crawler: requests of AI crawlers to the tracked site
create table core.crawler_requests (
  project_id varchar not null,
  grain varchar not null,
  date date not null,
  scope varchar not null,
  scope_id varchar not null,
  crawler varchar not null,
  requests bigint,
  _run_id varchar not null,
  _changed_at timestamp not null
);
comment on table core.crawler_requests is 'Requests of AI crawlers to the tracked site, one row per period. Source: GET v1 analytics/crawlers/trend.';
comment on column core.crawler_requests.project_id is 'Project id as the API reports it (core.projects.project_id).';
comment on column core.crawler_requests.grain is 'Length of the period: day, week (starts on Monday) or month. Never add or average rows of different grains.';
comment on column core.crawler_requests.date is 'First day of the period (UTC).';
comment on column core.crawler_requests.scope is 'Filter the request carried: project (none), model, monitor, prompt or prompt_type. Never add or average rows of different scopes.';
comment on column core.crawler_requests.scope_id is 'Value of that filter; the project id in scope project.';
comment on column core.crawler_requests.crawler is 'Crawler, as the API names it. Source: v1 analytics/crawlers/trend.';
comment on column core.crawler_requests.requests is 'Requests. Adds up over periods of one grain and over crawlers. Source: v1 analytics/crawlers/trend.';
comment on column core.crawler_requests._run_id is 'Run that last changed this row (meta.runs.run_id). A row that came again unchanged keeps its older run.';
comment on column core.crawler_requests._changed_at is 'Instant (UTC) at which this row last changed here.';

-- One row per project, grain, period, scope, referrer: visits that AI assistants sent to the tracked site
create table core.visitor_visits (
  project_id varchar not null,
  grain varchar not null,
  date date not null,
  scope varchar not null,
  scope_id varchar not null,
  referrer varchar not null,
  visits bigint,
  _run_id varchar not null,
  _changed_at timestamp not null
);
comment on table core.visitor_visits is 'Visits that AI assistants sent to the tracked site, one row per period. Source: GET v1 analytics/visitors/trend.';
comment on column core.visitor_visits.project_id is 'Project id as the API reports it (core.projects.project_id).';
comment on column core.visitor_visits.grain is 'Length of the period: day, week (starts on Monday) or month. Never add or average rows of different grains.';
comment on column core.visitor_visits.date is 'First day of the period (UTC).';
comment on column core.visitor_visits.scope is 'Filter the request carried: project (none), model, monitor, prompt or prompt_type. Never add or average rows of different scopes.';
comment on column core.visitor_visits.scope_id is 'Value of that filter; the project id in scope project.';
comment on column core.visitor_visits.referrer is 'Referrer, as the API names it. Source: v1 analytics/visitors/trend.';
comment on column core.visitor_visits.visits is 'Visits. Adds up over periods of one grain and over referrers. Source: v1 analytics/visitors/trend.';
comment on column core.visitor_visits._run_id is 'Run that last changed this row (meta.runs.run_id). A row that came again unchanged keeps its older run.';
comment on column core.visitor_visits._changed_at is 'Instant (UTC) at which this row last changed here.';
