-- Generated picture of the schema; "npx vitest run test/warehouse/schema.test.ts -u" writes it again.

-- Keys that were used, without the secret. Source: GET v2 auth/validate.
table core.api_keys (
  api_key_id varchar not null, -- Identifier of the key, not the secret. Source: GET v2 auth/validate.
  key_type varchar, -- project or organization. Source: GET v2 auth/validate.
  organization_id varchar, -- Organization of the key. Source: GET v2 auth/validate.
  project_id varchar, -- Project of a project key; NULL for an organization key. Source: GET v2 auth/validate.
  name varchar, -- Name given in the dashboard. Source: GET v2 auth/validate.
  permission varchar, -- Permission; FULL is the value that occurs. Source: GET v2 auth/validate.
  created_at timestamp, -- Instant (UTC) of creation. Source: GET v2 auth/validate.
  last_used_at timestamp, -- Instant (UTC) of last use; moves with every call and does not count as a change. Source: GET v2 auth/validate.
  _run_id varchar not null, -- Run that last changed this row (meta.runs.run_id). A row that came again unchanged keeps its older run.
  _changed_at timestamp not null, -- Instant (UTC) at which this row last changed here.
);

-- Visibility of each brand, own and competing, one row per period. Source: GET v1 analytics/brands/visibility-over-time.
table core.brand_visibility (
  project_id varchar not null, -- Project id as the API reports it (core.projects.project_id).
  grain varchar not null, -- Length of the period: day, week (starts on Monday) or month. Filter on one; never add or average different grains.
  date date not null, -- First day of the period (UTC).
  scope varchar not null, -- Filter the request carried: project (none), model, monitor, prompt or prompt_type. Filter on one; never add or average different scopes.
  scope_id varchar not null, -- Value of that filter; the project id in scope project.
  brand_id varchar not null, -- Brand id (core.brands). Source: GET v1 analytics/brands/visibility-over-time.
  average_visibility double, -- Average visibility, scale as the API reports it. Do not sum or average. Source: GET v1 analytics/brands/visibility-over-time.
  mention_count bigint, -- Mentions of the brand. Adds up over periods of one grain. Source: GET v1 analytics/brands/visibility-over-time.
  total_responses bigint, -- Responses in the period, the same for every brand. Do not add over brands. Source: GET v1 analytics/brands/visibility-over-time.
  visibility_percentage double, -- Share of responses that show the brand, percent. Do not sum or average. Source: GET v1 analytics/brands/visibility-over-time.
  _run_id varchar not null, -- Run that last changed this row (meta.runs.run_id). A row that came again unchanged keeps its older run.
  _changed_at timestamp not null, -- Instant (UTC) at which this row last changed here.
);

-- Brands seen in answers: your brand and competitors. Source: GET v1 analytics/brands/visibility-over-time.
table core.brands (
  project_id varchar not null, -- Project id as the API reports it (core.projects.project_id).
  brand_id varchar not null, -- Brand id. Source: GET v1 analytics/brands/visibility-over-time.
  name varchar, -- Name. Source: GET v1 analytics/brands/visibility-over-time.
  domain varchar, -- Domain. Source: GET v1 analytics/brands/visibility-over-time.
  relation varchar, -- SELF, DIRECT_COMPETITOR, IGNORED or OTHER. Source: GET v1 analytics/brands/visibility-over-time.
  _run_id varchar not null, -- Run that last changed this row (meta.runs.run_id). A row that came again unchanged keeps its older run.
  _changed_at timestamp not null, -- Instant (UTC) at which this row last changed here.
);

-- Citations of your domain and their rank, one row per period. Source: GET v1 citations/rank-analysis.
table core.citation_ranks (
  project_id varchar not null, -- Project id as the API reports it (core.projects.project_id).
  grain varchar not null, -- Length of the period: day, week (starts on Monday) or month. Filter on one; never add or average different grains.
  date date not null, -- First day of the period (UTC).
  scope varchar not null, -- Filter the request carried: project (none), model, monitor, prompt or prompt_type. Filter on one; never add or average different scopes.
  scope_id varchar not null, -- Value of that filter; the project id in scope project.
  total_citations bigint, -- Citations. Adds up over periods of one grain. Source: GET v1 citations/rank-analysis.
  average_rank double, -- Average rank of the citations that have one, 1 is best. Do not sum or average. Source: GET v1 citations/rank-analysis.
  best_rank double, -- Best (lowest) rank. Do not sum or average: take the minimum over periods. Source: GET v1 citations/rank-analysis.
  worst_rank double, -- Worst (highest) rank. Do not sum or average: take the maximum over periods. Source: GET v1 citations/rank-analysis.
  citations_with_rank bigint, -- Citations that have a rank. Adds up over periods of one grain. Source: GET v1 citations/rank-analysis.
  _run_id varchar not null, -- Run that last changed this row (meta.runs.run_id). A row that came again unchanged keeps its older run.
  _changed_at timestamp not null, -- Instant (UTC) at which this row last changed here.
);

-- Citations in total, one answer per whole window; windows add up to nothing. Source: GET v1 citations/domains-over-time, GET v1 citations/rank-analysis.
table core.citation_totals (
  project_id varchar not null, -- Project id as the API reports it (core.projects.project_id).
  window_kind varchar not null, -- Kind of window: month, last_7_days, last_28_days, last_90_days or day. Windows overlap. Filter on one; never add or average different windows.
  window_start date not null, -- First day of the window (UTC). Part of the key.
  window_end date not null, -- Last day of the window (UTC), counted. Not part of the key: a month that is not over runs to the day of the sync.
  scope varchar not null, -- Filter the request carried: project (none), model, monitor, prompt or prompt_type. Filter on one; never add or average different scopes.
  scope_id varchar not null, -- Value of that filter; the project id in scope project.
  total_citations bigint, -- All citations, domains beyond the limit included (domains-over-time). Do not add over windows. Source: GET v1 citations/domains-over-time, GET v1 citations/rank-analysis.
  overall_average_rank double, -- Average rank over all citations, 1 is best (rank-analysis). Do not sum or average. Source: GET v1 citations/domains-over-time, GET v1 citations/rank-analysis.
  _run_id varchar not null, -- Run that last changed this row (meta.runs.run_id). A row that came again unchanged keeps its older run.
  _changed_at timestamp not null, -- Instant (UTC) at which this row last changed here.
);

-- Drafts that answerlake pushed to the CMS. Source: POST v2 content/{id}/cms/draft.
table core.cms_drafts (
  publish_record_id varchar not null, -- Publish record id. Source: POST v2 content/{id}/cms/draft.
  content_id varchar, -- Content document. Source: POST v2 content/{id}/cms/draft.
  connection_id varchar, -- CMS connection. Source: POST v2 content/{id}/cms/draft.
  external_item_id varchar, -- Identifier of the item in the CMS. Source: POST v2 content/{id}/cms/draft.
  status varchar, -- STAGED: written as an unpublished draft. Source: POST v2 content/{id}/cms/draft.
  slug varchar, -- Slug of the item. Source: POST v2 content/{id}/cms/draft.
  pushed_at timestamp, -- Instant (UTC) of the push. Source: POST v2 content/{id}/cms/draft.
  _run_id varchar not null, -- Run that last changed this row (meta.runs.run_id). A row that came again unchanged keeps its older run.
  _changed_at timestamp not null, -- Instant (UTC) at which this row last changed here.
);

-- Visibility of each competitor in each model, one answer per whole window; windows add up to nothing. Source: GET v1 competitor-heatmap.
table core.competitor_heatmap (
  project_id varchar not null, -- Project id as the API reports it (core.projects.project_id).
  window_kind varchar not null, -- Kind of window: month, last_7_days, last_28_days, last_90_days or day. Windows overlap. Filter on one; never add or average different windows.
  window_start date not null, -- First day of the window (UTC). Part of the key.
  window_end date not null, -- Last day of the window (UTC), counted. Not part of the key: a month that is not over runs to the day of the sync.
  scope varchar not null, -- Filter the request carried: project (none), model, monitor, prompt or prompt_type. Filter on one; never add or average different scopes.
  scope_id varchar not null, -- Value of that filter; the project id in scope project.
  competitor_name varchar not null, -- Name; names repeat and may look like numbers. Source: GET v1 competitor-heatmap.
  competitor_domain varchar not null, -- Domain; '' when the API reports none. Source: GET v1 competitor-heatmap.
  model_id varchar not null, -- Model id (core.models; LEFT JOIN). Source: GET v1 competitor-heatmap.
  relation varchar, -- DIRECT_COMPETITOR or OTHER; SELF where your brand is listed. Source: GET v1 competitor-heatmap.
  competitor_rank bigint, -- Place in the list of the answer, 1 is first. Source: GET v1 competitor-heatmap.
  visibility double, -- Visibility, percent; NULL: the answer has no cell. Do not sum or average. Source: GET v1 competitor-heatmap.
  _run_id varchar not null, -- Run that last changed this row (meta.runs.run_id). A row that came again unchanged keeps its older run.
  _changed_at timestamp not null, -- Instant (UTC) at which this row last changed here.
);

-- Mentions of competitors in responses, a top list, one answer per whole window; windows add up to nothing. Source: GET v1 responses/competitors.
table core.competitor_mentions (
  project_id varchar not null, -- Project id as the API reports it (core.projects.project_id).
  window_kind varchar not null, -- Kind of window: month, last_7_days, last_28_days, last_90_days or day. Windows overlap. Filter on one; never add or average different windows.
  window_start date not null, -- First day of the window (UTC). Part of the key.
  window_end date not null, -- Last day of the window (UTC), counted. Not part of the key: a month that is not over runs to the day of the sync.
  scope varchar not null, -- Filter the request carried: project (none), model, monitor, prompt or prompt_type. Filter on one; never add or average different scopes.
  scope_id varchar not null, -- Value of that filter; the project id in scope project.
  competitor varchar not null, -- Name of the competitor. Source: GET v1 responses/competitors.
  count bigint, -- Responses that mention it. Do not add over windows. Source: GET v1 responses/competitors.
  percentage double, -- Share of responses, percent. Do not sum or average. Source: GET v1 responses/competitors.
  _run_id varchar not null, -- Run that last changed this row (meta.runs.run_id). A row that came again unchanged keeps its older run.
  _changed_at timestamp not null, -- Instant (UTC) at which this row last changed here.
);

-- Requests of AI crawlers to the tracked site, one row per period. Source: GET v1 analytics/crawlers/trend.
table core.crawler_requests (
  project_id varchar not null, -- Project id as the API reports it (core.projects.project_id).
  grain varchar not null, -- Length of the period: day, week (starts on Monday) or month. Filter on one; never add or average different grains.
  date date not null, -- First day of the period (UTC).
  scope varchar not null, -- Filter the request carried: project (none), model, monitor, prompt or prompt_type. Filter on one; never add or average different scopes.
  scope_id varchar not null, -- Value of that filter; the project id in scope project.
  crawler varchar not null, -- Crawler, as the API names it. Source: GET v1 analytics/crawlers/trend.
  requests bigint, -- Requests. Adds up over periods of one grain and over crawlers. Source: GET v1 analytics/crawlers/trend.
  _run_id varchar not null, -- Run that last changed this row (meta.runs.run_id). A row that came again unchanged keeps its older run.
  _changed_at timestamp not null, -- Instant (UTC) at which this row last changed here.
);

-- Pages that AI crawlers asked for most, one answer per whole window; windows add up to nothing. Source: GET v1 analytics/crawlers/top-pages.
table core.crawler_top_pages (
  project_id varchar not null, -- Project id as the API reports it (core.projects.project_id).
  window_kind varchar not null, -- Kind of window: month, last_7_days, last_28_days, last_90_days or day. Windows overlap. Filter on one; never add or average different windows.
  window_start date not null, -- First day of the window (UTC). Part of the key.
  window_end date not null, -- Last day of the window (UTC), counted. Not part of the key: a month that is not over runs to the day of the sync.
  scope varchar not null, -- Filter the request carried: project (none), model, monitor, prompt or prompt_type. Filter on one; never add or average different scopes.
  scope_id varchar not null, -- Value of that filter; the project id in scope project.
  request_path varchar not null, -- Path of the page. Source: GET v1 analytics/crawlers/top-pages.
  requests bigint, -- Requests. Adds up over the listed pages (a top list), not over windows. Source: GET v1 analytics/crawlers/top-pages.
  unique_crawlers bigint, -- Different crawlers. Do not sum. Source: GET v1 analytics/crawlers/top-pages.
  crawlers varchar[], -- Names of the crawlers. Source: GET v1 analytics/crawlers/top-pages.
  _run_id varchar not null, -- Run that last changed this row (meta.runs.run_id). A row that came again unchanged keeps its older run.
  _changed_at timestamp not null, -- Instant (UTC) at which this row last changed here.
);

-- Citations of each domain, one answer per whole window; windows add up to nothing. Source: GET v1 citations/domains-over-time.
table core.domain_citation_totals (
  project_id varchar not null, -- Project id as the API reports it (core.projects.project_id).
  window_kind varchar not null, -- Kind of window: month, last_7_days, last_28_days, last_90_days or day. Windows overlap. Filter on one; never add or average different windows.
  window_start date not null, -- First day of the window (UTC). Part of the key.
  window_end date not null, -- Last day of the window (UTC), counted. Not part of the key: a month that is not over runs to the day of the sync.
  scope varchar not null, -- Filter the request carried: project (none), model, monitor, prompt or prompt_type. Filter on one; never add or average different scopes.
  scope_id varchar not null, -- Value of that filter; the project id in scope project.
  domain varchar not null, -- Cited domain. Source: GET v1 citations/domains-over-time.
  total bigint, -- Citations in the window. Adds up over the listed domains (the list may be cut), not over windows. Source: GET v1 citations/domains-over-time.
  percentage double, -- Share of all citations, percent; NULL for a domain that was asked for by its name because the list was cut off before it. Do not add over windows. Source: GET v1 citations/domains-over-time.
  average_rank double, -- Average rank, 1 is best. Do not sum or average. Source: GET v1 citations/domains-over-time.
  _run_id varchar not null, -- Run that last changed this row (meta.runs.run_id). A row that came again unchanged keeps its older run.
  _changed_at timestamp not null, -- Instant (UTC) at which this row last changed here.
);

-- Citations of each domain in AI answers, one row per period. Source: GET v1 citations/domains-over-time.
table core.domain_citations (
  project_id varchar not null, -- Project id as the API reports it (core.projects.project_id).
  grain varchar not null, -- Length of the period: day, week (starts on Monday) or month. Filter on one; never add or average different grains.
  date date not null, -- First day of the period (UTC).
  scope varchar not null, -- Filter the request carried: project (none), model, monitor, prompt or prompt_type. Filter on one; never add or average different scopes.
  scope_id varchar not null, -- Value of that filter; the project id in scope project.
  domain varchar not null, -- Cited domain. Source: GET v1 citations/domains-over-time.
  citations bigint, -- Citations of the domain. Adds up over periods of one grain and over the listed domains (the list may be cut). Source: GET v1 citations/domains-over-time.
  _run_id varchar not null, -- Run that last changed this row (meta.runs.run_id). A row that came again unchanged keeps its older run.
  _changed_at timestamp not null, -- Instant (UTC) at which this row last changed here.
);

-- Prompts that a prompt event created or deleted. Source: GET v2 events.
table core.event_prompts (
  project_id varchar not null, -- Project id as the API reports it (core.projects.project_id).
  event_id varchar not null, -- Event (core.events). Source: GET v2 events.
  prompt_id varchar not null, -- Prompt id. Source: GET v2 events.
  date date not null, -- UTC day that the event is filed under, the join key. Source: GET v2 events.
  occurred_at timestamp not null, -- Instant (UTC) at which the prompt was created or deleted. Source: GET v2 events.
  _run_id varchar not null, -- Run that last changed this row (meta.runs.run_id). A row that came again unchanged keeps its older run.
  _changed_at timestamp not null, -- Instant (UTC) at which this row last changed here.
);

-- Dated project events: completed actions, and prompts created or deleted (one event per day and monitor). Source: GET v2 events.
table core.events (
  project_id varchar not null, -- Project id as the API reports it (core.projects.project_id).
  event_id varchar not null, -- action:<action id> or <type>:<date>:<monitor id>. Source: GET v2 events.
  date date not null, -- Day (UTC), the join key of the API. Source: GET v2 events.
  type varchar not null, -- action, prompts_created or prompts_deleted. Source: GET v2 events.
  occurred_at timestamp not null, -- Instant (UTC) of the action, or of the earliest prompt of the group (moves while the day fills). Source: GET v2 events.
  action_id varchar, -- Action id; NULL for prompt groups. Source: GET v2 events.
  action_type varchar, -- Type of the action, for example CONTENT_GAP; NULL for prompt groups. Source: GET v2 events.
  action_status varchar, -- done is the only value in events; NULL for prompt groups. Source: GET v2 events.
  action_title varchar, -- Title of the action; NULL for prompt groups. Source: GET v2 events.
  monitor_id varchar, -- Monitor of the prompt group; NULL for actions. Source: GET v2 events.
  monitor_name varchar, -- Name of the monitor as reported with the event; may be NULL. Source: GET v2 events.
  prompt_count bigint, -- Prompts in the group; NULL for actions. Adds up over events. Source: GET v2 events.
  _run_id varchar not null, -- Run that last changed this row (meta.runs.run_id). A row that came again unchanged keeps its older run.
  _changed_at timestamp not null, -- Instant (UTC) at which this row last changed here.
);

-- Citations by AI model, one answer per whole window; windows add up to nothing. Source: GET v1 citations/llm-sources.
table core.llm_sources (
  project_id varchar not null, -- Project id as the API reports it (core.projects.project_id).
  window_kind varchar not null, -- Kind of window: month, last_7_days, last_28_days, last_90_days or day. Windows overlap. Filter on one; never add or average different windows.
  window_start date not null, -- First day of the window (UTC). Part of the key.
  window_end date not null, -- Last day of the window (UTC), counted. Not part of the key: a month that is not over runs to the day of the sync.
  scope varchar not null, -- Filter the request carried: project (none), model, monitor, prompt or prompt_type. Filter on one; never add or average different scopes.
  scope_id varchar not null, -- Value of that filter; the project id in scope project.
  llm varchar not null, -- Model id (core.models; LEFT JOIN). Source: GET v1 citations/llm-sources.
  provider varchar, -- Provider. Source: GET v1 citations/llm-sources.
  model varchar, -- Model. Source: GET v1 citations/llm-sources.
  total_citations bigint, -- Citations. Adds up over models, not over windows. Source: GET v1 citations/llm-sources.
  unique_domains bigint, -- Different domains. Do not sum. Source: GET v1 citations/llm-sources.
  unique_prompts bigint, -- Different prompts. Do not sum. Source: GET v1 citations/llm-sources.
  _run_id varchar not null, -- Run that last changed this row (meta.runs.run_id). A row that came again unchanged keeps its older run.
  _changed_at timestamp not null, -- Instant (UTC) at which this row last changed here.
);

-- Catalogue of AI models. Analytics may use ids that it lacks: LEFT JOIN. Source: GET v1 models.
table core.models (
  model_id varchar not null, -- Model id, <provider>_<model>; both parts may contain an underscore. Source: GET v1 models.
  label varchar, -- Name for people. Source: GET v1 models.
  provider varchar, -- Provider key. Source: GET v1 models.
  provider_name varchar, -- Provider name. Source: GET v1 models.
  model_name varchar, -- Model name. Source: GET v1 models.
  api_identifier varchar, -- Name of the model at its provider. Source: GET v1 models.
  description varchar, -- Description. Source: GET v1 models.
  search_enabled boolean, -- True when the model searches the web. Source: GET v1 models.
  live_search boolean, -- True when it searches live. Source: GET v1 models.
  deprecated boolean, -- True when it is no longer asked. Source: GET v1 models.
  _run_id varchar not null, -- Run that last changed this row (meta.runs.run_id). A row that came again unchanged keeps its older run.
  _changed_at timestamp not null, -- Instant (UTC) at which this row last changed here.
);

-- Monitors, as seen in prompts and events; last known name. Source: GET v1 prompts, GET v2 events.
table core.monitors (
  project_id varchar not null, -- Project id as the API reports it (core.projects.project_id).
  monitor_id varchar not null, -- Monitor id. Source: GET v1 prompts, GET v2 events.
  name varchar, -- Last known name; NULL when never reported. Source: GET v1 prompts, GET v2 events.
  _run_id varchar not null, -- Run that last changed this row (meta.runs.run_id). A row that came again unchanged keeps its older run.
  _changed_at timestamp not null, -- Instant (UTC) at which this row last changed here.
);

-- Organizations behind the configured keys. Source: GET v2 auth/validate.
table core.organizations (
  organization_id varchar not null, -- Organization id. Source: GET v2 auth/validate.
  name varchar, -- Name. Source: GET v2 auth/validate.
  slug varchar, -- Short name for addresses. Source: GET v2 auth/validate.
  _run_id varchar not null, -- Run that last changed this row (meta.runs.run_id). A row that came again unchanged keeps its older run.
  _changed_at timestamp not null, -- Instant (UTC) at which this row last changed here.
);

-- Projects (brand workspaces) that the configured keys reach. Source: GET v2 auth/validate.
table core.projects (
  project_id varchar not null, -- Project id. Source: GET v2 auth/validate.
  organization_id varchar, -- Organization the project belongs to. Source: GET v2 auth/validate.
  name varchar, -- Name. Source: GET v2 auth/validate.
  slug varchar, -- Short name for addresses. Source: GET v2 auth/validate.
  _run_id varchar not null, -- Run that last changed this row (meta.runs.run_id). A row that came again unchanged keeps its older run.
  _changed_at timestamp not null, -- Instant (UTC) at which this row last changed here.
);

-- State of every listed prompt on each day of a sync, as the first list of the day told it: the history that the prompt list itself lacks. Source: GET v1 prompts.
table core.prompt_snapshots (
  project_id varchar not null, -- Project id as the API reports it (core.projects.project_id).
  date date not null, -- Day of the sync (UTC). Source: GET v1 prompts.
  prompt_id varchar not null, -- Prompt id. Source: GET v1 prompts.
  amount_of_responses bigint, -- Responses so far, over all time: a running total. Do not sum: take differences between days. Source: GET v1 prompts.
  volume double, -- Weighted search volume. Do not add over days. Source: GET v1 prompts.
  average_visibility double, -- Average visibility over all responses. Do not average. Source: GET v1 prompts.
  difficulty double, -- Weighted average keyword difficulty. Do not average. Source: GET v1 prompts.
  is_active boolean, -- True when it was asked on that day. Source: GET v1 prompts.
  seen_at timestamp, -- Instant (UTC) of the answer: the figures are those of that moment. Source: GET v1 prompts.
  _run_id varchar not null, -- Run that last changed this row (meta.runs.run_id). A row that came again unchanged keeps its older run.
  _changed_at timestamp not null, -- Instant (UTC) at which this row last changed here.
);

-- Tracked prompts; a prompt that left the list stays here with removed_at. Prompts that only events mention come from GET v1 prompts/{id}. Source: GET v1 prompts.
table core.prompts (
  project_id varchar not null, -- Project id as the API reports it (core.projects.project_id).
  prompt_id varchar not null, -- Prompt id. Source: GET v1 prompts.
  prompt varchar, -- Text of the prompt; NULL when the API no longer knows it. Source: GET v1 prompts.
  type varchar, -- ORGANIC, BRAND_SPECIFIC or COMPETITOR_COMPARISON. Source: GET v1 prompts.
  is_active boolean, -- True when it is asked at present. Source: GET v1 prompts.
  language_code varchar, -- Language. Source: GET v1 prompts.
  monitor_id varchar, -- Monitor it belongs to (core.monitors). Source: GET v1 prompts.
  amount_of_responses bigint, -- Responses so far, over all time: a running total. Do not add over days. Source: GET v1 prompts.
  volume double, -- Weighted search volume over all keywords. Source: GET v1 prompts.
  intent varchar, -- BRANDED, INFORMATIONAL, NAVIGATIONAL, COMMERCIAL or TRANSACTIONAL. Source: GET v1 prompts.
  average_visibility double, -- Average visibility over all responses, scale as the API reports it. Do not average. Source: GET v1 prompts.
  difficulty double, -- Weighted average keyword difficulty. Do not average. Source: GET v1 prompts.
  created_at timestamp, -- Instant (UTC) of creation. Source: GET v1 prompts.
  updated_at timestamp, -- Instant (UTC) of the last change; moves without a visible change and does not count as one. Source: GET v1 prompts.
  removed_at timestamp, -- Instant (UTC) at which it was first missing from the list; NULL while it is listed. Ours, not reported. Source: GET v1 prompts.
  _run_id varchar not null, -- Run that last changed this row (meta.runs.run_id). A row that came again unchanged keeps its older run.
  _changed_at timestamp not null, -- Instant (UTC) at which this row last changed here.
);

-- Responses by sentiment; grain is always day, scope always project, one row per period. Source: GET v1 responses/sentiment-time-series.
table core.response_sentiment (
  project_id varchar not null, -- Project id as the API reports it (core.projects.project_id).
  grain varchar not null, -- Length of the period: day, week (starts on Monday) or month. Filter on one; never add or average different grains.
  date date not null, -- First day of the period (UTC).
  scope varchar not null, -- Filter the request carried: project (none), model, monitor, prompt or prompt_type. Filter on one; never add or average different scopes.
  scope_id varchar not null, -- Value of that filter; the project id in scope project.
  positive bigint, -- Positive responses. Adds up over days. Source: GET v1 responses/sentiment-time-series.
  negative bigint, -- Negative responses. Adds up over days. Source: GET v1 responses/sentiment-time-series.
  neutral bigint, -- Neutral responses. Adds up over days. Source: GET v1 responses/sentiment-time-series.
  unknown bigint, -- Responses without a known sentiment. Adds up over days. Source: GET v1 responses/sentiment-time-series.
  _run_id varchar not null, -- Run that last changed this row (meta.runs.run_id). A row that came again unchanged keeps its older run.
  _changed_at timestamp not null, -- Instant (UTC) at which this row last changed here.
);

-- Responses and brand mentions in total, one answer per whole window; windows add up to nothing. Source: GET v1 responses/summary.
table core.response_summary (
  project_id varchar not null, -- Project id as the API reports it (core.projects.project_id).
  window_kind varchar not null, -- Kind of window: month, last_7_days, last_28_days, last_90_days or day. Windows overlap. Filter on one; never add or average different windows.
  window_start date not null, -- First day of the window (UTC). Part of the key.
  window_end date not null, -- Last day of the window (UTC), counted. Not part of the key: a month that is not over runs to the day of the sync.
  scope varchar not null, -- Filter the request carried: project (none), model, monitor, prompt or prompt_type. Filter on one; never add or average different scopes.
  scope_id varchar not null, -- Value of that filter; the project id in scope project.
  total_responses bigint, -- Responses in the window. Do not add over windows. Source: GET v1 responses/summary.
  total_brand_mentions bigint, -- Mentions of your brand in the window. Do not add over windows. Source: GET v1 responses/summary.
  brand_mention_rate double, -- Brand mention rate, scale as the API reports it. Do not sum or average. Source: GET v1 responses/summary.
  _run_id varchar not null, -- Run that last changed this row (meta.runs.run_id). A row that came again unchanged keeps its older run.
  _changed_at timestamp not null, -- Instant (UTC) at which this row last changed here.
);

-- Sentiment towards your brand in AI answers, one row per period. Source: GET v1 sentiment-time-series.
table core.sentiment (
  project_id varchar not null, -- Project id as the API reports it (core.projects.project_id).
  grain varchar not null, -- Length of the period: day, week (starts on Monday) or month. Filter on one; never add or average different grains.
  date date not null, -- First day of the period (UTC).
  scope varchar not null, -- Filter the request carried: project (none), model, monitor, prompt or prompt_type. Filter on one; never add or average different scopes.
  scope_id varchar not null, -- Value of that filter; the project id in scope project.
  sentiment double, -- Sentiment score, scale as the API reports it; NULL when it has no value. Do not sum or average. Source: GET v1 sentiment-time-series.
  _run_id varchar not null, -- Run that last changed this row (meta.runs.run_id). A row that came again unchanged keeps its older run.
  _changed_at timestamp not null, -- Instant (UTC) at which this row last changed here.
);

-- Responses by sentiment, one answer per whole window; windows add up to nothing. Source: GET v1 responses/sentiment-distribution.
table core.sentiment_distribution (
  project_id varchar not null, -- Project id as the API reports it (core.projects.project_id).
  window_kind varchar not null, -- Kind of window: month, last_7_days, last_28_days, last_90_days or day. Windows overlap. Filter on one; never add or average different windows.
  window_start date not null, -- First day of the window (UTC). Part of the key.
  window_end date not null, -- Last day of the window (UTC), counted. Not part of the key: a month that is not over runs to the day of the sync.
  scope varchar not null, -- Filter the request carried: project (none), model, monitor, prompt or prompt_type. Filter on one; never add or average different scopes.
  scope_id varchar not null, -- Value of that filter; the project id in scope project.
  sentiment varchar not null, -- POSITIVE, NEGATIVE, NEUTRAL or what else the API reports. Source: GET v1 responses/sentiment-distribution.
  count bigint, -- Responses. Adds up over sentiments, not over windows. Source: GET v1 responses/sentiment-distribution.
  percentage double, -- Share of responses, percent. Do not add over windows. Source: GET v1 responses/sentiment-distribution.
  _run_id varchar not null, -- Run that last changed this row (meta.runs.run_id). A row that came again unchanged keeps its older run.
  _changed_at timestamp not null, -- Instant (UTC) at which this row last changed here.
);

-- Share of voice of your brand, one row per period. Source: GET v1 share-of-voice/time-series.
table core.share_of_voice (
  project_id varchar not null, -- Project id as the API reports it (core.projects.project_id).
  grain varchar not null, -- Length of the period: day, week (starts on Monday) or month. Filter on one; never add or average different grains.
  date date not null, -- First day of the period (UTC).
  scope varchar not null, -- Filter the request carried: project (none), model, monitor, prompt or prompt_type. Filter on one; never add or average different scopes.
  scope_id varchar not null, -- Value of that filter; the project id in scope project.
  total_responses bigint, -- Organic responses in the period. Adds up over periods of one grain, not over scopes. Source: GET v1 share-of-voice/time-series.
  brand_mentions bigint, -- Responses that mention your brand. Adds up over periods of one grain, not over scopes. Source: GET v1 share-of-voice/time-series.
  share_of_voice double, -- Brand mentions per organic response, percent 0 to 100. Do not sum or average: compute from the counts. Source: GET v1 share-of-voice/time-series.
  previous_period_share_of_voice double, -- Share of voice of the period before, percent. Do not sum or average. Source: GET v1 share-of-voice/time-series.
  change double, -- Change against the period before, percentage points. Do not sum or average. Source: GET v1 share-of-voice/time-series.
  _run_id varchar not null, -- Run that last changed this row (meta.runs.run_id). A row that came again unchanged keeps its older run.
  _changed_at timestamp not null, -- Instant (UTC) at which this row last changed here.
);

-- Share of voice of the window and of the one before, one answer per whole window; windows add up to nothing. Source: GET v1 share-of-voice/comparison.
table core.share_of_voice_comparison (
  project_id varchar not null, -- Project id as the API reports it (core.projects.project_id).
  window_kind varchar not null, -- Kind of window: month, last_7_days, last_28_days, last_90_days or day. Windows overlap. Filter on one; never add or average different windows.
  window_start date not null, -- First day of the window (UTC). Part of the key.
  window_end date not null, -- Last day of the window (UTC), counted. Not part of the key: a month that is not over runs to the day of the sync.
  scope varchar not null, -- Filter the request carried: project (none), model, monitor, prompt or prompt_type. Filter on one; never add or average different scopes.
  scope_id varchar not null, -- Value of that filter; the project id in scope project.
  current_total_responses bigint, -- Organic responses in the window. Do not add over windows. Source: GET v1 share-of-voice/comparison.
  current_brand_mentions bigint, -- Responses that mention your brand, in the window. Do not add over windows. Source: GET v1 share-of-voice/comparison.
  current_share_of_voice double, -- Share of voice in the window, percent. Do not sum or average. Source: GET v1 share-of-voice/comparison.
  previous_total_responses bigint, -- Organic responses in the window before. Do not add over windows. Source: GET v1 share-of-voice/comparison.
  previous_brand_mentions bigint, -- Responses that mention your brand, in the window before. Do not add over windows. Source: GET v1 share-of-voice/comparison.
  previous_share_of_voice double, -- Share of voice in the window before, percent. Do not sum or average. Source: GET v1 share-of-voice/comparison.
  change double, -- Change, percentage points. Do not sum or average. Source: GET v1 share-of-voice/comparison.
  change_percent double, -- Change relative to the window before, percent. Do not sum or average. Source: GET v1 share-of-voice/comparison.
  _run_id varchar not null, -- Run that last changed this row (meta.runs.run_id). A row that came again unchanged keeps its older run.
  _changed_at timestamp not null, -- Instant (UTC) at which this row last changed here.
);

-- Visibility of your brand in AI answers, one row per period. Source: GET v1 visibility-time-series.
table core.visibility (
  project_id varchar not null, -- Project id as the API reports it (core.projects.project_id).
  grain varchar not null, -- Length of the period: day, week (starts on Monday) or month. Filter on one; never add or average different grains.
  date date not null, -- First day of the period (UTC).
  scope varchar not null, -- Filter the request carried: project (none), model, monitor, prompt or prompt_type. Filter on one; never add or average different scopes.
  scope_id varchar not null, -- Value of that filter; the project id in scope project.
  visibility double, -- Visibility score, scale as the API reports it; NULL when it has no value. Do not sum or average. Source: GET v1 visibility-time-series.
  _run_id varchar not null, -- Run that last changed this row (meta.runs.run_id). A row that came again unchanged keeps its older run.
  _changed_at timestamp not null, -- Instant (UTC) at which this row last changed here.
);

-- Visits that AI assistants sent to the tracked site, one row per period. Source: GET v1 analytics/visitors/trend.
table core.visitor_visits (
  project_id varchar not null, -- Project id as the API reports it (core.projects.project_id).
  grain varchar not null, -- Length of the period: day, week (starts on Monday) or month. Filter on one; never add or average different grains.
  date date not null, -- First day of the period (UTC).
  scope varchar not null, -- Filter the request carried: project (none) or page (one landing page, sync.landing_pages). The visits of the project contain those of its pages. Filter on one; never add or average different scopes.
  scope_id varchar not null, -- Path of the page; the project id in scope project.
  referrer varchar not null, -- Referrer, as the API names it. Source: GET v1 analytics/visitors/trend.
  visits bigint, -- Visits. Adds up over periods of one grain and over referrers. Source: GET v1 analytics/visitors/trend.
  _run_id varchar not null, -- Run that last changed this row (meta.runs.run_id). A row that came again unchanged keeps its older run.
  _changed_at timestamp not null, -- Instant (UTC) at which this row last changed here.
);

-- What stays wrong. It makes a run partial (exit 3) on three sync days, and on every one on which a project's own series, list or window table got nothing new; otherwise it is then known and listed.
table meta.alarms (
  endpoint varchar not null, -- Name of the endpoint; '' for a lost project.
  project_id varchar not null, -- Project id; '' where the endpoint is not about a project.
  scope varchar not null, -- Which filter the request carried: project (none), model, monitor, prompt, prompt_type, page.
  scope_id varchar not null, -- Value of the filter; '' where several values of the filter are refused, so that the parameter is.
  grain varchar, -- day, week or month; NULL for events, lists and windows.
  window_kind varchar, -- Kind of window; NULL for series, events and lists.
  reason varchar not null, -- bad_row (a row or an answer cannot be read), refused (the server refuses the question), incomplete (a list is not proven whole), shrunk (more than half of the known rows are missing), ignored (the server ignores a part of the question), scale (all figures changed by a power of ten), zone (days begin at the midnight of another zone) or lost (no key lists the project, or each of its questions is refused).
  first_on date not null, -- First sync day on which it was seen.
  days integer not null, -- Sync days on which it was asked about and seen.
  last_on date not null, -- Last of these sync days.
  known_since date, -- Sync day from which it no longer makes a run partial; NULL until then, and while it takes all that is new.
  asked_on date, -- Last sync day on which days beyond the look-back were asked about, or the refused value.
  message varchar, -- What was seen last.
  is_recent boolean, -- True when days within the look-back were asked about and seen, or a list; false when only older ones were.
);

-- What was asked, and what came of it: the one record of coverage. A day is whole when it was asked after its end, final when it was asked lookback_days after it.
table meta.asked_days (
  endpoint varchar not null, -- Name of the endpoint.
  project_id varchar not null, -- Project id.
  scope varchar not null, -- Which filter the request carried: project (none), model, monitor, prompt, prompt_type, page.
  scope_id varchar not null, -- Value of the filter; the project id for scope project.
  grain varchar, -- day, week or month; NULL for events and windows.
  window_kind varchar, -- Kind of window; NULL for series and events.
  date date not null, -- First day (UTC) of the period or window.
  asked_on date, -- Sync day of the newest answer that covers it, in a zone behind UTC the day there; NULL while none does.
  first_on date, -- Sync day of the answer with which the present state began; NULL where that answer proves nothing.
  asked_with varchar, -- Digest of the path, the parameter names, end_date and the time zone of that answer. Only answers of today's settings count.
  cut_at integer, -- Longest list that the request allowed, where the list was as long; else NULL. A higher limit asks again.
  state varchar not null, -- row, unconfirmed (no row, or a stored row is missing, by one sync day only), empty (no row, by two), refused (bad_row: a row could not be read; too_old: the server no longer has it).
  reason varchar, -- NULL, vanishing (a stored row is missing), kept (the stored row stays, because no answer reaches it), incomplete (the list is not proven whole), bad_row or too_old.
  whole_at timestamp, -- Start (UTC) of the run that first covered it after its end, where an earlier run had covered it while it was running; else NULL.
);

-- What each column means, as data: comments are printed from it. One row per table or view and column.
table meta.columns (
  schema_name varchar not null, -- main, detail, core, meta or own.
  view_name varchar not null, -- Name of the view or table.
  column_name varchar not null, -- Name of the column.
  meaning varchar not null, -- The meaning in prose.
  unit varchar, -- percent, percentage points, days, number and so on; NULL without a unit.
  adds varchar, -- never, what it adds up over (over days), or what not (not over brands); NULL where it is no figure.
  weigh_by varchar, -- Column to weigh it by in a mean.
  of varchar, -- Columns of which one value must be chosen or grouped by before it is added up; any of them does.
  source varchar, -- Requests or tables that it comes from, separated by commas.
  endpoints varchar, -- Names of the endpoints of that source (main.sync_gaps.endpoint), separated by commas.
  divides varchar, -- The categories that it distinguishes and a query must not mix (scopes, grains): filter on one; else NULL.
  instead varchar, -- What to do in place of adding it up or averaging it.
  has_means boolean, -- True where a mean of it is right; NULL where it is no figure.
  is_repeated boolean not null, -- True where one value stands on several rows and counts once.
);

-- Where answers differ from the described interface.
table meta.drift (
  endpoint varchar not null, -- Name of the endpoint.
  path varchar not null, -- JSON path in the answer.
  kind varchar not null, -- new_field, missing_field, new_enum_value or unexpected_value (stored as NULL or rounded; a score beyond 0 to 100 as it is).
  sample varchar, -- One value seen there.
  first_seen timestamp not null, -- Instant (UTC) of the first sighting.
  last_seen timestamp not null, -- Instant (UTC) of the last sighting.
  run_id varchar not null, -- Run of the last sighting (meta.runs.run_id).
);

-- What the configuration asks for; rewritten by each run. Gaps are the days of what stands here that meta.asked_days does not cover.
table meta.expected_series (
  endpoint varchar not null, -- Name of the endpoint.
  project_id varchar not null, -- Project id.
  scope varchar not null, -- project, model, monitor, prompt or prompt_type.
  scope_id varchar not null, -- Value of that filter; the project id in scope project.
  grain varchar, -- day, week or month; NULL for events, lists and windows.
  start_date date, -- First day (UTC) that is asked for; NULL for lists and windows, which no gaps are counted of.
);

-- Migrations that were applied to this file, forward only.
table meta.migrations (
  version integer not null, -- Number of the migration file.
  name varchar not null, -- Name of the migration file without number and ending.
  applied_at timestamp not null, -- Instant (UTC) of the application.
);

-- Parts of the landing zone that were loaded, each once. Empty where one process does all the work.
table meta.parts (
  name varchar not null, -- Name of the part in the landing zone, without its end.
  sha256 varchar not null, -- SHA-256 of the compressed part. A part of the same content is not loaded again.
  run_id varchar not null, -- Run that the part belongs to (meta.runs.run_id).
  answers bigint not null, -- Answers that the part holds.
  superseded bigint not null, -- Answers of the part that were left out because the ledger had newer ones.
  rows bigint not null, -- Lines of the part: one for each page of an answer.
  bytes bigint not null, -- Compressed size in bytes.
  requests bigint not null, -- Requests that were sent for the part, repeats included.
  version varchar not null, -- Version of the program that wrote the part.
  landed_at timestamp not null, -- Instant (UTC) at which the part was written, by the clock of its worker.
  loaded_at timestamp not null, -- Instant (UTC) at which the part was loaded here.
);

-- What one more question, or answerlake check --api, showed about a parameter that an answer may have ignored. A good verdict counts for 7 days.
table meta.probes (
  endpoint varchar not null, -- Name of the endpoint.
  project_id varchar not null, -- Project id.
  parameter varchar not null, -- Name of a filter parameter, X-Project-Id, startDate and endDate, max_window_days (a long range answered in steps) or api.instants (date-times that are no midnight).
  asked_with varchar not null, -- Digest of the settings that it was asked with (as in meta.slices).
  verdict varchar not null, -- good (the answers are stored) or ignored (they are not).
  asked_on date not null, -- Sync day of the question.
  run_id varchar not null, -- Run that asked (meta.runs.run_id); check for answerlake check --api.
);

-- The hourly quota of each organization, as last seen.
table meta.quotas (
  base_url varchar not null, -- Origin of the API.
  organization_id varchar not null, -- Organization id.
  quota_limit bigint not null, -- Requests an hour.
  quota_remaining bigint, -- Requests left in the hour.
  quota_reset_at timestamp, -- Instant (UTC) at which the next hour begins.
  seen_at timestamp not null, -- Instant (UTC) at which it was seen.
);

-- Rows that did not fit what the API promises; stored here instead of a core table.
table meta.rejects (
  endpoint varchar not null, -- Name of the endpoint.
  project_id varchar, -- Project id; NULL where the endpoint is not about a project.
  scope varchar, -- Scope of the slice that the row came in.
  scope_id varchar, -- Value of the filter that the scope stands for.
  grain varchar, -- Grain of the slice; NULL unless it is a series.
  window_kind varchar, -- Window kind of the slice; NULL unless it answers about a whole window.
  window_start date, -- First day asked for (UTC).
  window_end date, -- Last day asked for (UTC), counted.
  path varchar, -- Place in the answer, as a JSON path.
  reason varchar not null, -- Why it was refused.
  row varchar, -- The refused piece as JSON.
  run_id varchar not null, -- Run that refused it (meta.runs.run_id).
  rejected_at timestamp not null, -- Instant (UTC) of the refusal.
);

-- What the API reported before and what it reports now: one row per changed or vanished row.
table meta.restatements (
  table_name varchar not null, -- Table in core, without schema.
  key varchar not null, -- Key of the row as a JSON object.
  change varchar not null, -- updated or deleted.
  old varchar not null, -- JSON object of the changed columns with their former values (deleted: every measure).
  new varchar, -- JSON object of the changed columns with their new values; NULL when deleted.
  run_id varchar not null, -- Run that saw the change (meta.runs.run_id).
  changed_at timestamp not null, -- Instant (UTC) of the change here.
  was_final boolean, -- True when the day, or the last day of the period or window, was older than the look-back: a figure that had been reported as final changed after all.
);

-- Every run: when, its selection, how it ended and what it changed.
table meta.runs (
  run_id varchar not null, -- Identifier of the run.
  job varchar, -- Name of the job; NULL for a run by hand.
  started_at timestamp not null, -- Instant (UTC) of the start.
  finished_at timestamp, -- Instant (UTC) of the end; NULL while it runs or when it was killed.
  sync_day date not null, -- The day (UTC) the run took for today.
  status varchar not null, -- running, ok, partial, failed, parked (out of quota, goes on later) or stopped (by signal).
  exit_code integer, -- Exit code of the program; NULL while it runs.
  selection varchar, -- The selection, as JSON: projects, endpoints, range, flags.
  base_url varchar, -- Origin of the API.
  lookback_days integer, -- Days before the sync day that the run asked for again.
  requests bigint, -- Requests sent, retries included. Adds up over runs.
  retries bigint, -- Requests that repeated a failed one. Adds up over runs.
  rows_received bigint, -- Rows the API answered. Adds up over runs.
  rows_inserted bigint, -- Rows that were new. Adds up over runs.
  rows_updated bigint, -- Rows whose values changed. Adds up over runs.
  rows_deleted bigint, -- Rows that the API no longer reports. Adds up over runs.
  rows_unchanged bigint, -- Rows that came again with the same values. Adds up over runs.
  rows_rejected bigint, -- Rows refused (meta.rejects). Adds up over runs.
  rows_deduplicated bigint, -- Rows left out because the same key came twice in one answer. Adds up over runs.
  slices_loaded bigint, -- Slices stored, empty ones included. Adds up over runs.
  slices_failed bigint, -- Slices that failed. Adds up over runs.
  error_message varchar, -- Why the run did not end well; NULL when it did.
  version varchar, -- Version of answerlake.
  configured_lookback_days integer, -- Look-back of the configuration, days: older days count as final. A job may look further back (lookback_days).
  sequence bigint, -- Number of the run in this warehouse: runs are in this order, whatever their clocks said.
);

-- What the views need to know of the configuration; rewritten by each run: start_date, lookback_days, timezone, base_url, sync_day.
table meta.settings (
  name varchar not null, -- Name of the setting.
  value varchar, -- Its value as text.
);

-- Ledger: the newest outcome of every slice that was ever asked. Says which days are covered.
table meta.slices (
  endpoint varchar not null, -- Name of the endpoint in the catalogue of answerlake.
  project_id varchar not null, -- Project id; '' where the endpoint is not about a project.
  scope varchar not null, -- Filter the request carried: project, model, monitor, prompt or prompt_type.
  scope_id varchar not null, -- Value of that filter; the project id in scope project.
  grain varchar, -- day, week or month; NULL for windows, entities and events.
  window_kind varchar, -- Kind of window; NULL for series, entities and events.
  window_start date, -- First day asked for (UTC); NULL for lists of entities.
  window_end date, -- Last day asked for (UTC), counted; NULL for lists of entities.
  sync_day date, -- The day (UTC) the run that fetched it took for today.
  status varchar not null, -- loaded, empty (no rows), not_enabled (the project does not use it), truncated (the list may go on), suspicious (more than half of the known rows are missing), refused (too old for the server), failed.
  requests bigint, -- Requests this slice took.
  http_status integer, -- Last HTTP status; NULL when there was no answer.
  rows_received bigint, -- Rows in the answer.
  rows_changed bigint, -- Rows inserted, updated or deleted.
  rows_inserted bigint, -- Rows that were new.
  rows_updated bigint, -- Rows whose values changed.
  rows_deleted bigint, -- Rows that the answer no longer had.
  rows_unchanged bigint, -- Rows that came again with the same values.
  rows_rejected bigint, -- Rows refused (meta.rejects).
  rows_deduplicated bigint, -- Rows left out because the same key came twice.
  rows_held bigint, -- Rows kept although a suspicious answer no longer had them.
  truncated boolean, -- True when a list is as long as its limit, so that more may exist, or when the answer is incomplete.
  error_class varchar, -- Class of the failure; NULL when it neither failed nor is incomplete.
  error_message varchar, -- What failed or is missing; NULL when nothing is.
  run_id varchar not null, -- Run of this outcome (meta.runs.run_id).
  fetched_at timestamp not null, -- Instant (UTC) of the answer.
  timezone varchar, -- Time zone that the days of the answer are cut in; NULL where the request carries none.
  asked_with varchar, -- Digest of the path, the parameter names, end_date and the time zone that the slice was asked with. Only answers of today's settings count.
  asked_limit integer, -- Longest list that the request allowed; NULL where it set none.
  alarm varchar, -- Reason of the alarm that the outcome raises (meta.alarms.reason); NULL when it raises none.
  got_nothing boolean, -- True when no row of the answer was stored, or none of its newest closed day; NULL in answers to an older program.
);

-- The tables that endpoints fill, with their keys. Written when answerlake opens the working file.
table meta.tables (
  schema_name varchar not null, -- Schema of the table.
  table_name varchar not null, -- Name of the table, without schema.
  key varchar[] not null, -- Columns of the key in order: no two rows of the table share their values, and none is NULL.
  shape varchar not null, -- series (a row per period), window (a row per window), dated (things with a day), project (things of a project) or account (the others).
  endpoint varchar not null, -- Endpoint that fills the table; the first of several.
  read_from varchar[], -- Fields of the answer that date and key are read from, and the list that it is asked for one by one; NULL for a built-in endpoint.
);

-- The longest range of days that an endpoint answers, where the server refused a longer one. Counts for 30 days; afterwards longer ranges are tried again.
table meta.taught_lengths (
  endpoint varchar not null, -- Name of the endpoint.
  asked_with varchar not null, -- Digest of the settings that it was asked with (as in meta.slices).
  max_days integer not null, -- Days of the longest range that was answered, both ends counted.
  taught_on date not null, -- Sync day on which a longer range was last refused.
  run_id varchar not null, -- Run that asked (meta.runs.run_id).
);

-- Stored rows that one answer lacks or leaves empty. A row goes when an answer of a later sync day says the same, and its entry goes when the row comes back.
table meta.vanishing (
  table_name varchar not null, -- Table in core, without schema.
  project_id varchar, -- Project id; NULL where the table has none.
  key varchar not null, -- Key of the row as a JSON object.
  change varchar not null, -- gone (the answer lacks the row) or emptied (its figures became NULL or 0).
  date date, -- Day of the row, or first day of its window; it is asked again. NULL for lists.
  witnessed_on date not null, -- Sync day of the first answer that said so.
  run_id varchar not null, -- Run of that answer (meta.runs.run_id).
  witnesses integer, -- Sync days whose answers said so: two, or three where more than half of the known rows are missing, take the row away.
  last_on date, -- Last of these sync days.
);

-- How the figures moved after completed actions, with every step of the judgment: effect = after_mean - before_mean - weekday_effect - rivals_effect - drift; its interval is typical_change * ((1/before_days + 1/after_days) / (2/7)) ^ exponent on either side, before_days and after_days divided by sampled_share of detail.effect_scales where prompts are asked on some weekdays only (after 15 days and more, what such differences stray by themselves). The windows end where a neighbouring action, or a setup change of more than 3 % of the answers, begins. One row per span (action: the actions of one day; burst: those that cannot be told apart), measure and days after it. Change after, never caused by. Source: GET v2 events and the project series.
view detail.action_effects (
  project_id varchar, -- Project id (core.projects).
  project_name varchar, -- Name of the project; NULL when unknown.
  span varchar, -- action: the completed actions of one day; burst: those that cannot be told apart, see overlap_group_id. Filter on one; never add or average different spans.
  first_date date, -- Day (UTC) of the first action; belongs to neither side.
  last_date date, -- Day (UTC) of the last action; belongs to neither side.
  overlap_group_id varchar, -- Burst of completed actions that cannot be told apart: gaps of at most 4 days, or in the wake of the one before, over at most 28 days. Unique over all projects.
  measure varchar, -- visibility, sentiment or share_of_voice. Filter on one; never add or average different measures.
  days varchar, -- Which days after the last action: 1_14; of a burst also 15_28 and 29_56, because content works slowly. Filter on one; never add or average different days after.
  before_from date, -- First day (UTC) of the days before.
  before_to date, -- Last day (UTC) of the days before, counted.
  after_from date, -- First day (UTC) of the days after.
  after_to date, -- Last day (UTC) of the days after, counted; before after_from where a neighbour leaves none.
  before_days bigint, -- Days with a figure before.
  after_days bigint, -- Days with a figure after.
  before_mean double, -- Mean of the days before, in the unit of the measure. Do not sum or average.
  after_mean double, -- Mean of the days after. Do not sum or average.
  weekday_effect double, -- Part of the difference that the weekdays of the two sides make. Do not sum or average.
  rivals_effect double, -- Part of the difference that the direct competitors show as well. Do not sum or average.
  drift double, -- Part of the difference that the slow trend of the series makes. Do not sum or average.
  typical_change double, -- How far a difference of two means of 7 days strays by itself (detail.effect_scales). Repeated on every row: do not sum or average.
  level_before double, -- Median of the adjusted series over the 42 days before. Do not sum or average.
  effect double, -- The difference less those parts, in the unit of the measure; NULL where not_judged says why. Do not sum or average: action_type_impact pools effects.
  effect_low double, -- Lower end of its 95 % interval. Do not sum or average.
  effect_high double, -- Upper end of its 95 % interval. Do not sum or average.
  is_clear boolean, -- True when the interval leaves 0 out and the level after also differs from the median of the 42 days before, so that the end of a dip is no success. NULL when not judged.
  not_judged varchar, -- Why there is no effect: setup_changed (the questions changed within 3 days), in_the_wake (the figures move within 10 days of an action before it, and may be the work of either: action_group_impact judges both together), neighbour_too_close (fewer than 4 days to the next action or setup change), too_few_days (with a figure), not_over (the days after), young_series (fewer than 60 days to judge by); NULL when it is judged.
  is_alone_before boolean, -- True when the 10 days before the first action have no other action; action_type_impact pools these alone.
  setup_change_titles varchar, -- What changed about the questions from 14 days before to 14 days after (setup_changes), by day, separated by semicolons; NULL when nothing did.
);

-- What effects are judged by: the daily figure less the effect of its weekday, and less what it shares with the mean of the direct competitors (their score for visibility, their share of answers for share of voice, nothing for sentiment). It assumes that your own actions do not move your rivals. One row per project, measure (visibility, sentiment, share_of_voice) and day. Source: the project series, GET v1 analytics/brands/visibility-over-time.
view detail.adjusted_days (
  project_id varchar, -- Project id (core.projects).
  project_name varchar, -- Name of the project; NULL when unknown.
  measure varchar, -- What is measured: visibility, sentiment, share_of_voice, net_sentiment_known, citations, crawler_requests or ai_visits. Filter on one; never add or average different measures.
  date date, -- Day (UTC).
  value double, -- The figure of a whole day, in the unit of the measure; NULL where it is missing. Do not sum or average.
  weekday_effect double, -- How far its weekday lies from the mean of the week, in the unit of the measure. Do not sum.
  rivals_value double, -- What the day shares with the rivals: rivals_share times their distance from their own mean. Do not sum.
  adjusted_value double, -- The figure without the effect of its weekday and without what moved the rivals as well. Only differences between days mean anything. Do not sum.
  weight double, -- Weight of the day in a mean: organic responses for share of voice, 1 otherwise.
  rivals_share double, -- Share of the rivals' change that your own figure shows too: slope of changes from week to week over a year; 0 where they are hardly related (correlation below 0.25). Repeated on every row: do not sum or average.
  is_whole_day boolean, -- False where figures were asked for before the day was over, which is always so on the day of the sync: leave it out of charts, or they end in a cliff.
);

-- AI crawlers and visitors from AI assistants side by side. One row per project, day and source. Source: GET v1 analytics/crawlers/trend, GET v1 analytics/visitors/trend.
view detail.ai_traffic (
  project_id varchar, -- Project id (core.projects).
  project_name varchar, -- Name of the project; NULL when unknown.
  date date, -- Day (UTC).
  source_kind varchar, -- crawler or visitor.
  source varchar, -- Crawler or referrer, as the API names it.
  crawler_requests_count bigint, -- Requests of the crawler; NULL for visitors. Adds up over days and crawlers. Source: GET v1 analytics/crawlers/trend.
  ai_visits_count bigint, -- Visits from the referrer; NULL for crawlers. Adds up over days and referrers. Source: GET v1 analytics/visitors/trend.
  is_whole_day boolean, -- False where figures were asked for before the day was over, which is always so on the day of the sync: leave it out of charts, or they end in a cliff.
  is_final boolean, -- False while the figures may still change: as long as they were not requested again after the look-back window. Always false where they are not whole.
);

-- Dated events of the API. One row per event. Source: GET v2 events.
view detail.api_events (
  project_id varchar, -- Project id (core.projects).
  project_name varchar, -- Name of the project; NULL when unknown.
  event_id varchar, -- Event (core.events): action:<action id> or <type>:<date>:<monitor id>. Source: GET v2 events.
  time timestamp, -- Instant (UTC) of the action, or of the earliest prompt of the group.
  date date, -- Day (UTC) to join on.
  title varchar, -- Short text: title of the action, or how many prompts were created or deleted.
  text varchar, -- Longer text: kind of event, type of action, project.
  tags varchar, -- Kind of event and type of action, separated by a comma.
  type varchar, -- action, prompts_created or prompts_deleted.
  action_id varchar, -- Action id; NULL for prompt groups. Source: GET v2 events.
  action_type varchar, -- Type of the action, for example CONTENT_GAP; NULL for prompt groups. Source: GET v2 events.
  monitor_id varchar, -- Monitor id; NULL for actions. Source: GET v2 events.
  monitor_name varchar, -- Last known name of the monitor; NULL when unknown. Source: GET v2 events, GET v1 prompts.
  prompt_count bigint, -- Prompts in the group; NULL for actions. Adds up over events. Source: GET v2 events.
);

-- Share of each brand in all brand mentions. One row per project, grain, period, scope and brand that the project does not ignore: ignored brands are in no share and no gap. Source: GET v1 analytics/brands/visibility-over-time.
view detail.brand_mention_share (
  project_id varchar, -- Project id (core.projects).
  project_name varchar, -- Name of the project; NULL when unknown.
  grain varchar, -- Length of the period: day, week (starts on Monday) or month. Filter on one; never add or average different grains.
  date date, -- First day of the period (UTC).
  scope varchar, -- Filter the figures were asked with: project (none), model, monitor, prompt, prompt_type or page. Filter on one; never add or average different scopes.
  scope_id varchar, -- Value of that filter; the project id in scope project.
  scope_name varchar, -- The filter for people: name of the project, model or monitor, or text of the prompt; NULL when unknown.
  brand_id varchar, -- Brand id (core.brands). Source: GET v1 analytics/brands/visibility-over-time.
  brand_name varchar, -- Name of the brand; NULL when unknown. Source: GET v1 analytics/brands/visibility-over-time.
  relation varchar, -- SELF, DIRECT_COMPETITOR, IGNORED or OTHER.
  is_own_brand boolean, -- True for your own brand (relation SELF).
  mention_count bigint, -- Mentions of the brand. Adds up over periods of one grain. Source: GET v1 analytics/brands/visibility-over-time.
  all_mention_count bigint, -- Mentions of all listed brands that are not ignored in the period. Repeated on every row: do not add over brands.
  mention_share_pct double, -- Share of the brand in the mentions of all listed brands that are not ignored, percent; adds up to 100 over the brands of one period. Do not sum or average: divide the sum of mention_count by that of all brands of the same days.
  mention_share_pct_low double, -- Lower end of its 95 % interval (Wilson), percent. Do not sum or average.
  mention_share_pct_high double, -- Upper end of its 95 % interval (Wilson), percent. Do not sum or average.
  own_mention_share_pct double, -- Share of your own brand, percent. Repeated on every row: do not sum or average: take the counts of the rows with is_own_brand.
  mention_rank bigint, -- Place by mentions in the period, 1 is most. Do not sum or average.
  is_whole_day boolean, -- False where figures were asked for before the period was over, which is always so on the day of the sync: leave it out of charts, or they end in a cliff.
  is_final boolean, -- False while the figures may still change: as long as they were not requested again after the look-back window. Always false where they are not whole.
);

-- Visibility of your own brand beside each other brand. One row per project, grain, period, scope and brand, ignored brands included: competitor_gap and brand_mention_share leave them out. Source: GET v1 analytics/brands/visibility-over-time.
view detail.brand_visibility_trend (
  project_id varchar, -- Project id (core.projects).
  project_name varchar, -- Name of the project; NULL when unknown.
  grain varchar, -- Length of the period: day, week (starts on Monday) or month. Filter on one; never add or average different grains.
  date date, -- First day of the period (UTC).
  scope varchar, -- Filter the figures were asked with: project (none), model, monitor, prompt, prompt_type or page. Filter on one; never add or average different scopes.
  scope_id varchar, -- Value of that filter; the project id in scope project.
  scope_name varchar, -- The filter for people: name of the project, model or monitor, or text of the prompt; NULL when unknown.
  brand_id varchar, -- Brand id (core.brands). Source: GET v1 analytics/brands/visibility-over-time.
  brand_name varchar, -- Name of the brand; NULL when unknown. Source: GET v1 analytics/brands/visibility-over-time.
  brand_domain varchar, -- Domain of the brand. Source: GET v1 analytics/brands/visibility-over-time.
  relation varchar, -- SELF, DIRECT_COMPETITOR, IGNORED or OTHER.
  is_own_brand boolean, -- True for your own brand (relation SELF).
  visibility_pct double, -- Share of responses that name the brand, percent; not the score (average_visibility). Do not sum or average: divide the sum of mention_count by that of daily_kpis.all_responses. Source: GET v1 analytics/brands/visibility-over-time.
  average_visibility double, -- Visibility score of the brand as the API computes it, 0 to 100; not the share of responses that name it. Do not sum or average: kpi_changes has means of your own score, and mention_count compares brands. Source: GET v1 analytics/brands/visibility-over-time.
  mention_count bigint, -- Mentions of the brand. Adds up over periods of one grain. Source: GET v1 analytics/brands/visibility-over-time.
  all_responses bigint, -- Responses to prompts of every type in the period, on the row of your own brand alone (of several, the one named most), so that a sum counts them once. Do not compare with organic responses (share of voice). Adds up over periods of one grain. Source: GET v1 analytics/brands/visibility-over-time.
  own_visibility_pct double, -- Share of responses that name your own brand, percent; not the score called visibility. NULL when your own brand is not listed. Repeated on every row: do not sum or average: divide the sum of mention_count by the sum of all_responses where is_own_brand.
  own_average_visibility double, -- Visibility score of your own brand next to it, 0 to 100; NULL when your own brand is not listed. Repeated on every row: do not sum or average: kpi_changes has means.
  own_mention_count bigint, -- Mentions of your own brand next to it; NULL when your own brand is not listed. Repeated on every row: do not add over brands: take the row with is_own_brand.
  gap_points double, -- Own share less that of the other brand, percentage points; positive: your own brand is ahead. Do not sum or average: divide the sums of mention_count by that of daily_kpis.all_responses, and compare.
  is_whole_day boolean, -- False where figures were asked for before the period was over, which is always so on the day of the sync: leave it out of charts, or they end in a cliff.
  is_final boolean, -- False while the figures may still change: as long as they were not requested again after the look-back window. Always false where they are not whole.
);

-- Citations and their rank over time. One row per project, grain, scope and period. Source: GET v1 citations/rank-analysis.
view detail.citation_rank_trend (
  project_id varchar, -- Project id (core.projects).
  project_name varchar, -- Name of the project; NULL when unknown.
  grain varchar, -- Length of the period: day, week (starts on Monday) or month. Filter on one; never add or average different grains.
  date date, -- First day of the period (UTC).
  scope varchar, -- Filter the figures were asked with: project (none), model, monitor, prompt, prompt_type or page. Filter on one; never add or average different scopes.
  scope_id varchar, -- Value of that filter; the project id in scope project.
  scope_name varchar, -- The filter for people: name of the project, model or monitor, or text of the prompt; NULL when unknown.
  citations_count bigint, -- Citations. Adds up over periods of one grain. Source: GET v1 citations/rank-analysis.
  ranked_citations_count bigint, -- Citations that have a rank. Adds up over periods of one grain. Source: GET v1 citations/rank-analysis.
  ranked_citations_pct double, -- Share of citations that have a rank, percent. Do not sum or average.
  average_citation_rank double, -- Average rank, 1 is best. Do not sum or average: weigh it by ranked_citations_count. Source: GET v1 citations/rank-analysis.
  best_citation_rank double, -- Best (lowest) rank. Minimum over periods only. Do not sum or average. Source: GET v1 citations/rank-analysis.
  worst_citation_rank double, -- Worst (highest) rank. Maximum over periods only. Do not sum or average. Source: GET v1 citations/rank-analysis.
  previous_date date, -- First day of the period before it that has data: look at it before reading a change, a period may be missing.
  previous_average_citation_rank double, -- Average rank of the period before that has data. Do not sum or average.
  average_citation_rank_change double, -- Change against that period; negative: better; NULL unless both periods are whole. Do not sum or average.
  is_whole_day boolean, -- False where figures were asked for before the period was over, which is always so on the day of the sync: leave it out of charts, or they end in a cliff.
  is_final boolean, -- False while the figures may still change: as long as they were not requested again after the look-back window. Always false where they are not whole.
);

-- Cited domains per window, with new and lost ones against the window before (the month before, or the same number of days before: where that rolling window was never asked for, its days are added up). One row per project, window, scope and domain, lost domains included. The API lists only the first domains. Source: GET v1 citations/domains-over-time.
view detail.cited_domains (
  project_id varchar, -- Project id (core.projects).
  project_name varchar, -- Name of the project; NULL when unknown.
  window_kind varchar, -- Kind of window: month, last_7_days, last_28_days, last_90_days or day. Windows overlap. Filter on one; never add or average different kinds.
  window_start date, -- First day of the window (UTC).
  window_end date, -- Last day of the window (UTC), counted.
  scope varchar, -- Filter the figures were asked with: project (none), model, monitor, prompt, prompt_type or page. Filter on one; never add or average different scopes.
  scope_id varchar, -- Value of that filter; the project id in scope project.
  scope_name varchar, -- The filter for people: name of the project, model or monitor, or text of the prompt; NULL when unknown.
  days_in_window integer, -- Days of the window so far.
  is_whole_window boolean, -- False where figures were asked for before the window was over, and where it begins before the first day with daily figures: its figures are no match for those of whole windows.
  domain varchar, -- Cited domain. Source: GET v1 citations/domains-over-time.
  is_own_domain boolean, -- True when it is the domain of your own brand.
  domain_status varchar, -- new, kept or lost against the list of the window before; NULL unless both windows are whole and known.
  citations_count bigint, -- Citations in the window; NULL for a lost domain. Adds up over domains of one window, not over windows. Source: GET v1 citations/domains-over-time.
  citations_share_pct double, -- Share of all citations of the window, percent. Do not add over windows, and do not average. Source: GET v1 citations/domains-over-time.
  average_citation_rank double, -- Average rank, 1 is best. Do not sum or average. Source: GET v1 citations/domains-over-time.
  previous_citations_count bigint, -- Citations in the window before; NULL for a new domain or when that window is not known or not whole. Do not add over windows.
  previous_days_in_window integer, -- Days of the window before.
  citations_change bigint, -- Citations less those of the window before; NULL unless both windows are whole and list the domain. Months differ in length: compare citations_per_day_change. Do not add over windows.
  citations_per_day_change double, -- Citations per day less those per day of the window before; NULL unless both windows are whole and list the domain. Do not add over windows.
  previous_average_citation_rank double, -- Average rank in the window before; NULL where its days were added up. Do not sum or average.
  window_citations_count bigint, -- All citations of the window, unlisted domains included. Repeated on every row: do not sum. Source: GET v1 citations/domains-over-time.
);

-- Gap between your own brand and each competitor, in share of responses and in score, both own less competitor. One row per project, grain, period, scope and brand that is neither own nor ignored: ignored brands are in no share and no gap. Source: GET v1 analytics/brands/visibility-over-time.
view detail.competitor_gap (
  project_id varchar, -- Project id (core.projects).
  project_name varchar, -- Name of the project; NULL when unknown.
  grain varchar, -- Length of the period: day, week (starts on Monday) or month. Filter on one; never add or average different grains.
  date date, -- First day of the period (UTC).
  scope varchar, -- Filter the figures were asked with: project (none), model, monitor, prompt, prompt_type or page. Filter on one; never add or average different scopes.
  scope_id varchar, -- Value of that filter; the project id in scope project.
  scope_name varchar, -- The filter for people: name of the project, model or monitor, or text of the prompt; NULL when unknown.
  competitor_brand_id varchar, -- Brand id of the competitor (core.brands).
  competitor_name varchar, -- Name of the competitor.
  competitor_domain varchar, -- Domain of the competitor.
  relation varchar, -- DIRECT_COMPETITOR or OTHER; NULL where the API tells none.
  competitor_visibility_pct double, -- Share of responses that name the competitor, percent. Do not sum or average.
  own_visibility_pct double, -- Share of responses that name your own brand, percent; not the score called visibility. NULL when your own brand is not listed. Repeated on every row: do not sum or average: divide the sum of mention_count by the sum of all_responses where is_own_brand.
  gap_points double, -- Own share less that of the other brand, percentage points; positive: your own brand is ahead. Do not sum or average: divide the sums of mention_count by that of daily_kpis.all_responses, and compare.
  competitor_average_visibility double, -- Visibility score of the brand as the API computes it, 0 to 100; not the share of responses that name it. Do not sum or average: kpi_changes has means of your own score, and mention_count compares brands. Source: GET v1 analytics/brands/visibility-over-time.
  own_average_visibility double, -- Visibility score of your own brand next to it, 0 to 100; NULL when your own brand is not listed. Repeated on every row: do not sum or average: kpi_changes has means.
  score_gap double, -- Own visibility score less that of the competitor, in points of the score; positive: your own brand is ahead. Do not sum or average.
  competitor_mention_count bigint, -- Mentions of the competitor. Adds up over periods of one grain.
  own_mention_count bigint, -- Mentions of your own brand next to it; NULL when your own brand is not listed. Repeated on every row: do not add over brands: take the row with is_own_brand.
  is_own_brand_ahead boolean, -- True when a larger share of responses names your own brand; NULL when one side is unknown.
  is_whole_day boolean, -- False where figures were asked for before the period was over, which is always so on the day of the sync: leave it out of charts, or they end in a cliff.
  is_final boolean, -- False while the figures may still change: as long as they were not requested again after the look-back window. Always false where they are not whole.
);

-- Share of responses that name each competitor, by model, newest window: the last 28 days or, where they are not asked for, another rolling window or the newest month. One row per project, scope, competitor and model, ignored brands included: competitor_gap and brand_mention_share leave them out. Source: GET v1 competitor-heatmap.
view detail.competitor_heatmap_latest (
  project_id varchar, -- Project id (core.projects).
  project_name varchar, -- Name of the project; NULL when unknown.
  window_kind varchar, -- Kind of window: month, last_7_days, last_28_days, last_90_days or day. Windows overlap. Filter on one; never add or average different kinds.
  window_start date, -- First day of the window (UTC).
  window_end date, -- Last day of the window (UTC), counted.
  scope varchar, -- Filter the figures were asked with: project (none), model, monitor, prompt, prompt_type or page. Filter on one; never add or average different scopes.
  scope_id varchar, -- Value of that filter; the project id in scope project.
  scope_name varchar, -- The filter for people: name of the project, model or monitor, or text of the prompt; NULL when unknown.
  competitor_name varchar, -- Name of the competitor. Source: GET v1 competitor-heatmap.
  competitor_domain varchar, -- Domain of the competitor; '' when the API reports none. Source: GET v1 competitor-heatmap.
  relation varchar, -- DIRECT_COMPETITOR, IGNORED or OTHER, SELF where your own brand is listed. Source: GET v1 competitor-heatmap.
  is_own_brand boolean, -- True for your own brand (by relation, or by the name or domain of the brand with relation SELF).
  competitor_rank bigint, -- Place in the list of the answer, 1 is first. Do not sum or average. Source: GET v1 competitor-heatmap.
  model_id varchar, -- Model id (core.models).
  model_name varchar, -- Name of the model for people; NULL when the model list lacks it.
  is_deprecated_model boolean, -- True when the model list says that the model is no longer asked. Source: GET v1 models.
  visibility_pct double, -- Share of the responses of the model that name the competitor, percent; not the score called visibility. NULL: no figure. Do not sum or average. Source: GET v1 competitor-heatmap.
  own_visibility_pct double, -- Share of the responses of the model that name your own brand, percent; not the score called visibility. NULL when it is not listed. Repeated on every row: do not sum or average.
  gap_points double, -- Own share less that of the other brand, percentage points; positive: your own brand is ahead. Do not sum or average: divide the sums of mention_count by that of daily_kpis.all_responses, and compare.
);

-- Share of responses that name each competitor, by model, window by window, with the window before next to it. One row per project, window, scope, competitor and model, ignored brands included: competitor_gap and brand_mention_share leave them out. Source: GET v1 competitor-heatmap.
view detail.competitor_heatmap_trend (
  project_id varchar, -- Project id (core.projects).
  project_name varchar, -- Name of the project; NULL when unknown.
  window_kind varchar, -- Kind of window: month, last_7_days, last_28_days, last_90_days or day. Windows overlap. Filter on one; never add or average different kinds.
  window_start date, -- First day of the window (UTC).
  window_end date, -- Last day of the window (UTC), counted.
  scope varchar, -- Filter the figures were asked with: project (none), model, monitor, prompt, prompt_type or page. Filter on one; never add or average different scopes.
  scope_id varchar, -- Value of that filter; the project id in scope project.
  scope_name varchar, -- The filter for people: name of the project, model or monitor, or text of the prompt; NULL when unknown.
  days_in_window integer, -- Days of the window so far.
  is_whole_window boolean, -- False where figures were asked for before the window was over, and where it begins before the first day with daily figures: its figures are no match for those of whole windows.
  is_newest_whole_window boolean, -- True for the newest whole window of its kind.
  competitor_name varchar, -- Name of the competitor. Source: GET v1 competitor-heatmap.
  competitor_domain varchar, -- Domain of the competitor; '' when the API reports none. Source: GET v1 competitor-heatmap.
  relation varchar, -- DIRECT_COMPETITOR, IGNORED or OTHER, SELF where your own brand is listed. Source: GET v1 competitor-heatmap.
  is_own_brand boolean, -- True for your own brand (by relation, or by the name or domain of the brand with relation SELF).
  competitor_rank bigint, -- Place in the list of the answer, 1 is first. Do not sum or average. Source: GET v1 competitor-heatmap.
  model_id varchar, -- Model id (core.models).
  model_name varchar, -- Name of the model for people; NULL when the model list lacks it.
  is_deprecated_model boolean, -- True when the model list says that the model is no longer asked. Source: GET v1 models.
  visibility_pct double, -- Share of the responses of the model that name the competitor, percent; not the score called visibility. NULL: no figure. Do not sum or average. Source: GET v1 competitor-heatmap.
  own_visibility_pct double, -- Share of responses that name your own brand, percent; not the score called visibility. NULL when your own brand is not listed. Repeated on every row: do not sum or average: divide the sum of mention_count by the sum of all_responses where is_own_brand.
  gap_points double, -- Own share less that of the other brand, percentage points; positive: your own brand is ahead. Do not sum or average: divide the sums of mention_count by that of daily_kpis.all_responses, and compare.
  previous_visibility_pct double, -- The share in the window before (the month before, or the same number of days before); NULL when that is not stored or not whole. Do not sum or average.
  change_points double, -- Change against that window, percentage points; NULL unless both windows are whole. Do not sum or average.
);

-- Competitors that answers mention, window by window, with the window before next to it; untracked rivals included. One row per project, window and competitor. Source: GET v1 responses/competitors.
view detail.competitor_mention_trend (
  project_id varchar, -- Project id (core.projects).
  project_name varchar, -- Name of the project; NULL when unknown.
  window_kind varchar, -- Kind of window: month, last_7_days, last_28_days, last_90_days or day. Windows overlap. Filter on one; never add or average different kinds.
  window_start date, -- First day of the window (UTC).
  window_end date, -- Last day of the window (UTC), counted.
  days_in_window integer, -- Days of the window so far.
  is_whole_window boolean, -- False where figures were asked for before the window was over, and where it begins before the first day with daily figures: its figures are no match for those of whole windows.
  competitor varchar, -- Competitor as answers name it. Source: GET v1 responses/competitors.
  is_tracked boolean, -- True when a brand of the project has that name or domain.
  mention_count bigint, -- Mentions in the window. Do not add over windows.
  mention_share_pct double, -- Share in the mentions of the answer, percent. Do not add over windows, and do not average.
  previous_mention_count bigint, -- Mentions in the window before; NULL when that is not stored, not whole, or does not list the competitor. Do not sum.
  previous_mention_share_pct double, -- Share in the window before, percent; NULL as its mentions. Do not sum or average.
);

-- Pages that AI crawlers asked for most, window by window, with the window before next to it. One row per project, window and page. The API gives a top list: a page may have fallen below its end. Source: GET v1 analytics/crawlers/top-pages.
view detail.crawler_page_trend (
  project_id varchar, -- Project id (core.projects).
  project_name varchar, -- Name of the project; NULL when unknown.
  window_kind varchar, -- Kind of window: month, last_7_days, last_28_days, last_90_days or day. Windows overlap. Filter on one; never add or average different kinds.
  window_start date, -- First day of the window (UTC).
  window_end date, -- Last day of the window (UTC), counted.
  days_in_window integer, -- Days of the window so far.
  is_whole_window boolean, -- False where figures were asked for before the window was over, and where it begins before the first day with daily figures: its figures are no match for those of whole windows.
  is_newest_whole_window boolean, -- True for the newest whole window of its kind.
  request_path varchar, -- Path of the page. Source: GET v1 analytics/crawlers/top-pages.
  crawler_requests_count bigint, -- Requests in the window. Adds up over the listed pages of one window, not over windows. Source: GET v1 analytics/crawlers/top-pages.
  listed_share_pct double, -- Share in the requests of the listed pages, percent. Do not add over windows, and do not average.
  requests_rank bigint, -- Place by requests in the window, 1 is most. Do not sum or average.
  unique_crawlers_count bigint, -- Different crawlers. Do not sum. Source: GET v1 analytics/crawlers/top-pages.
  crawlers varchar, -- Names of the crawlers, separated by commas. Source: GET v1 analytics/crawlers/top-pages.
  previous_crawler_requests_count bigint, -- Requests in the window before (the month before, or the same number of days before); NULL when the page was not listed or that window is not stored or not whole. Do not add over windows.
  previous_days_in_window integer, -- Days of the window before.
  crawler_requests_change bigint, -- Change against that window; NULL unless both windows are whole and list the page. Months differ in length: compare crawler_requests_per_day_change. Do not add over windows.
  crawler_requests_per_day_change double, -- Requests per day less those per day of the window before; NULL unless both windows are whole and list the page. Do not add over windows.
);

-- Pages that AI crawlers asked for most, newest window: the last 28 days or, where they are not asked for, another rolling window or the newest month. One row per project and page. Source: GET v1 analytics/crawlers/top-pages.
view detail.crawler_pages (
  project_id varchar, -- Project id (core.projects).
  project_name varchar, -- Name of the project; NULL when unknown.
  window_kind varchar, -- Kind of window: month, last_7_days, last_28_days, last_90_days or day. Windows overlap. Filter on one; never add or average different kinds.
  window_start date, -- First day of the window (UTC).
  window_end date, -- Last day of the window (UTC), counted.
  request_path varchar, -- Path of the page. Source: GET v1 analytics/crawlers/top-pages.
  crawler_requests_count bigint, -- Requests in the window. Adds up over the listed pages of one window, not over windows. Source: GET v1 analytics/crawlers/top-pages.
  requests_rank bigint, -- Place by requests in the window, 1 is most. Do not sum or average.
  unique_crawlers_count bigint, -- Different crawlers. Do not sum. Source: GET v1 analytics/crawlers/top-pages.
  crawlers varchar, -- Names of the crawlers, separated by commas. Source: GET v1 analytics/crawlers/top-pages.
);

-- What a vendor's crawlers fetch, by purpose, beside the visits its assistants send. One row per project, vendor and day. A vendor is found through ai_vendors; crawlers and referrers that are not in it stand under their own name. Source: GET v1 analytics/crawlers/trend, GET v1 analytics/visitors/trend.
view detail.crawler_visitor_funnel (
  project_id varchar, -- Project id (core.projects).
  project_name varchar, -- Name of the project; NULL when unknown.
  date date, -- Day (UTC).
  vendor varchar, -- Company that runs the crawler or the assistant; the crawler or referrer itself where it is not known.
  is_known_vendor boolean, -- True when ai_vendors knows it.
  training_requests_count bigint, -- Requests of crawlers that collect text for training; NULL when none are reported. Adds up over days and vendors. Source: GET v1 analytics/crawlers/trend.
  search_requests_count bigint, -- Requests of crawlers that build a search index; NULL when none are reported. Adds up over days and vendors. Source: GET v1 analytics/crawlers/trend.
  user_requests_count bigint, -- Requests made for a person who asked; NULL when none are reported. Adds up over days and vendors. Source: GET v1 analytics/crawlers/trend.
  other_requests_count bigint, -- Requests of crawlers whose purpose is not known; NULL when none are reported. Adds up over days and vendors. Source: GET v1 analytics/crawlers/trend.
  crawler_requests_count bigint, -- Requests of all crawlers of the vendor; NULL when none are reported. Adds up over days and vendors. Source: GET v1 analytics/crawlers/trend.
  ai_visits_count bigint, -- Visits that the assistants of the vendor sent; NULL when none are reported. Adds up over days and vendors. Source: GET v1 analytics/visitors/trend.
  is_whole_crawler_requests boolean, -- True where crawlers were asked for after the day was over; NULL in main otherwise.
  is_whole_ai_visits boolean, -- True where visits were asked for after the day was over; NULL in main otherwise.
  is_whole_day boolean, -- False where figures were asked for before the day was over, which is always so on the day of the sync: leave it out of charts, or they end in a cliff.
  is_final boolean, -- False while the figures may still change: as long as they were not requested again after the look-back window. Always false where they are not whole.
);

-- All project figures of a day. Exactly one row per project and day, every day from the first to the last covered; NULL where there is no figure, never 0 in its place. Source: several endpoints, see the columns.
view detail.daily_kpis (
  project_id varchar, -- Project id (core.projects).
  project_name varchar, -- Name of the project; NULL when unknown.
  date date, -- Day (UTC).
  visibility double, -- Visibility score of your own brand as the API computes it, 0 to 100; not the share of answers that name the brand (own_visibility_pct). Do not sum or average: kpi_changes has means of 7 to 365 days, model_kpis the score of each model. Source: GET v1 visibility-time-series.
  sentiment double, -- Sentiment score towards your own brand, scale as the API reports it. Do not sum or average: kpi_changes has means of 7 to 365 days, sentiment_split the counts. Source: GET v1 sentiment-time-series.
  share_of_voice_pct double, -- Brand mentions per 100 organic responses, percent 0 to 100. Do not sum or average: compute from the counts. Source: GET v1 share-of-voice/time-series.
  organic_responses bigint, -- Responses to organic prompts alone; other views count responses to prompts of every type. Adds up over days. Source: GET v1 share-of-voice/time-series.
  organic_brand_mentions bigint, -- Responses to organic prompts that mention your own brand. Adds up over days. Source: GET v1 share-of-voice/time-series.
  positive_count bigint, -- Positive responses. Adds up over days. Source: GET v1 responses/sentiment-time-series.
  negative_count bigint, -- Negative responses. Adds up over days. Source: GET v1 responses/sentiment-time-series.
  neutral_count bigint, -- Neutral responses. Adds up over days. Source: GET v1 responses/sentiment-time-series.
  unknown_count bigint, -- Responses without a known sentiment. Adds up over days. Source: GET v1 responses/sentiment-time-series.
  known_count bigint, -- Responses with a known sentiment: positive, negative and neutral ones; NULL when there are no responses. Adds up over days. Source: GET v1 responses/sentiment-time-series.
  all_responses bigint, -- Responses to prompts of every type: those of any sentiment, unknown included; NULL when there are no responses. Adds up over days. Source: GET v1 responses/sentiment-time-series.
  net_sentiment_pct double, -- Positive less negative responses, per 100 responses of any sentiment, -100 to 100; NULL when there are no responses. It moves with the share of unknown responses, and so with visibility: net_sentiment_known_pct does not. Do not sum or average: compute from the counts. Source: GET v1 responses/sentiment-time-series.
  net_sentiment_known_pct double, -- Positive less negative responses, per 100 responses with a known sentiment, -100 to 100; NULL when there are no responses. Do not sum or average: compute from the counts. Source: GET v1 responses/sentiment-time-series.
  citations_count bigint, -- Citations of that day. Adds up over days. Source: GET v1 citations/rank-analysis.
  average_citation_rank double, -- Average rank of the citations, 1 is best. Do not sum or average: citation_rank_trend has ranked_citations_count to weigh it by. Source: GET v1 citations/rank-analysis.
  crawler_requests_count bigint, -- Requests of AI crawlers to the tracked site, all crawlers; NULL where the API reports none for the day. Adds up over days. Source: GET v1 analytics/crawlers/trend.
  ai_visits_count bigint, -- Visits that AI assistants sent to the tracked site, all referrers; NULL where the API reports none for the day. Adds up over days. Source: GET v1 analytics/visitors/trend.
  actions_completed bigint, -- Actions completed that day; 0 on a day that was covered and had none, NULL on a day that was not covered. Adds up over days. Source: GET v2 events.
  prompts_created bigint, -- Prompts (not groups) created that day; 0 on a day that was covered and had none, NULL on a day that was not covered. Adds up over days. Source: GET v2 events.
  prompts_deleted bigint, -- Prompts (not groups) deleted that day; 0 on a day that was covered and had none, NULL on a day that was not covered. Adds up over days. Source: GET v2 events.
  event_titles varchar, -- Titles of the events of the day, by time, separated by semicolons; NULL without events. Source: GET v2 events.
  traffic_timezone varchar, -- Time zone of the days of crawlers and visitors (sync.timezone); every other figure is of a day in UTC.
  is_whole_visibility boolean, -- True where visibility was asked for after the day was over; NULL in main otherwise.
  is_whole_sentiment boolean, -- True where sentiment was asked for after the day was over; NULL in main otherwise.
  is_whole_share_of_voice boolean, -- True where share of voice was asked for after the day was over; its figures are NULL in main otherwise.
  is_whole_response_sentiment boolean, -- True where the counts by sentiment were asked for after the day was over; NULL in main otherwise.
  is_whole_citations boolean, -- True where citations were asked for after the day was over; NULL in main otherwise.
  is_whole_crawler_requests boolean, -- True where crawlers were asked for after the day was over; NULL in main otherwise.
  is_whole_ai_visits boolean, -- True where visits were asked for after the day was over; NULL in main otherwise.
  is_whole_events boolean, -- True where events were asked for after the day was over; NULL in main otherwise.
  is_over boolean, -- False from the day of the newest sync of the project on. A day that was over may still have figures that were asked for too early: see is_whole_visibility and its kin.
  is_whole_day boolean, -- False where figures were asked for before the day was over, which is always so on the day of the sync: leave it out of charts, or they end in a cliff.
  is_final boolean, -- False while the figures may still change: as long as they were not requested again after the look-back window. Always false where they are not whole.
);

-- Citations of each domain over time, with the period before and your own domain next to it. One row per project, grain, period, scope and domain. The API lists only the first domains. Source: GET v1 citations/domains-over-time.
view detail.domain_citation_trend (
  project_id varchar, -- Project id (core.projects).
  project_name varchar, -- Name of the project; NULL when unknown.
  grain varchar, -- Length of the period: day, week (starts on Monday) or month. Filter on one; never add or average different grains.
  date date, -- First day of the period (UTC).
  scope varchar, -- Filter the figures were asked with: project (none), model, monitor, prompt, prompt_type or page. Filter on one; never add or average different scopes.
  scope_id varchar, -- Value of that filter; the project id in scope project.
  scope_name varchar, -- The filter for people: name of the project, model or monitor, or text of the prompt; NULL when unknown.
  domain varchar, -- Cited domain. Source: GET v1 citations/domains-over-time.
  is_own_domain boolean, -- True when it is the domain of your own brand or a subdomain of it.
  citations_count bigint, -- Citations of the domain. Adds up over periods of one grain and over domains. Source: GET v1 citations/domains-over-time.
  listed_citations_count bigint, -- Citations of all listed domains of the period. Repeated on every row: do not sum.
  listed_citations_share_pct double, -- Share in the citations of the listed domains, percent. Do not add over periods of one grain, and do not average.
  own_citations_count bigint, -- Citations of your own domain in the period; NULL when it is not listed. Repeated on every row: do not sum.
  own_citations_share_pct double, -- Share of your own domain in the citations of the listed domains, percent; NULL when it is not listed. Repeated on every row: do not sum or average.
  previous_date date, -- First day of the period before it that has data: look at it before reading a change, a period may be missing.
  previous_citations_count bigint, -- Citations of the domain in the period before that lists it. Do not sum.
  citations_change bigint, -- Change against that period; NULL unless both periods are whole. Months differ in length. Do not sum.
  last_told_on date, -- First day of the newest period that lists the domain, which is about when the API last told this figure, where later lists were cut off before the domain although the figure could still change; NULL where none is known to be.
  is_whole_day boolean, -- False where figures were asked for before the period was over, which is always so on the day of the sync: leave it out of charts, or they end in a cliff.
  is_final boolean, -- False while the figures may still change: as long as they were not requested again after the look-back window. Always false where they are not whole.
);

-- How far differences of means of the adjusted series (detail.adjusted_days) stray by themselves, from its last 365 whole days. One row per project and measure (visibility, sentiment, share_of_voice). action_effects is judged by it. Source: the project series.
view detail.effect_scales (
  project_id varchar, -- Project id (core.projects).
  project_name varchar, -- Name of the project; NULL when unknown.
  measure varchar, -- What is measured: visibility, sentiment, share_of_voice, net_sentiment_known, citations, crawler_requests or ai_visits. Filter on one; never add or average different measures.
  last_date date, -- Last whole day (UTC) of the project.
  days_count bigint, -- Days around which both means of 7 days are known; fewer than 60 are too few to judge by.
  sampled_share double, -- Share of the last 56 days that have a figure: 1, or less where prompts are asked on some weekdays only. Do not sum or average.
  typical_change_7_days double, -- 1.96 standard deviations of the difference of two means of 7 days, computed so that real shifts hardly swell it, in the unit of the measure. Do not sum or average.
  typical_change_15_28 double, -- The same of the mean of the days 15 to 28 after a day less that of the 14 before. Do not sum or average.
  typical_change_29_56 double, -- The same of the days 29 to 56. Do not sum or average.
  exponent double, -- How fast typical_change_7_days shrinks with longer means: 0.32 as a rule, less and below 0 for series that wander. Do not sum or average.
  drift_per_day double, -- Slow trend a day, in the unit of the measure: mean over the days outside the windows of actions and setup_changes (14 days before to 7 after) or over all days, whichever is less, 0 where their signs differ, and less what may be chance; 0 where there are fewer than 60 of them. Do not sum or average.
);

-- Events counted per day. One row per project and day that an events answer covers, days without events included. Source: GET v2 events.
view detail.event_days (
  project_id varchar, -- Project id (core.projects).
  project_name varchar, -- Name of the project; NULL when unknown.
  date date, -- Day (UTC).
  events_count bigint, -- Events of the day in the project; 0 on a day that was covered and had none, NULL on a day that was not covered. Adds up over days. Source: GET v2 events.
  actions_completed bigint, -- Actions completed that day; 0 on a day that was covered and had none, NULL on a day that was not covered. Adds up over days. Source: GET v2 events.
  prompts_created bigint, -- Prompts (not groups) created that day; 0 on a day that was covered and had none, NULL on a day that was not covered. Adds up over days. Source: GET v2 events.
  prompts_deleted bigint, -- Prompts (not groups) deleted that day; 0 on a day that was covered and had none, NULL on a day that was not covered. Adds up over days. Source: GET v2 events.
  event_titles varchar, -- Titles of the events of the day, by time, separated by semicolons; NULL without events. Source: GET v2 events.
  event_types varchar, -- Kinds of the events of the day: action, prompts_created, prompts_deleted; NULL without events. Source: GET v2 events.
  is_whole_day boolean, -- False where figures were asked for before the day was over, which is always so on the day of the sync: leave it out of charts, or they end in a cliff.
);

-- The parts of the governed figures by day: the sum of numerator through the sum of denominator is the figure of several days, of a count the mean of a day. One row per figure, project, kind of part (split_by), part and whole day. Source: the views named in sql/figures.yaml.
view detail.figure_days (
  project_id varchar, -- Project id (core.projects).
  project_name varchar, -- Name of the project; NULL when unknown.
  metric varchar, -- Name of the governed figure, as metric and compare_periods take it. Filter on one; never add or average different figures.
  split_by varchar, -- What the day is split by: project (not at all), model, monitor or brand. Filter on one; never add or average different kinds of part.
  part_id varchar, -- Id of the model, monitor or brand; of the project where it is not split.
  part_name varchar, -- Name of the part.
  date date, -- Day (UTC).
  numerator double, -- What to add up over days before dividing. Adds up over days of one figure.
  denominator double, -- What to divide by: answers, mentions or ranked citations of a share; 1 for a score or a count, so that the quotient of the sums is a mean of days. Adds up over days of one figure.
  spread double, -- Of net sentiment: positive and negative answers together; else NULL. Adds up over days of one figure.
  is_final boolean, -- False while the figures may still change: as long as they were not requested again after the look-back window. Always false where they are not whole.
);

-- The governed figures: what metric and compare_periods answer. One row per figure.
view detail.figures (
  metric varchar, -- Name of the governed figure, as metric and compare_periods take it. Filter on one; never add or average different figures.
  label varchar, -- Name of the figure for people.
  unit varchar, -- Unit of the figure.
  kind varchar, -- How days make one figure: mean (of the days), share, net (both sum through sum, in percent), weighted (sum through sum) or sum.
  measure varchar, -- Its measure in kpi_changes and detail.typical_changes; NULL where that has none.
  is_of_answers boolean, -- True where a change of the questions moves it: all but crawlers, visits and actions.
);

-- Answers of each model and monitor by day, from the first day of the project to the last that it was asked for: 0 where it had none. One row per project, scope (model, monitor), value and day. Source: GET v1 share-of-voice/time-series.
view detail.filter_answers (
  project_id varchar, -- Project id (core.projects).
  scope varchar, -- Filter the figures were asked with: project (none), model, monitor, prompt, prompt_type or page. Filter on one; never add or average different scopes.
  scope_id varchar, -- Value of that filter; the project id in scope project.
  first_date date, -- First day (UTC) of the project.
  date date, -- Day (UTC).
  organic_responses bigint, -- Responses to organic prompts; 0 where it had none. Adds up over days and values of one scope. Source: GET v1 share-of-voice/time-series.
);

-- The periods that kpi_changes compares: the last whole days, the newest whole calendar month and year, and the days, month or year before. One row per project and period.
view detail.kpi_periods (
  project_id varchar, -- Project id (core.projects).
  period varchar, -- What is compared: last_7_days, last_28_days, last_90_days or last_365_days with as many days before; month or year (the newest whole ones) with the one before. Filter on one; never add or average different windows.
  window_days integer, -- Days on each side: 7, 28, 90 or 365; NULL for months and years. Filter on one; never add or average different windows.
  last_date date, -- Last whole day (UTC) of the project.
  first_day date, -- First day (UTC) of the period.
  last_day date, -- Last day (UTC) of the period, counted.
  first_against date, -- First day (UTC) of the period before.
  last_against date, -- Last day (UTC) of the period before, counted.
);

-- Visits from AI assistants to single pages by day, where pages are configured (sync.landing_pages). One row per project, page, day and source. Source: GET v1 analytics/visitors/trend with a pathname.
view detail.landing_page_days (
  project_id varchar, -- Project id (core.projects).
  project_name varchar, -- Name of the project; NULL when unknown.
  landing_page varchar, -- Path of the page as it was asked for; main.canonical_path makes paths of other data comparable.
  date date, -- Day (UTC).
  source varchar, -- Referrer, as the API names it; main.source_of gives its vendor.
  ai_visits_count bigint, -- Visits to the page from the referrer. The visits of the whole project (detail.ai_traffic) contain them. Adds up over days and sources. Source: GET v1 analytics/visitors/trend.
  is_whole_day boolean, -- False where figures were asked for before the day was over, which is always so on the day of the sync: leave it out of charts, or they end in a cliff.
  is_final boolean, -- False while the figures may still change: as long as they were not requested again after the look-back window. Always false where they are not whole.
);

-- Share of voice with the prompts as the sample, and the interval of questions like these: t over prompts on the logit. From answers of an endpoint of your own (detail.own_answers), else from scope prompt where it is asked. One row per project, grain and period. Source: own.responses, GET v1 share-of-voice/time-series.
view detail.like_these_shares (
  project_id varchar, -- Project id (core.projects).
  grain varchar, -- Length of the period: day, week (starts on Monday) or month. Filter on one; never add or average different grains.
  date date, -- First day of the period (UTC).
  is_of_answers boolean, -- True where it is from detail.own_answers; false from scope prompt.
  prompts_count bigint, -- Prompts with answers. Do not sum or average.
  naming_prompts_count bigint, -- Those of which an answer names your own brand. Do not sum or average.
  like_these_pct double, -- Mean of the share of voice of the prompts, each counted once, percent: for questions like these. From answers of an endpoint of your own (detail.own_answers), else from scope prompt where it is asked, else NULL; NULL under 10 prompts, or under 5 that name the brand. Do not sum or average.
  like_these_low double, -- Lower end of its 95 % interval, percent: of questions like these, where share_of_voice_pct_low is of these questions alone. More prompts narrow it, more answers hardly. Do not sum or average.
  like_these_high double, -- Upper end of its 95 % interval, percent. Do not sum or average.
);

-- The daily figures of a project, one below the other. One row per project, measure and day, every day from the first to the last covered; NULL where there is no figure, or a score outside 0 to 100. Source: the project series.
view detail.measure_days (
  project_id varchar, -- Project id (core.projects).
  project_name varchar, -- Name of the project; NULL when unknown.
  measure varchar, -- What is measured: visibility, sentiment, share_of_voice, net_sentiment_known, citations, crawler_requests or ai_visits. Filter on one; never add or average different measures.
  date date, -- Day (UTC).
  value double, -- Figure of the day: score, percent or number, as the measure says. Do not sum or average: divide the sum of numerator by the sum of denominator.
  numerator double, -- What to add up over days before dividing. Adds up over days of one measure.
  denominator double, -- What to divide by: responses for a share, 1 for a score or a number of the day. Adds up over days of one measure.
  is_whole_day boolean, -- False where figures were asked for before the day was over, which is always so on the day of the sync: leave it out of charts, or they end in a cliff.
  is_final boolean, -- False while the figures may still change: as long as they were not requested again after the look-back window. Always false where they are not whole.
);

-- Figures of each AI model by day. One row per project, model and day with a figure, and one row (other) with the counts and the share that the project has and the listed models lack, where these have any. Source: GET v1 visibility-time-series, v1 sentiment-time-series and v1 share-of-voice/time-series.
view detail.model_kpis (
  project_id varchar, -- Project id (core.projects).
  project_name varchar, -- Name of the project; NULL when unknown.
  model_id varchar, -- Model id; (other) for what the listed models lack.
  model_name varchar, -- Name of the model for people; NULL when the model list lacks it.
  assistant varchar, -- Assistant that people know the model by: ChatGPT, Gemini, Claude, Perplexity, … (ai_assistants); NULL when unknown.
  is_deprecated_model boolean, -- True when the model list says that the model is no longer asked. Source: GET v1 models.
  date date, -- Day (UTC).
  visibility double, -- Visibility score of your own brand as the API computes it, 0 to 100; not the share of answers that name the brand (own_visibility_pct). Do not sum or average: kpi_changes has means of 7 to 365 days, model_kpis the score of each model. Source: GET v1 visibility-time-series.
  sentiment double, -- Sentiment score towards your own brand, scale as the API reports it. Do not sum or average: kpi_changes has means of 7 to 365 days, sentiment_split the counts. Source: GET v1 sentiment-time-series.
  share_of_voice_pct double, -- Brand mentions per 100 organic responses, percent 0 to 100. Do not sum or average: compute from the counts. Source: GET v1 share-of-voice/time-series.
  organic_responses bigint, -- Responses to organic prompts; of (other): those of the project less those of the listed models; no row where nothing is left. Adds up over days and models. Source: GET v1 share-of-voice/time-series.
  organic_brand_mentions bigint, -- Those that mention your own brand. Adds up over days and models. Source: GET v1 share-of-voice/time-series.
  all_responses bigint, -- Responses of every type, where brand_visibility is asked by model (sync.scopes); else, and for (other), NULL. Adds up over days and models. Source: GET v1 analytics/brands/visibility-over-time.
  is_whole_brand_visibility boolean, -- True where the visibility of brands was asked for after the day was over; all_responses is NULL in main otherwise.
  is_whole_visibility boolean, -- True where visibility was asked for after the day was over; NULL in main otherwise.
  is_whole_sentiment boolean, -- True where sentiment was asked for after the day was over; NULL in main otherwise.
  is_whole_share_of_voice boolean, -- True where share of voice was asked for after the day was over; its figures are NULL in main otherwise.
  is_whole_day boolean, -- False where figures were asked for before the day was over, which is always so on the day of the sync: leave it out of charts, or they end in a cliff.
  is_final boolean, -- False while the figures may still change: as long as they were not requested again after the look-back window. Always false where they are not whole.
);

-- Citations by AI model, with the names of the model list. One row per project, window and model. Source: GET v1 citations/llm-sources, GET v1 models.
view detail.model_sources (
  project_id varchar, -- Project id (core.projects).
  project_name varchar, -- Name of the project; NULL when unknown.
  window_kind varchar, -- Kind of window: month, last_7_days, last_28_days, last_90_days or day. Windows overlap. Filter on one; never add or average different kinds.
  window_start date, -- First day of the window (UTC).
  window_end date, -- Last day of the window (UTC), counted.
  days_in_window integer, -- Days of the window so far.
  is_whole_window boolean, -- False where figures were asked for before the window was over, and where it begins before the first day with daily figures: its figures are no match for those of whole windows.
  model_id varchar, -- Model id (core.models).
  model_name varchar, -- Name of the model for people. Source: GET v1 models, GET v1 citations/llm-sources.
  provider_name varchar, -- Name of the provider. Source: GET v1 models, GET v1 citations/llm-sources.
  is_known_model boolean, -- True when the model list has the model. Source: GET v1 models.
  is_deprecated_model boolean, -- True when the model list says that the model is no longer asked. Source: GET v1 models.
  citations_count bigint, -- Citations. Adds up over models of one window, not over windows. Source: GET v1 citations/llm-sources.
  citations_share_pct double, -- Share of the citations of the listed models, percent. Do not add over windows, and do not average.
  unique_domains_count bigint, -- Different domains. Do not sum. Source: GET v1 citations/llm-sources.
  unique_prompts_count bigint, -- Different prompts. Do not sum. Source: GET v1 citations/llm-sources.
);

-- Figures of each monitor by day. One row per project, monitor and day with a figure, and one row (other) with the counts and the share that the project has and the listed monitors lack, where these have any. Source: GET v1 visibility-time-series, v1 sentiment-time-series and v1 share-of-voice/time-series.
view detail.monitor_kpis (
  project_id varchar, -- Project id (core.projects).
  project_name varchar, -- Name of the project; NULL when unknown.
  monitor_id varchar, -- Monitor id; (other) for what the listed monitors lack.
  monitor_name varchar, -- Last known name of the monitor; NULL when unknown. Source: GET v2 events, GET v1 prompts.
  date date, -- Day (UTC).
  visibility double, -- Visibility score of your own brand as the API computes it, 0 to 100; not the share of answers that name the brand (own_visibility_pct). Do not sum or average: kpi_changes has means of 7 to 365 days, model_kpis the score of each model. Source: GET v1 visibility-time-series.
  sentiment double, -- Sentiment score towards your own brand, scale as the API reports it. Do not sum or average: kpi_changes has means of 7 to 365 days, sentiment_split the counts. Source: GET v1 sentiment-time-series.
  share_of_voice_pct double, -- Brand mentions per 100 organic responses, percent 0 to 100. Do not sum or average: compute from the counts. Source: GET v1 share-of-voice/time-series.
  organic_responses bigint, -- Responses to organic prompts; of (other): those of the project less those of the listed monitors, NULL where they exceed them. Adds up over days and monitors. Source: GET v1 share-of-voice/time-series.
  organic_brand_mentions bigint, -- Those that mention your own brand. Adds up over days and monitors. Source: GET v1 share-of-voice/time-series.
  is_whole_visibility boolean, -- True where visibility was asked for after the day was over; NULL in main otherwise.
  is_whole_sentiment boolean, -- True where sentiment was asked for after the day was over; NULL in main otherwise.
  is_whole_share_of_voice boolean, -- True where share of voice was asked for after the day was over; its figures are NULL in main otherwise.
  is_whole_day boolean, -- False where figures were asked for before the day was over, which is always so on the day of the sync: leave it out of charts, or they end in a cliff.
  is_final boolean, -- False while the figures may still change: as long as they were not requested again after the look-back window. Always false where they are not whole.
);

-- Answers by prompt, from an endpoint of your own that is called responses and has prompt_id, date and mentioned_own_brand; without one it is empty. One row per project, prompt and whole day with answers. Source: own.responses.
view detail.own_answers (
  project_id varchar, -- Project id (core.projects).
  date date, -- Day (UTC).
  prompt_id varchar, -- Prompt id. Source: GET v1 prompts.
  prompt_type varchar, -- ORGANIC, BRAND_SPECIFIC or COMPETITOR_COMPARISON. Source: GET v1 prompts.
  answers_count bigint, -- Answers to the prompt that say whether they name your own brand. Adds up over days and prompts.
  naming_count bigint, -- Those that name it. Adds up over days and prompts.
);

-- Every day from the first to the last day that a project has data or a stored answer for: a spine to LEFT JOIN to. One row per project and day. Source: meta.asked_days and core.
view detail.project_days (
  project_id varchar, -- Project id (core.projects).
  project_name varchar, -- Name of the project; NULL when unknown.
  date date, -- Day (UTC).
  is_whole_day boolean, -- False where figures were asked for before the day was over, which is always so on the day of the sync: leave it out of charts, or they end in a cliff.
  is_final boolean, -- False while the figures may still change: as long as they were not requested again after the look-back window. Always false where they are not whole.
);

-- What people call a project, and whether it is still there. One row per project. Source: GET v2 auth/validate.
view detail.project_labels (
  project_id varchar, -- Project id (core.projects).
  project_label varchar, -- Name of the project; with its slug or id where several projects have that name.
  is_listed boolean, -- True when a key listed it when the keys were last asked; a name means such a project first.
);

-- The day of the newest sync that stored daily figures of a project: that day was not over. The days before it were over, except those that were never asked for again (project_days). One row per project. Source: meta.asked_days.
view detail.project_sync_days (
  project_id varchar, -- Project id (core.projects).
  sync_day date, -- First day (UTC) whose figures are partial. A sync that failed for the project, or asked for events alone, does not move it.
);

-- Every prompt that was ever seen, removed ones included. One row per project and prompt. Source: GET v1 prompts.
view detail.prompt_catalog (
  project_id varchar, -- Project id (core.projects).
  project_name varchar, -- Name of the project; NULL when unknown.
  prompt_id varchar, -- Prompt id. Source: GET v1 prompts.
  prompt varchar, -- Text of the prompt; NULL when the API no longer knows it. Source: GET v1 prompts.
  prompt_type varchar, -- ORGANIC, BRAND_SPECIFIC or COMPETITOR_COMPARISON. Source: GET v1 prompts.
  intent varchar, -- BRANDED, INFORMATIONAL, NAVIGATIONAL, COMMERCIAL or TRANSACTIONAL. Source: GET v1 prompts.
  language_code varchar, -- Language. Source: GET v1 prompts.
  is_active boolean, -- True when it is asked at present. Source: GET v1 prompts.
  monitor_id varchar, -- Monitor it belongs to. Source: GET v1 prompts.
  monitor_name varchar, -- Last known name of the monitor; NULL when unknown. Source: GET v2 events, GET v1 prompts.
  responses_count bigint, -- Responses so far, over all time. Adds up over prompts. Source: GET v1 prompts.
  search_volume double, -- Weighted search volume over all keywords, generic ones included: similar prompts of one list differ a thousandfold. Weight no figure by it without saying so. Source: GET v1 prompts.
  average_visibility double, -- Average visibility over all responses, scale as the API reports it. Do not sum or average. Source: GET v1 prompts.
  difficulty double, -- Weighted average keyword difficulty. Do not sum or average. Source: GET v1 prompts.
  created_at timestamp, -- Instant (UTC) of creation. Source: GET v1 prompts.
  updated_at timestamp, -- Instant (UTC) of the last change. Source: GET v1 prompts.
  first_seen_on date, -- First day (UTC) of a sync that saw it listed; NULL when none did.
  last_seen_on date, -- Last day (UTC) of a sync that saw it listed; NULL when none did.
  removed_at timestamp, -- Instant (UTC) at which it was first missing from the list; NULL while it is listed.
  is_removed boolean, -- True when it is no longer listed.
);

-- Figures of each prompt by day, where the scope prompt is configured for visibility, sentiment or share_of_voice (sync.scopes). One row per project, prompt and day with a figure. Source: GET v1 visibility-time-series, v1 sentiment-time-series and v1 share-of-voice/time-series.
view detail.prompt_days (
  project_id varchar, -- Project id (core.projects).
  project_name varchar, -- Name of the project; NULL when unknown.
  prompt_id varchar, -- Prompt id. Source: GET v1 prompts.
  prompt varchar, -- Text of the prompt; NULL when the API no longer knows it. Source: GET v1 prompts.
  prompt_type varchar, -- ORGANIC, BRAND_SPECIFIC or COMPETITOR_COMPARISON. Source: GET v1 prompts.
  monitor_id varchar, -- Monitor it belongs to. Source: GET v1 prompts.
  monitor_name varchar, -- Last known name of the monitor; NULL when unknown. Source: GET v2 events, GET v1 prompts.
  date date, -- Day (UTC).
  visibility double, -- Visibility score of your own brand as the API computes it, 0 to 100; not the share of answers that name the brand (own_visibility_pct). Do not sum or average: kpi_changes has means of 7 to 365 days, model_kpis the score of each model. Source: GET v1 visibility-time-series.
  sentiment double, -- Sentiment score towards your own brand, scale as the API reports it. Do not sum or average: kpi_changes has means of 7 to 365 days, sentiment_split the counts. Source: GET v1 sentiment-time-series.
  organic_responses bigint, -- Responses to organic prompts alone; other views count responses to prompts of every type. Adds up over days. Source: GET v1 share-of-voice/time-series.
  organic_brand_mentions bigint, -- Responses to organic prompts that mention your own brand. Adds up over days. Source: GET v1 share-of-voice/time-series.
  share_of_voice_pct double, -- Brand mentions per 100 organic responses, percent 0 to 100. Do not sum or average: compute from the counts. Source: GET v1 share-of-voice/time-series.
  is_whole_visibility boolean, -- True where visibility was asked for after the day was over; NULL in main otherwise.
  is_whole_sentiment boolean, -- True where sentiment was asked for after the day was over; NULL in main otherwise.
  is_whole_share_of_voice boolean, -- True where share of voice was asked for after the day was over; its figures are NULL in main otherwise.
  is_whole_day boolean, -- False where figures were asked for before the day was over, which is always so on the day of the sync: leave it out of charts, or they end in a cliff.
  is_final boolean, -- False while the figures may still change: as long as they were not requested again after the look-back window. Always false where they are not whole.
);

-- Answers and visibility of each prompt in the two periods of detail.visibility_periods, told from the running totals of the prompt list, and what they add to the change of the project. One row per project, length of window and prompt, and one (other) for the answers of no listed prompt. Source: GET v1 prompts.
view detail.prompt_periods (
  project_id varchar, -- Project id (core.projects).
  window_days integer, -- Days on each side: 7, 28 or 90. Filter on one; never add or average different windows.
  prompt_id varchar, -- Prompt id; (other) for the answers of no listed prompt.
  monitor_id varchar, -- Monitor it belongs to. Source: GET v1 prompts.
  is_new boolean, -- True when it was first seen after the first night.
  is_gone boolean, -- True when it is no longer on the list.
  is_kept boolean, -- True when it has answers in both periods.
  responses_before double, -- Answers in the period before. Adds up over prompts.
  responses_after double, -- Answers in the period after. Adds up over prompts.
  weight_before double, -- Its part of all answers of the period before, 0 to 1. Adds up over prompts.
  weight_after double, -- Its part of all answers of the period after, 0 to 1. Adds up over prompts.
  rate_before double, -- Its visibility in the period before; without answers there, that of the other period. Do not sum or average.
  rate_after double, -- Its visibility in the period after; without answers there, that of the other period. Do not sum or average.
  error_before double, -- What rounding of the list may change its visibility of the period before by. Do not sum or average.
  error_after double, -- What rounding of the list may change its visibility of the period after by. Do not sum or average.
  contribution double, -- What it adds to the change of the project, in points. Adds up over prompts.
  rate_part double, -- The part of it that its own visibility moved. Adds up over prompts.
  common_rate double, -- Mean visibility of what was asked in both periods. Repeated on every row: do not sum or average.
);

-- What was reported before and what is reported now. One row per changed or vanished value; what was NULL before, and the running counters of prompts, are no restatement. Source: meta.restatements.
view detail.restated_values (
  project_id varchar, -- Project id (core.projects).
  project_name varchar, -- Name of the project; NULL when unknown.
  table_name varchar, -- Table in core.
  column_name varchar, -- Column that changed.
  change varchar, -- updated or deleted (the whole row vanished).
  grain varchar, -- Length of the period: day, week or month; NULL where the table has none.
  date date, -- First day of the period or window (UTC); NULL where the key of the table has none.
  window_kind varchar, -- Kind of window; NULL for series.
  scope varchar, -- Filter the figures were asked with; NULL where the table has none.
  scope_id varchar, -- Value of that filter.
  row_key varchar, -- Key of the row as JSON.
  old_value varchar, -- Former value as text.
  new_value varchar, -- New value as text; NULL when it vanished.
  old_number double, -- Former value as a number; NULL for other text.
  new_number double, -- New value as a number; NULL for other text.
  change_number double, -- New less former number. Do not add over columns.
  was_final boolean, -- True when the day, or the last day of the period or window, was older than the look-back: the change contradicts a report that took it for final.
  run_id varchar, -- Run that saw the change (meta.runs).
  changed_at timestamp, -- Instant (UTC) of the change here.
);

-- Responses by sentiment. One row per project and day that the API reports. Source: GET v1 responses/sentiment-time-series.
view detail.sentiment_split (
  project_id varchar, -- Project id (core.projects).
  project_name varchar, -- Name of the project; NULL when unknown.
  date date, -- Day (UTC).
  positive_count bigint, -- Positive responses. Adds up over days. Source: GET v1 responses/sentiment-time-series.
  negative_count bigint, -- Negative responses. Adds up over days. Source: GET v1 responses/sentiment-time-series.
  neutral_count bigint, -- Neutral responses. Adds up over days. Source: GET v1 responses/sentiment-time-series.
  unknown_count bigint, -- Responses without a known sentiment. Adds up over days. Source: GET v1 responses/sentiment-time-series.
  known_count bigint, -- Responses with a known sentiment: positive, negative and neutral ones; NULL when there are no responses. Adds up over days. Source: GET v1 responses/sentiment-time-series.
  all_responses bigint, -- Responses to prompts of every type: those of any sentiment, unknown included; NULL when there are no responses. Adds up over days. Source: GET v1 responses/sentiment-time-series.
  positive_pct double, -- Share of positive responses, percent; NULL when there are no responses. Do not add over days, and do not average: compute from the counts. Source: GET v1 responses/sentiment-time-series.
  negative_pct double, -- Share of negative responses, percent; NULL when there are no responses. Do not add over days, and do not average: compute from the counts. Source: GET v1 responses/sentiment-time-series.
  neutral_pct double, -- Share of neutral responses, percent; NULL when there are no responses. Do not add over days, and do not average: compute from the counts. Source: GET v1 responses/sentiment-time-series.
  unknown_pct double, -- Share of unknown responses, percent; NULL when there are no responses. Do not add over days, and do not average: compute from the counts. Source: GET v1 responses/sentiment-time-series.
  positive_pct_low double, -- Lower end of its 95 % interval, percent; NULL when there are no responses. Do not sum or average.
  positive_pct_high double, -- Upper end of its 95 % interval, percent; NULL when there are no responses. Do not sum or average.
  negative_pct_low double, -- Lower end of its 95 % interval, percent; NULL when there are no responses. Do not sum or average.
  negative_pct_high double, -- Upper end of its 95 % interval, percent; NULL when there are no responses. Do not sum or average.
  neutral_pct_low double, -- Lower end of its 95 % interval, percent; NULL when there are no responses. Do not sum or average.
  neutral_pct_high double, -- Upper end of its 95 % interval, percent; NULL when there are no responses. Do not sum or average.
  net_sentiment_pct double, -- Positive less negative responses, per 100 responses of any sentiment, -100 to 100; NULL when there are no responses. It moves with the share of unknown responses, and so with visibility: net_sentiment_known_pct does not. Do not sum or average: compute from the counts. Source: GET v1 responses/sentiment-time-series.
  net_sentiment_pct_low double, -- Lower end of its 95 % interval, percent; NULL when there are no responses. Do not sum or average.
  net_sentiment_pct_high double, -- Upper end of its 95 % interval, percent; NULL when there are no responses. Do not sum or average.
  net_sentiment_known_pct double, -- Positive less negative responses, per 100 responses with a known sentiment, -100 to 100; NULL when there are no responses. Do not sum or average: compute from the counts. Source: GET v1 responses/sentiment-time-series.
  net_sentiment_known_pct_low double, -- Lower end of its 95 % interval, percent; NULL when there are no responses. Do not sum or average.
  net_sentiment_known_pct_high double, -- Upper end of its 95 % interval, percent; NULL when there are no responses. Do not sum or average.
  is_whole_day boolean, -- False where figures were asked for before the day was over, which is always so on the day of the sync: leave it out of charts, or they end in a cliff.
  is_final boolean, -- False while the figures may still change: as long as they were not requested again after the look-back window. Always false where they are not whole.
);

-- Daily sentiment with its 7-day mean and the events of that day. One row per project, scope and day with a row of sentiment; events are counted per day first, so that they never multiply a day. Rows of scope monitor have the actions of the project and the prompt events of their own monitor. Source: GET v1 sentiment-time-series, GET v2 events.
view detail.sentiment_with_events (
  project_id varchar, -- Project id (core.projects).
  project_name varchar, -- Name of the project; NULL when unknown.
  date date, -- Day (UTC).
  scope varchar, -- Filter the figures were asked with: project (none), model, monitor, prompt, prompt_type or page. Filter on one; never add or average different scopes.
  scope_id varchar, -- Value of that filter; the project id in scope project.
  scope_name varchar, -- The filter for people: name of the project, model or monitor, or text of the prompt; NULL when unknown.
  sentiment double, -- Sentiment score towards your own brand, scale as the API reports it. Do not sum or average: kpi_changes has means of 7 to 365 days, sentiment_split the counts. Source: GET v1 sentiment-time-series.
  sentiment_7_day_mean double, -- Mean of the daily values of the 7 calendar days that end on the day, days without a value, or that are not whole, left out. Do not sum or average.
  sentiment_previous_7_day_mean double, -- The same mean for the 7 calendar days before those. Do not sum or average.
  sentiment_7_day_change double, -- The mean less the one before, in the unit of sentiment; NULL when one side has a value on fewer than 5 of the 7 days, and on the day of the sync. Do not sum or average.
  events_count bigint, -- Events of the day in the project; 0 on a day that was covered and had none, NULL on a day that was not covered. Adds up over days. Source: GET v2 events.
  actions_completed bigint, -- Actions completed that day; 0 on a day that was covered and had none, NULL on a day that was not covered. Adds up over days. Source: GET v2 events.
  prompts_created bigint, -- Prompts (not groups) created that day; 0 on a day that was covered and had none, NULL on a day that was not covered. Adds up over days. Source: GET v2 events.
  prompts_deleted bigint, -- Prompts (not groups) deleted that day; 0 on a day that was covered and had none, NULL on a day that was not covered. Adds up over days. Source: GET v2 events.
  event_titles varchar, -- Titles of the events of the day, by time, separated by semicolons; NULL without events. Source: GET v2 events.
  event_types varchar, -- Kinds of the events of the day: action, prompts_created, prompts_deleted; NULL without events. Source: GET v2 events.
  is_whole_day boolean, -- False where figures were asked for before the day was over, which is always so on the day of the sync: leave it out of charts, or they end in a cliff.
  is_final boolean, -- False while the figures may still change: as long as they were not requested again after the look-back window. Always false where they are not whole.
);

-- Share of voice over time, with the period before. One row per project, grain, scope and period. Source: GET v1 share-of-voice/time-series.
view detail.share_of_voice_trend (
  project_id varchar, -- Project id (core.projects).
  project_name varchar, -- Name of the project; NULL when unknown.
  grain varchar, -- Length of the period: day, week (starts on Monday) or month. Filter on one; never add or average different grains.
  date date, -- First day of the period (UTC).
  scope varchar, -- Filter the figures were asked with: project (none), model, monitor, prompt, prompt_type or page. Filter on one; never add or average different scopes.
  scope_id varchar, -- Value of that filter; the project id in scope project.
  scope_name varchar, -- The filter for people: name of the project, model or monitor, or text of the prompt; NULL when unknown.
  organic_responses bigint, -- Responses to organic prompts alone; other views count responses to prompts of every type. Adds up over periods of one grain. Source: GET v1 share-of-voice/time-series.
  organic_brand_mentions bigint, -- Responses to organic prompts that mention your own brand. Adds up over periods of one grain. Source: GET v1 share-of-voice/time-series.
  share_of_voice_pct double, -- Brand mentions per 100 organic responses, percent 0 to 100. Do not sum or average: compute from the counts. Source: GET v1 share-of-voice/time-series.
  share_of_voice_pct_low double, -- Lower end of its 95 % interval (Wilson), percent: of these questions, asked again. Of questions like these: like_these_low. Do not sum or average.
  share_of_voice_pct_high double, -- Upper end of its 95 % interval (Wilson), percent. Do not sum or average.
  like_these_pct double, -- Mean of the share of voice of the prompts, each counted once, percent: for questions like these. From answers of an endpoint of your own (detail.own_answers), else from scope prompt where it is asked, else NULL; NULL under 10 prompts, or under 5 that name the brand. Do not sum or average.
  like_these_low double, -- Lower end of its 95 % interval, percent: of questions like these, where share_of_voice_pct_low is of these questions alone. More prompts narrow it, more answers hardly. Do not sum or average.
  like_these_high double, -- Upper end of its 95 % interval, percent. Do not sum or average.
  previous_date date, -- First day of the period before it that has data: look at it before reading a change, a period may be missing.
  previous_share_of_voice_pct double, -- Share of voice of the period before by the calendar, percent; NULL when that has no figure. Do not sum or average.
  change_points double, -- Change against that period, percentage points; NULL unless both periods are whole. Do not sum or average.
  reported_previous_share_of_voice_pct double, -- Share of voice of the period before as the API reports it, percent. Do not sum or average. Source: GET v1 share-of-voice/time-series.
  reported_change_points double, -- Change as the API reports it, percentage points. Do not sum or average. Source: GET v1 share-of-voice/time-series.
  is_whole_day boolean, -- False where figures were asked for before the period was over, which is always so on the day of the sync: leave it out of charts, or they end in a cliff.
  is_final boolean, -- False while the figures may still change: as long as they were not requested again after the look-back window. Always false where they are not whole.
);

-- Which days can be trusted. One row per project, endpoint, grain and period that the configuration asks for, up to the day before the newest run. Source: meta.expected_series and meta.asked_days.
view detail.sync_coverage (
  project_id varchar, -- Project id (core.projects).
  project_name varchar, -- Name of the project; NULL when unknown.
  endpoint varchar, -- Name of the endpoint in the catalogue of answerlake.
  grain varchar, -- Length of the period: day, week (starts on Monday) or month; day for events.
  date date, -- First day of the period (UTC).
  series_expected_count bigint, -- Series (scopes) that the configuration asks for.
  series_covered_count bigint, -- Series that a stored answer covers.
  series_settled_count bigint, -- Series that were asked again after the look-back window.
  is_covered boolean, -- True when all of them are covered.
  is_settled boolean, -- True when all of them are settled: nothing is expected to change.
  status varchar, -- settled, covered, unconfirmed, not_available, known (what is missing has been wrong for three sync days), partial or missing.
  known_reason varchar, -- Why a series is not covered, where that is known: a reason of meta.alarms; else NULL.
  known_first_on date, -- First sync day (UTC) on which that was seen; else NULL.
  asked_on date, -- Sync day (UTC) of the newest answer that covers it; NULL while none does.
);

-- How fresh each endpoint of each project was when this was computed: status is stale in main alone, by the clock of the reader. One row per project and endpoint; the project is NULL for endpoints without a project. Source: meta.slices.
view detail.sync_freshness (
  project_id varchar, -- Project id (core.projects); NULL for endpoints without a project.
  project_name varchar, -- Name of the project; NULL when unknown.
  endpoint varchar, -- Name of the endpoint in the catalogue of answerlake.
  status varchar, -- current, stale (is_stale), behind (more than one day), partial (some answers failed, or came incomplete), suspicious, failed, not_enabled, never_asked, no_longer_asked_for (the configuration leaves it out) or lost (the project: meta.alarms): outcome of the run that asked last.
  last_asked_at timestamp, -- Instant (UTC) of the newest outcome, failures included.
  last_success_at timestamp, -- Instant (UTC) of the newest answer that was stored and whole.
  last_covered_date date, -- Last day (UTC) that a stored, whole answer covers; NULL for lists without dates.
  last_row date, -- Newest day (UTC), or last day of a window, with a figure of the project itself; later answers had none. NULL for lists, and where none ever came.
  lag_days bigint, -- Days from there to the day (UTC) on which the newest run began.
  max_age_hours double, -- Hours from which on it is stale: freshness.max_age, or 36, or 1.5 times the longest gap between the jobs that ask the endpoint; NULL for endpoints that are not requested regularly, or that the plan is known to lack.
  slices_done_count bigint, -- Whole answers stored by the run that asked last.
  slices_failed_count bigint, -- Answers that failed in the run that asked last.
  slices_suspicious_count bigint, -- Answers held back in the run that asked last.
  last_error varchar, -- Why an answer of that run failed or is incomplete; NULL when none did.
);

-- Periods that the configuration asks for and no stored answer covers that was asked after they were over, up to the day before the newest run. One row per project, endpoint, grain, scope and period; empty when nothing is missing, with status known where the reason is listed (meta.alarms). Source: meta.expected_series and meta.asked_days.
view detail.sync_gaps (
  project_id varchar, -- Project id (core.projects).
  project_name varchar, -- Name of the project; NULL when unknown.
  endpoint varchar, -- Name of the endpoint in the catalogue of answerlake.
  grain varchar, -- Length of the period: day, week (starts on Monday) or month; day for events.
  date date, -- First day of the period (UTC).
  scope varchar, -- Filter the figures were asked with: project (none), model, monitor, prompt, prompt_type or page. Filter on one; never add or average different scopes.
  scope_id varchar, -- Value of that filter; the project id in scope project.
  status varchar, -- known (wrong for three sync days: known_reason), partial (its only answers were asked before it was over), refused (a row could not be read), incomplete (the list is not proven whole), never_asked, or the newest outcome (failed, suspicious).
  last_status varchar, -- Newest outcome: loaded, empty, not_enabled, truncated, suspicious or failed; NULL when never asked.
  known_reason varchar, -- Why it is missing, where that is known: a reason of meta.alarms; else NULL.
  known_first_on date, -- First sync day (UTC) on which that was seen; else NULL.
);

-- Which periods of each series are covered. One row per project, endpoint, grain, scope and period that the configuration asks for, up to the day before the newest run. Source: meta.expected_series and meta.asked_days.
view detail.sync_series_coverage (
  project_id varchar, -- Project id (core.projects).
  project_name varchar, -- Name of the project; NULL when unknown.
  endpoint varchar, -- Name of the endpoint in the catalogue of answerlake.
  grain varchar, -- Length of the period: day, week (starts on Monday) or month; day for events.
  date date, -- First day of the period (UTC).
  scope varchar, -- Filter the figures were asked with: project (none), model, monitor, prompt, prompt_type or page. Filter on one; never add or average different scopes.
  scope_id varchar, -- Value of that filter; the project id in scope project.
  is_covered boolean, -- True when a stored answer covers the period, be it an empty one, and was asked after the period was over; for the newest period also before, as long as nothing failed since.
  is_settled boolean, -- True when an answer covers it that was asked after the look-back window: it is not expected to change.
  status varchar, -- settled, covered, unconfirmed (no row, or a missing one, by one sync day only; asked once more), partial (its only answers were asked before it was over), refused (a row could not be read), incomplete (the list is not proven whole), not_available (the server no longer has it), known (has been wrong for three sync days: known_reason), never_asked, or the newest outcome (failed, suspicious).
  last_status varchar, -- Newest outcome: loaded, empty, not_enabled, truncated, suspicious or failed; NULL when never asked.
  known_reason varchar, -- Why it is not covered, where that is known: a reason of meta.alarms; else NULL.
  known_first_on date, -- First sync day (UTC) on which that was seen; else NULL.
  asked_on date, -- Sync day (UTC) of the newest answer that covers it; NULL while none does.
);

-- Normal variation of a difference of two means, computed from the last 365 whole days of the project's own series: 1.96 * 1.4826 * the median distance of 7-day differences from their median, which real shifts hardly move. One row per project and measure. A change beyond it is clear, not explained. Source: the project series.
view detail.typical_changes (
  project_id varchar, -- Project id (core.projects).
  project_name varchar, -- Name of the project; NULL when unknown.
  measure varchar, -- What is measured: visibility, sentiment, share_of_voice, net_sentiment_known, citations, crawler_requests or ai_visits. Filter on one; never add or average different measures.
  last_date date, -- Last whole day (UTC) of the project.
  days_count bigint, -- Days around which both 7-day means have at least 5 days with a figure (fewer where prompts are asked on some weekdays only); fewer than 60 are too few to judge.
  typical_change_7_days double, -- Typical change between two means of 7 days, in the unit of the measure; NULL with fewer than 60 such days, and where over half of the changes are the same. Do not sum or average.
  typical_change_14_days double, -- The same for means of 14 days: 0.8 of it. Do not sum or average.
  typical_change_28_days double, -- The same for means of 28 days: 0.64 of it. Do not sum or average.
  typical_change_90_days double, -- The same for means of 90 days: 0.44 of it. Do not sum or average.
  typical_change_365_days double, -- The same for means of 365 days: 0.28 of it. Do not sum or average.
  drift_around_7_days double, -- Median change of the 7 days after a day against the 7 before: a slow trend is no news. Do not sum or average.
  drift_around_14_days double, -- Median change of the 14 days after a day against the 14 before. Do not sum or average.
  drift_from_14_days double, -- Median change of the 14 days that begin with a day against the 14 before. Do not sum or average.
  drift_last_7_days double, -- Median change of 7 days against the 7 before. Do not sum or average.
  drift_last_28_days double, -- Median change of 28 days against the 28 before. Do not sum or average.
  drift_last_90_days double, -- Median change of 90 days against the 90 before; NULL with fewer than 60 such changes. Do not sum or average.
  steady_drift_28_days double, -- Slow trend in 28 days: the least of the median changes of 28 days in the three thirds of the history, 0 unless all have one sign; NULL with fewer than 60 such changes. Do not sum or average.
  spread_28_days double, -- Root of the mean square of the changes of 28 days less that trend: what a projection grows by. Do not sum or average.
  sampled_share double, -- Share of the last 56 whole days that have a figure: 1, or less where prompts are asked on some weekdays only. Do not sum or average.
);

-- The two periods that why_visibility_moved compares: the days between three nights with a prompt list, the newest one and those nearest to one and two windows before it. One row per project and length of window. Source: GET v1 prompts, GET v1 analytics/brands/visibility-over-time.
view detail.visibility_periods (
  project_id varchar, -- Project id (core.projects).
  project_name varchar, -- Name of the project; NULL when unknown.
  window_days integer, -- Days on each side: 7, 28 or 90. Filter on one; never add or average different windows.
  from_night date, -- Day (UTC) of the first list; NULL when no night is near enough.
  until_night date, -- Day (UTC) of the list that ends the period before; the second one.
  middle_night date, -- Day (UTC) of the second list; NULL when no night is near enough.
  to_night date, -- Day (UTC) of the newest list.
  before_from date, -- First day (UTC) of the period before.
  before_to date, -- Last day (UTC) of the period before, counted.
  after_from date, -- First day (UTC) of the period after.
  after_to date, -- Last day (UTC) of the period after, counted.
  hours_off double, -- How far the worst of the lists lies from the midnight at which it cuts a period: its answers of these hours count on the other side. Do not sum or average.
  responses_before double, -- Responses of every type in the period before. Do not add over windows.
  responses_after double, -- Responses of every type in the period after. Do not add over windows.
  visibility_before double, -- Visibility score of your own brand over all responses of the period before. Do not sum or average.
  visibility_after double, -- Visibility score of your own brand over all responses of the period after. Do not sum or average.
  before_as_reported double, -- The same of the period before, as it was stored when that period ended. Do not sum or average.
);

-- Daily visibility with its 7-day mean and the events of that day. One row per project, scope and day with a row of visibility; events are counted per day first, so that they never multiply a day. Rows of scope monitor have the actions of the project and the prompt events of their own monitor. Source: GET v1 visibility-time-series, GET v2 events.
view detail.visibility_with_events (
  project_id varchar, -- Project id (core.projects).
  project_name varchar, -- Name of the project; NULL when unknown.
  date date, -- Day (UTC).
  scope varchar, -- Filter the figures were asked with: project (none), model, monitor, prompt, prompt_type or page. Filter on one; never add or average different scopes.
  scope_id varchar, -- Value of that filter; the project id in scope project.
  scope_name varchar, -- The filter for people: name of the project, model or monitor, or text of the prompt; NULL when unknown.
  visibility double, -- Visibility score of your own brand as the API computes it, 0 to 100; not the share of answers that name the brand (own_visibility_pct). Do not sum or average: kpi_changes has means of 7 to 365 days, model_kpis the score of each model. Source: GET v1 visibility-time-series.
  visibility_7_day_mean double, -- Mean of the daily values of the 7 calendar days that end on the day, days without a value, or that are not whole, left out. Do not sum or average.
  visibility_previous_7_day_mean double, -- The same mean for the 7 calendar days before those. Do not sum or average.
  visibility_7_day_change double, -- The mean less the one before, in the unit of visibility; NULL when one side has a value on fewer than 5 of the 7 days, and on the day of the sync. Do not sum or average.
  events_count bigint, -- Events of the day in the project; 0 on a day that was covered and had none, NULL on a day that was not covered. Adds up over days. Source: GET v2 events.
  actions_completed bigint, -- Actions completed that day; 0 on a day that was covered and had none, NULL on a day that was not covered. Adds up over days. Source: GET v2 events.
  prompts_created bigint, -- Prompts (not groups) created that day; 0 on a day that was covered and had none, NULL on a day that was not covered. Adds up over days. Source: GET v2 events.
  prompts_deleted bigint, -- Prompts (not groups) deleted that day; 0 on a day that was covered and had none, NULL on a day that was not covered. Adds up over days. Source: GET v2 events.
  event_titles varchar, -- Titles of the events of the day, by time, separated by semicolons; NULL without events. Source: GET v2 events.
  event_types varchar, -- Kinds of the events of the day: action, prompts_created, prompts_deleted; NULL without events. Source: GET v2 events.
  is_whole_day boolean, -- False where figures were asked for before the day was over, which is always so on the day of the sync: leave it out of charts, or they end in a cliff.
  is_final boolean, -- False while the figures may still change: as long as they were not requested again after the look-back window. Always false where they are not whole.
);

-- Counts of whole windows that no series gives: responses of every type, brand mentions, sentiment, share of voice. One row per project, window and scope. Windows overlap: filter on one kind. Source: GET v1 responses/summary, v1 responses/sentiment-distribution and v1 share-of-voice/comparison.
view detail.window_summary (
  project_id varchar, -- Project id (core.projects).
  project_name varchar, -- Name of the project; NULL when unknown.
  window_kind varchar, -- Kind of window: month, last_7_days, last_28_days, last_90_days or day. Windows overlap. Filter on one; never add or average different kinds.
  window_start date, -- First day of the window (UTC).
  window_end date, -- Last day of the window (UTC), counted.
  days_in_window integer, -- Days of the window so far.
  scope varchar, -- Filter the figures were asked with: project (none), model, monitor, prompt, prompt_type or page. Filter on one; never add or average different scopes.
  scope_id varchar, -- Value of that filter; the project id in scope project.
  scope_name varchar, -- The filter for people: name of the project, model or monitor, or text of the prompt; NULL when unknown.
  is_whole_window boolean, -- False where figures were asked for before the window was over, and where it begins before the first day with daily figures: its figures are no match for those of whole windows.
  is_whole_summary boolean, -- True where all_responses and what mentions you were asked for after the window was over; NULL in main otherwise.
  is_whole_split boolean, -- True where the counts by sentiment were asked for after the window was over; NULL in main otherwise.
  is_whole_share_of_voice boolean, -- True where the share of voice were asked for after the window was over; NULL in main otherwise.
  all_responses bigint, -- Responses to prompts of every type in the window. Do not add over windows. Source: GET v1 responses/summary.
  all_brand_mentions bigint, -- Those that mention your own brand. Do not add over windows. Source: GET v1 responses/summary.
  brand_mention_rate double, -- Share of them, as the API reports it. Do not sum or average: divide all_brand_mentions by all_responses. Source: GET v1 responses/summary.
  positive_count bigint, -- Responses with positive sentiment in the window; NULL where the answer does not list it and those listed are not all the responses. Do not add over windows. Source: GET v1 responses/sentiment-distribution.
  negative_count bigint, -- Responses with negative sentiment in the window; NULL where the answer does not list it and those listed are not all the responses. Do not add over windows. Source: GET v1 responses/sentiment-distribution.
  neutral_count bigint, -- Responses with neutral sentiment in the window; NULL where the answer does not list it and those listed are not all the responses. Do not add over windows. Source: GET v1 responses/sentiment-distribution.
  unknown_count bigint, -- Responses with unknown sentiment in the window; NULL where the answer does not list it and those listed are not all the responses. Do not add over windows. Source: GET v1 responses/sentiment-distribution.
  current_share_of_voice_pct double, -- Share of voice of the window, percent, organic responses only. Do not sum or average: share_of_voice_trend has the counts. Source: GET v1 share-of-voice/comparison.
  previous_share_of_voice_pct double, -- Share of voice of the window before, as the API reports it, percent. Do not sum or average. Source: GET v1 share-of-voice/comparison.
);

-- Figures of the 14 days before the first and after the last action of a burst: completed actions of a project with gaps of at most 4 days, or in the wake of the one before, over at most 28 days, which no figure can separate. One row per burst. It shows the change after the actions, never what they caused. Source: GET v2 events and the project series.
view main.action_group_impact (
  project_id varchar, -- Project id (core.projects).
  project_name varchar, -- Name of the project; NULL when unknown.
  overlap_group_id varchar, -- Burst of completed actions that cannot be told apart: gaps of at most 4 days, or in the wake of the one before, over at most 28 days. Unique over all projects.
  first_date date, -- Day (UTC) of the first action; belongs to neither side.
  last_date date, -- Day (UTC) of the last action; belongs to neither side, as all days between.
  actions bigint, -- Completed actions of the burst. Adds up over bursts.
  titles varchar, -- Titles of the actions, by time, separated by semicolons.
  visibility_before double, -- Mean daily visibility of the 14 days before the first action; NULL where it is not judged (detail.action_effects has it). Do not sum or average.
  visibility_after double, -- Mean daily visibility of the 14 days after the last action; NULL where it is not judged (detail.action_effects has it). Do not sum or average.
  visibility_change double, -- After less before, in the unit of visibility. Not a proof of cause. NULL where it is not judged. Do not sum or average.
  visibility_typical_change double, -- Normal variation of such a difference (detail.typical_changes), in the unit of visibility; NULL with fewer than 60 days to compute it from, and where over half of the changes are the same. Repeated on every row: do not sum or average.
  visibility_effect double, -- Judged change of visibility after it, in the unit of the measure: mean after less mean before of the adjusted series (detail.adjusted_days), less the slow trend; windows of 14 days that end where a neighbouring action or setup change begins. NULL where not_judged says why. Not a proof of cause. Do not sum or average: action_type_impact pools effects.
  visibility_effect_low double, -- Lower end of its 95 % interval. Do not sum or average.
  visibility_effect_high double, -- Upper end of its 95 % interval. Do not sum or average.
  visibility_is_clear boolean, -- True when the interval leaves 0 out and the level after also differs from the median of the 42 days before, so that the end of a dip is no success. NULL when not judged. Clear, not caused: about 1 in 25 idle actions is clear too.
  visibility_effect_15_28 double, -- The same for the days 15 to 28 after the last action, as far as no neighbour begins: content works slowly. NULL with fewer than 4 such days. Do not sum or average.
  visibility_effect_15_28_low double, -- Lower end of its 95 % interval. Do not sum or average.
  visibility_effect_15_28_high double, -- Upper end of its 95 % interval. Do not sum or average.
  visibility_effect_15_28_is_clear boolean, -- True when that interval leaves 0 out and the level still differs from the six weeks before. NULL when not judged.
  visibility_effect_29_56 double, -- The same for the days 29 to 56 after the last action, as far as no neighbour begins: content works slowly. NULL with fewer than 4 such days. Do not sum or average.
  visibility_effect_29_56_low double, -- Lower end of its 95 % interval. Do not sum or average.
  visibility_effect_29_56_high double, -- Upper end of its 95 % interval. Do not sum or average.
  visibility_effect_29_56_is_clear boolean, -- True when that interval leaves 0 out and the level still differs from the six weeks before. NULL when not judged.
  sentiment_before double, -- Mean daily sentiment of the 14 days before the first action; NULL where it is not judged (detail.action_effects has it). Do not sum or average.
  sentiment_after double, -- Mean daily sentiment of the 14 days after the last action; NULL where it is not judged (detail.action_effects has it). Do not sum or average.
  sentiment_change double, -- After less before, in the unit of sentiment. Not a proof of cause. NULL where it is not judged. Do not sum or average.
  sentiment_typical_change double, -- Normal variation of such a difference (detail.typical_changes), in the unit of sentiment; NULL with fewer than 60 days to compute it from, and where over half of the changes are the same. Repeated on every row: do not sum or average.
  sentiment_effect double, -- Judged change of sentiment after it, in the unit of the measure: mean after less mean before of the adjusted series (detail.adjusted_days), less the slow trend; windows of 14 days that end where a neighbouring action or setup change begins. NULL where not_judged says why. Not a proof of cause. Do not sum or average: action_type_impact pools effects.
  sentiment_effect_low double, -- Lower end of its 95 % interval. Do not sum or average.
  sentiment_effect_high double, -- Upper end of its 95 % interval. Do not sum or average.
  sentiment_is_clear boolean, -- True when the interval leaves 0 out and the level after also differs from the median of the 42 days before, so that the end of a dip is no success. NULL when not judged. Clear, not caused: about 1 in 25 idle actions is clear too.
  sentiment_effect_15_28 double, -- The same for the days 15 to 28 after the last action, as far as no neighbour begins: content works slowly. NULL with fewer than 4 such days. Do not sum or average.
  sentiment_effect_15_28_low double, -- Lower end of its 95 % interval. Do not sum or average.
  sentiment_effect_15_28_high double, -- Upper end of its 95 % interval. Do not sum or average.
  sentiment_effect_15_28_is_clear boolean, -- True when that interval leaves 0 out and the level still differs from the six weeks before. NULL when not judged.
  sentiment_effect_29_56 double, -- The same for the days 29 to 56 after the last action, as far as no neighbour begins: content works slowly. NULL with fewer than 4 such days. Do not sum or average.
  sentiment_effect_29_56_low double, -- Lower end of its 95 % interval. Do not sum or average.
  sentiment_effect_29_56_high double, -- Upper end of its 95 % interval. Do not sum or average.
  sentiment_effect_29_56_is_clear boolean, -- True when that interval leaves 0 out and the level still differs from the six weeks before. NULL when not judged.
  share_of_voice_before double, -- Brand mentions per 100 organic responses of the 14 days before the first action; NULL where it is not judged (detail.action_effects has it). Do not sum or average.
  share_of_voice_after double, -- Brand mentions per 100 organic responses of the 14 days after the last action; NULL where it is not judged (detail.action_effects has it). Do not sum or average.
  share_of_voice_change double, -- After less before, in percentage points. Not a proof of cause. NULL where it is not judged. Do not sum or average.
  share_of_voice_typical_change double, -- Normal variation of such a difference (detail.typical_changes), in percentage points; NULL with fewer than 60 days to compute it from, and where over half of the changes are the same. Repeated on every row: do not sum or average.
  share_of_voice_effect double, -- Judged change of share of voice after it, in the unit of the measure: mean after less mean before of the adjusted series (detail.adjusted_days), less the slow trend; windows of 14 days that end where a neighbouring action or setup change begins. NULL where not_judged says why. Not a proof of cause. Do not sum or average: action_type_impact pools effects.
  share_of_voice_effect_low double, -- Lower end of its 95 % interval. Do not sum or average.
  share_of_voice_effect_high double, -- Upper end of its 95 % interval. Do not sum or average.
  share_of_voice_is_clear boolean, -- True when the interval leaves 0 out and the level after also differs from the median of the 42 days before, so that the end of a dip is no success. NULL when not judged. Clear, not caused: about 1 in 25 idle actions is clear too.
  share_of_voice_effect_15_28 double, -- The same for the days 15 to 28 after the last action, as far as no neighbour begins: content works slowly. NULL with fewer than 4 such days. Do not sum or average.
  share_of_voice_effect_15_28_low double, -- Lower end of its 95 % interval. Do not sum or average.
  share_of_voice_effect_15_28_high double, -- Upper end of its 95 % interval. Do not sum or average.
  share_of_voice_effect_15_28_is_clear boolean, -- True when that interval leaves 0 out and the level still differs from the six weeks before. NULL when not judged.
  share_of_voice_effect_29_56 double, -- The same for the days 29 to 56 after the last action, as far as no neighbour begins: content works slowly. NULL with fewer than 4 such days. Do not sum or average.
  share_of_voice_effect_29_56_low double, -- Lower end of its 95 % interval. Do not sum or average.
  share_of_voice_effect_29_56_high double, -- Upper end of its 95 % interval. Do not sum or average.
  share_of_voice_effect_29_56_is_clear boolean, -- True when that interval leaves 0 out and the level still differs from the six weeks before. NULL when not judged.
  not_judged varchar, -- Why there is no effect: setup_changed (the questions changed within 3 days), in_the_wake (the figures move within 10 days of an action before it, and may be the work of either: action_group_impact judges both together), neighbour_too_close (fewer than 4 days to the next action or setup change), too_few_days (with a figure), not_over (the 14 days after), young_series (fewer than 60 days to judge by); for visibility, where other measures differ. NULL when one is judged. All steps: detail.action_effects.
  days_before bigint, -- Days with a visibility value among the 14 before.
  days_after bigint, -- Days with a visibility value among the 14 after.
  other_actions_count bigint, -- Completed actions of other bursts from 14 days before the first to 14 days after the last: where there are any, several bursts are next to the same change. Do not sum.
  setup_change_titles varchar, -- What changed about the questions from 14 days before to 14 days after (setup_changes), by day, separated by semicolons; NULL when nothing did.
  is_final boolean, -- False while the 14 days after the last action are not over or may still change.
);

-- Figures of the 14 days before and after a completed action, the day itself left out, and whether the change exceeds the normal variation of the series. One row per action. It shows the change after an action, never what the action caused. Source: GET v2 events and the project series.
view main.action_impact (
  project_id varchar, -- Project id (core.projects).
  project_name varchar, -- Name of the project; NULL when unknown.
  event_id varchar, -- Event (core.events): action:<action id> or <type>:<date>:<monitor id>. Source: GET v2 events.
  action_id varchar, -- Action id; NULL for prompt groups. Source: GET v2 events.
  action_type varchar, -- Type of the action, for example CONTENT_GAP; NULL for prompt groups. Source: GET v2 events.
  action_title varchar, -- Title of the action. Source: GET v2 events.
  date date, -- Day (UTC) of completion; belongs to neither side.
  occurred_at timestamp, -- Instant (UTC) of completion. Source: GET v2 events.
  overlap_group_id varchar, -- Burst of completed actions that cannot be told apart: gaps of at most 4 days, or in the wake of the one before, over at most 28 days. Unique over all projects.
  visibility_before double, -- Mean daily visibility of the 14 days before; NULL where it is not judged (detail.action_effects has it). Do not sum or average.
  visibility_after double, -- Mean daily visibility of the 14 days after; NULL where it is not judged (detail.action_effects has it). Do not sum or average.
  visibility_change double, -- After less before, in the unit of visibility. Not a proof of cause. NULL where it is not judged. Do not sum or average: action_type_impact pools effects.
  visibility_typical_change double, -- Normal variation of such a difference of visibility (detail.typical_changes), in the same unit; NULL with fewer than 60 days to compute it from, and where over half of the changes are the same. Repeated on every row: do not sum or average.
  visibility_effect double, -- Judged change of visibility after it, in the unit of the measure: mean after less mean before of the adjusted series (detail.adjusted_days), less the slow trend; windows of 14 days that end where a neighbouring action or setup change begins. NULL where not_judged says why. Not a proof of cause. Do not sum or average: action_type_impact pools effects.
  visibility_effect_low double, -- Lower end of its 95 % interval. Do not sum or average.
  visibility_effect_high double, -- Upper end of its 95 % interval. Do not sum or average.
  visibility_is_clear boolean, -- True when the interval leaves 0 out and the level after also differs from the median of the 42 days before, so that the end of a dip is no success. NULL when not judged. Clear, not caused: about 1 in 25 idle actions is clear too.
  sentiment_before double, -- Mean daily sentiment of the 14 days before; NULL where it is not judged (detail.action_effects has it). Do not sum or average.
  sentiment_after double, -- Mean daily sentiment of the 14 days after; NULL where it is not judged (detail.action_effects has it). Do not sum or average.
  sentiment_change double, -- After less before, in the unit of sentiment. Not a proof of cause. NULL where it is not judged. Do not sum or average: action_type_impact pools effects.
  sentiment_typical_change double, -- Normal variation of such a difference of sentiment (detail.typical_changes), in the same unit; NULL with fewer than 60 days to compute it from, and where over half of the changes are the same. Repeated on every row: do not sum or average.
  sentiment_effect double, -- Judged change of sentiment after it, in the unit of the measure: mean after less mean before of the adjusted series (detail.adjusted_days), less the slow trend; windows of 14 days that end where a neighbouring action or setup change begins. NULL where not_judged says why. Not a proof of cause. Do not sum or average: action_type_impact pools effects.
  sentiment_effect_low double, -- Lower end of its 95 % interval. Do not sum or average.
  sentiment_effect_high double, -- Upper end of its 95 % interval. Do not sum or average.
  sentiment_is_clear boolean, -- True when the interval leaves 0 out and the level after also differs from the median of the 42 days before, so that the end of a dip is no success. NULL when not judged. Clear, not caused: about 1 in 25 idle actions is clear too.
  share_of_voice_before_pct double, -- Brand mentions per 100 organic responses of the 14 days before together; NULL where it is not judged (detail.action_effects has it). Do not sum or average.
  share_of_voice_after_pct double, -- Brand mentions per 100 organic responses of the 14 days after together; NULL where it is not judged (detail.action_effects has it). Do not sum or average.
  share_of_voice_change_points double, -- After less before, percentage points. Not a proof of cause. NULL where it is not judged. Do not sum or average: action_type_impact pools effects.
  share_of_voice_typical_change double, -- Normal variation of such a difference of share of voice (detail.typical_changes), in the same unit; NULL with fewer than 60 days to compute it from, and where over half of the changes are the same. Repeated on every row: do not sum or average.
  share_of_voice_effect double, -- Judged change of share of voice after it, in the unit of the measure: mean after less mean before of the adjusted series (detail.adjusted_days), less the slow trend; windows of 14 days that end where a neighbouring action or setup change begins. NULL where not_judged says why. Not a proof of cause. Do not sum or average: action_type_impact pools effects.
  share_of_voice_effect_low double, -- Lower end of its 95 % interval. Do not sum or average.
  share_of_voice_effect_high double, -- Upper end of its 95 % interval. Do not sum or average.
  share_of_voice_is_clear boolean, -- True when the interval leaves 0 out and the level after also differs from the median of the 42 days before, so that the end of a dip is no success. NULL when not judged. Clear, not caused: about 1 in 25 idle actions is clear too.
  not_judged varchar, -- Why there is no effect: setup_changed (the questions changed within 3 days), in_the_wake (the figures move within 10 days of an action before it, and may be the work of either: action_group_impact judges both together), neighbour_too_close (fewer than 4 days to the next action or setup change), too_few_days (with a figure), not_over (the 14 days after), young_series (fewer than 60 days to judge by); for visibility, where other measures differ. NULL when one is judged. All steps: detail.action_effects.
  days_before bigint, -- Days with a visibility value among the 14 before.
  days_after bigint, -- Days with a visibility value among the 14 after.
  sentiment_days_before bigint, -- Days with a sentiment value among the 14 before.
  sentiment_days_after bigint, -- Days with a sentiment value among the 14 after.
  share_of_voice_days_before bigint, -- Days with organic responses among the 14 before.
  share_of_voice_days_after bigint, -- Days with organic responses among the 14 after.
  other_events_count bigint, -- Other events of the project from 14 days before to 14 days after, the day itself included. Do not sum.
  other_actions_count bigint, -- Other completed actions among them. Do not sum.
  setup_change_titles varchar, -- What changed about the questions from 14 days before to 14 days after (setup_changes), by day, separated by semicolons; NULL when nothing did.
  is_comparable boolean, -- True when both sides have at least 10 days with a visibility value and no other action was completed from 14 days before to 14 days after.
  is_final boolean, -- False while the 14 days after are not over or may still change.
);

-- What the actions of one type have in common: mean of their judged effects (detail.action_effects), those of one calendar week counted as one. Single actions rarely show anything, many together can. One row per project (and 'all' for all projects of an organization together), action type and measure. Change after, never caused by. Source: GET v2 events and the project series.
view main.action_type_impact (
  project_id varchar, -- Project; all stands for all projects together. Filter on one; never add or average different levels.
  project_name varchar, -- Name of the project; All projects for all together.
  organization_id varchar, -- Organization of the project, or of all of them.
  action_type varchar, -- Type of the action, for example CONTENT_GAP; NULL for prompt groups. Source: GET v2 events.
  measure varchar, -- visibility, sentiment or share_of_voice. Filter on one; never add or average different measures.
  actions_count bigint, -- Completed actions of the type. Do not add over measures.
  judged_count bigint, -- Those with an effect. Do not add over measures.
  weeks_count bigint, -- Calendar weeks with a judged effect: what the interval is computed from. Do not sum.
  mean_effect double, -- Mean of their effects in the unit of the measure; those of one calendar week count once. Do not sum or average.
  effect_low double, -- Lower end of its 95 % interval. Do not sum or average.
  effect_high double, -- Upper end of its 95 % interval. Do not sum or average.
  is_clear boolean, -- True when the interval leaves 0 out; NULL when none was judged.
);

-- Which assistant a model answers for, by a word in its name. One row per word; where a name has several, the one with the lowest place counts. Source: written by hand.
view main.ai_assistants (
  word varchar, -- Lower-case word in the id or name of a model, marks between words as blanks.
  assistant varchar, -- Assistant that people know it by.
  place integer, -- Which word counts where a name has several; the lowest first.
);

-- AI crawlers and visitors from AI assistants side by side. One row per project, whole day and source. Source: GET v1 analytics/crawlers/trend, GET v1 analytics/visitors/trend.
view main.ai_traffic (
  project_id varchar, -- Project id (core.projects).
  project_name varchar, -- Name of the project; NULL when unknown.
  date date, -- Day (UTC).
  source_kind varchar, -- crawler or visitor.
  source varchar, -- Crawler or referrer, as the API names it.
  crawler_requests_count bigint, -- Requests of the crawler; NULL for visitors. Adds up over days and crawlers. Source: GET v1 analytics/crawlers/trend.
  ai_visits_count bigint, -- Visits from the referrer; NULL for crawlers. Adds up over days and referrers. Source: GET v1 analytics/visitors/trend.
  is_final boolean, -- False while the figures may still change: as long as they were not requested again after the look-back window. Always false where they are not whole.
);

-- Which vendor runs a crawler or an assistant, and what the crawler is for. One row per known crawler or referrer; crawlers stand here under their key and under the name they give themselves. Source: written by hand.
view main.ai_vendors (
  source_kind varchar, -- crawler or visitor, as in ai_traffic.
  source varchar, -- Crawler or referrer.
  source_key varchar, -- The same in lower case, letters and digits alone: what sources are compared by.
  vendor varchar, -- Company that runs it.
  purpose varchar, -- training (collects text), search (builds an index) or user (fetches a page for a person who asks); NULL for referrers.
);

-- Days on which a figure was far from the median of the same weekday in the 8 weeks before: more than 3.5 robust standard deviations; after a shift of the level (main.turning_points) against the new level. One row per project, measure and whole day. A day to look at, not an error. Source: the project series.
view main.anomalies (
  project_id varchar, -- Project id (core.projects).
  project_name varchar, -- Name of the project; NULL when unknown.
  measure varchar, -- What is measured: visibility, sentiment, share_of_voice, net_sentiment_known, citations, crawler_requests or ai_visits. Filter on one; never add or average different measures.
  date date, -- Day (UTC).
  value double, -- Figure of the day. Do not sum or average.
  expected_value double, -- Median of the same weekday in the 8 weeks before, at least 6 of them with a figure, at the level of the day: shifts (main.turning_points) are added. Do not sum or average.
  deviations double, -- Distance in robust standard deviations (1.4826 times the median distance of the 56 days before from their own weekdays), positive: higher. Do not sum or average.
  is_final boolean, -- False while the figures may still change: as long as they were not requested again after the look-back window. Always false where they are not whole.
);

-- Share of each brand in all brand mentions: what the trade calls share of voice among brands. One row per project, whole day and brand that the project does not ignore. Source: GET v1 analytics/brands/visibility-over-time.
view main.brand_mention_share (
  project_id varchar, -- Project id (core.projects).
  project_name varchar, -- Name of the project; NULL when unknown.
  date date, -- Day (UTC).
  brand_id varchar, -- Brand id (core.brands). Source: GET v1 analytics/brands/visibility-over-time.
  brand_name varchar, -- Name of the brand; NULL when unknown. Source: GET v1 analytics/brands/visibility-over-time.
  relation varchar, -- SELF, DIRECT_COMPETITOR, IGNORED or OTHER.
  is_own_brand boolean, -- True for your own brand (relation SELF).
  mention_count bigint, -- Mentions of the brand. Adds up over days. Source: GET v1 analytics/brands/visibility-over-time.
  mention_share_pct double, -- Share of the brand in the mentions of all listed brands that are not ignored, percent; adds up to 100 over the brands of one day. Do not sum or average: divide the sum of mention_count by that of all brands of the same days.
  mention_share_pct_low double, -- Lower end of its 95 % interval (Wilson), percent. Do not sum or average.
  mention_share_pct_high double, -- Upper end of its 95 % interval (Wilson), percent. Do not sum or average.
  mention_rank bigint, -- Place by mentions in the day, 1 is most. Do not sum or average.
  is_final boolean, -- False while the figures may still change: as long as they were not requested again after the look-back window. Always false where they are not whole.
);

-- Visibility of your own brand beside each other brand. One row per project, whole day and brand, ignored brands included: competitor_gap and brand_mention_share leave them out. Figures of the project are on the row of your own brand. Source: GET v1 analytics/brands/visibility-over-time.
view main.brand_visibility_trend (
  project_id varchar, -- Project id (core.projects).
  project_name varchar, -- Name of the project; NULL when unknown.
  date date, -- Day (UTC).
  brand_id varchar, -- Brand id (core.brands). Source: GET v1 analytics/brands/visibility-over-time.
  brand_name varchar, -- Name of the brand; NULL when unknown. Source: GET v1 analytics/brands/visibility-over-time.
  brand_domain varchar, -- Domain of the brand. Source: GET v1 analytics/brands/visibility-over-time.
  relation varchar, -- SELF, DIRECT_COMPETITOR, IGNORED or OTHER.
  is_own_brand boolean, -- True for your own brand (relation SELF).
  visibility_pct double, -- Share of responses that name the brand, percent; not the score (average_visibility). Do not sum or average: divide the sum of mention_count by that of daily_kpis.all_responses. Source: GET v1 analytics/brands/visibility-over-time.
  average_visibility double, -- Visibility score of the brand as the API computes it, 0 to 100; not the share of responses that name it. Do not sum or average: kpi_changes has means of your own score, and mention_count compares brands. Source: GET v1 analytics/brands/visibility-over-time.
  mention_count bigint, -- Mentions of the brand. Adds up over days. Source: GET v1 analytics/brands/visibility-over-time.
  all_responses bigint, -- Responses to prompts of every type in the day, on the row of your own brand alone (of several, the one named most), so that a sum counts them once. Do not compare with organic responses (share of voice). Adds up over days. Source: GET v1 analytics/brands/visibility-over-time.
  gap_points double, -- Own share less that of the other brand, percentage points; positive: your own brand is ahead. Do not sum or average: divide the sums of mention_count by that of daily_kpis.all_responses, and compare.
  is_final boolean, -- False while the figures may still change: as long as they were not requested again after the look-back window. Always false where they are not whole.
);

-- Brands: your own one, competitors, ignored ones. One row per project and brand. Source: GET v1 analytics/brands/visibility-over-time.
view main.brands (
  project_id varchar, -- Project id (core.projects).
  project_name varchar, -- Name of the project; NULL when unknown.
  brand_id varchar, -- Brand id (core.brands). Source: GET v1 analytics/brands/visibility-over-time.
  brand_name varchar, -- Name of the brand; NULL when unknown. Source: GET v1 analytics/brands/visibility-over-time.
  brand_domain varchar, -- Domain of the brand. Source: GET v1 analytics/brands/visibility-over-time.
  relation varchar, -- SELF, DIRECT_COMPETITOR, IGNORED or OTHER.
  is_own_brand boolean, -- True for your own brand (relation SELF).
);

-- Days with their week, month and quarter. One row per day from the first to the last covered day of any project. Source: computed.
view main.calendar (
  date date, -- Day (UTC).
  iso_year integer, -- ISO year of the week: differs from the year around New Year.
  iso_week integer, -- ISO week, 1 to 53.
  iso_day_of_week integer, -- 1 is Monday, 7 is Sunday.
  day_name varchar, -- English name of the day.
  week_start date, -- Monday of the week.
  month_start date, -- First day of the month.
  quarter_start date, -- First day of the quarter.
  year integer, -- Calendar year.
  month integer, -- Month, 1 to 12.
  is_weekend boolean, -- True on Saturday and Sunday.
  is_whole_day boolean, -- False from the day of the newest sync on, which was not over; project_days tells it for each project.
);

-- Citations and their rank by day. One row per project and whole day. Source: GET v1 citations/rank-analysis.
view main.citation_rank_trend (
  project_id varchar, -- Project id (core.projects).
  project_name varchar, -- Name of the project; NULL when unknown.
  date date, -- Day (UTC).
  citations_count bigint, -- Citations. Adds up over days. Source: GET v1 citations/rank-analysis.
  ranked_citations_count bigint, -- Citations that have a rank. Adds up over days. Source: GET v1 citations/rank-analysis.
  ranked_citations_pct double, -- Share of citations that have a rank, percent. Do not sum or average.
  average_citation_rank double, -- Average rank, 1 is best. Do not sum or average: weigh it by ranked_citations_count. Source: GET v1 citations/rank-analysis.
  best_citation_rank double, -- Best (lowest) rank. Minimum over days only. Do not sum or average. Source: GET v1 citations/rank-analysis.
  worst_citation_rank double, -- Worst (highest) rank. Maximum over days only. Do not sum or average. Source: GET v1 citations/rank-analysis.
  previous_date date, -- Day before it that has data: look at it before reading a change, a day may be missing.
  previous_average_citation_rank double, -- Average rank of the day before that has data. Do not sum or average.
  average_citation_rank_change double, -- Change against that day; negative: better; NULL unless both days are whole. Do not sum or average.
  is_final boolean, -- False while the figures may still change: as long as they were not requested again after the look-back window. Always false where they are not whole.
);

-- Cited domains of each whole calendar month, with new and lost ones against the month before. One row per project, month and domain, lost domains included. The API lists only the first domains. It ends with the last whole month (window_end); later days are in detail.cited_domains. Source: GET v1 citations/domains-over-time.
view main.cited_domains (
  project_id varchar, -- Project id (core.projects).
  project_name varchar, -- Name of the project; NULL when unknown.
  window_start date, -- First day of the window (UTC).
  window_end date, -- Last day of the window (UTC), counted.
  days_in_window integer, -- Days of the window so far.
  domain varchar, -- Cited domain. Source: GET v1 citations/domains-over-time.
  is_own_domain boolean, -- True when it is the domain of your own brand.
  domain_status varchar, -- new, kept or lost against the list of the window before; NULL unless both windows are whole and known.
  citations_count bigint, -- Citations in the window; NULL for a lost domain. Adds up over domains of one window, not over windows. Source: GET v1 citations/domains-over-time.
  citations_share_pct double, -- Share of all citations of the window, percent. Do not add over windows, and do not average. Source: GET v1 citations/domains-over-time.
  average_citation_rank double, -- Average rank, 1 is best. Do not sum or average. Source: GET v1 citations/domains-over-time.
  previous_citations_count bigint, -- Citations in the window before; NULL for a new domain or when that window is not known or not whole. Do not add over windows.
  previous_days_in_window integer, -- Days of the window before.
  citations_change bigint, -- Citations less those of the window before; NULL unless both windows are whole and list the domain. Months differ in length: compare citations_per_day_change. Do not add over windows.
  citations_per_day_change double, -- Citations per day less those per day of the window before; NULL unless both windows are whole and list the domain. Do not add over windows.
  previous_average_citation_rank double, -- Average rank in the window before; NULL where its days were added up. Do not sum or average.
);

-- Gap between your own brand and each competitor, in share of responses and in score, both own less competitor. One row per project, whole day and brand that is neither own nor ignored. Source: GET v1 analytics/brands/visibility-over-time.
view main.competitor_gap (
  project_id varchar, -- Project id (core.projects).
  project_name varchar, -- Name of the project; NULL when unknown.
  date date, -- Day (UTC).
  competitor_brand_id varchar, -- Brand id of the competitor (core.brands).
  competitor_name varchar, -- Name of the competitor.
  competitor_domain varchar, -- Domain of the competitor.
  relation varchar, -- DIRECT_COMPETITOR or OTHER; NULL where the API tells none.
  competitor_visibility_pct double, -- Share of responses that name the competitor, percent. Do not sum or average.
  gap_points double, -- Own share less that of the other brand, percentage points; positive: your own brand is ahead. Do not sum or average: divide the sums of mention_count by that of daily_kpis.all_responses, and compare.
  competitor_average_visibility double, -- Visibility score of the brand as the API computes it, 0 to 100; not the share of responses that name it. Do not sum or average: kpi_changes has means of your own score, and mention_count compares brands. Source: GET v1 analytics/brands/visibility-over-time.
  score_gap double, -- Own visibility score less that of the competitor, in points of the score; positive: your own brand is ahead. Do not sum or average.
  competitor_mention_count bigint, -- Mentions of the competitor. Adds up over days.
  is_own_brand_ahead boolean, -- True when a larger share of responses names your own brand; NULL when one side is unknown.
  is_final boolean, -- False while the figures may still change: as long as they were not requested again after the look-back window. Always false where they are not whole.
);

-- Share of responses that name each competitor, by model, in the newest whole calendar month. One row per project, competitor and model, ignored brands included: competitor_gap and brand_mention_share leave them out. window_end is its last day. The last 28 days are in detail.competitor_heatmap_latest. Source: GET v1 competitor-heatmap.
view main.competitor_heatmap_latest (
  project_id varchar, -- Project id (core.projects).
  project_name varchar, -- Name of the project; NULL when unknown.
  window_start date, -- First day of the window (UTC).
  window_end date, -- Last day of the window (UTC), counted.
  competitor_name varchar, -- Name of the competitor. Source: GET v1 competitor-heatmap.
  competitor_domain varchar, -- Domain of the competitor; '' when the API reports none. Source: GET v1 competitor-heatmap.
  relation varchar, -- DIRECT_COMPETITOR, IGNORED or OTHER, SELF where your own brand is listed. Source: GET v1 competitor-heatmap.
  is_own_brand boolean, -- True for your own brand (by relation, or by the name or domain of the brand with relation SELF).
  competitor_rank bigint, -- Place in the list of the answer, 1 is first. Do not sum or average. Source: GET v1 competitor-heatmap.
  model_id varchar, -- Model id (core.models).
  model_name varchar, -- Name of the model for people; NULL when the model list lacks it.
  is_deprecated_model boolean, -- True when the model list says that the model is no longer asked. Source: GET v1 models.
  visibility_pct double, -- Share of the responses of the model that name the competitor, percent; not the score called visibility. NULL: no figure. Do not sum or average. Source: GET v1 competitor-heatmap.
  own_visibility_pct double, -- Share of the responses of the model that name your own brand, percent; not the score called visibility. NULL when it is not listed. Repeated on every row: do not sum or average.
  gap_points double, -- Own share less that of the other brand, percentage points; positive: your own brand is ahead. Do not sum or average: divide the sums of mention_count by that of daily_kpis.all_responses, and compare.
);

-- Share of responses that name each competitor, by model, in each whole calendar month, with the month before next to it. One row per project, month, competitor and model, ignored brands included: competitor_gap and brand_mention_share leave them out. It ends with the last whole month (window_end); later days are in detail.competitor_heatmap_trend. Source: GET v1 competitor-heatmap.
view main.competitor_heatmap_trend (
  project_id varchar, -- Project id (core.projects).
  project_name varchar, -- Name of the project; NULL when unknown.
  window_start date, -- First day of the window (UTC).
  window_end date, -- Last day of the window (UTC), counted.
  days_in_window integer, -- Days of the window so far.
  competitor_name varchar, -- Name of the competitor. Source: GET v1 competitor-heatmap.
  competitor_domain varchar, -- Domain of the competitor; '' when the API reports none. Source: GET v1 competitor-heatmap.
  relation varchar, -- DIRECT_COMPETITOR, IGNORED or OTHER, SELF where your own brand is listed. Source: GET v1 competitor-heatmap.
  is_own_brand boolean, -- True for your own brand (by relation, or by the name or domain of the brand with relation SELF).
  competitor_rank bigint, -- Place in the list of the answer, 1 is first. Do not sum or average. Source: GET v1 competitor-heatmap.
  model_id varchar, -- Model id (core.models).
  model_name varchar, -- Name of the model for people; NULL when the model list lacks it.
  is_deprecated_model boolean, -- True when the model list says that the model is no longer asked. Source: GET v1 models.
  visibility_pct double, -- Share of the responses of the model that name the competitor, percent; not the score called visibility. NULL: no figure. Do not sum or average. Source: GET v1 competitor-heatmap.
  own_visibility_pct double, -- Share of responses that name your own brand, percent; not the score called visibility. NULL when your own brand is not listed. Repeated on every row: do not sum or average: divide the sum of mention_count by the sum of all_responses where is_own_brand.
  gap_points double, -- Own share less that of the other brand, percentage points; positive: your own brand is ahead. Do not sum or average: divide the sums of mention_count by that of daily_kpis.all_responses, and compare.
  previous_visibility_pct double, -- The share in the window before (the month before, or the same number of days before); NULL when that is not stored or not whole. Do not sum or average.
  change_points double, -- Change against that window, percentage points; NULL unless both windows are whole. Do not sum or average.
);

-- Competitors that answers mention in each whole calendar month, with the month before next to it; untracked rivals included. One row per project, month and competitor. It ends with the last whole month (window_end); later days are in detail.competitor_mention_trend. Source: GET v1 responses/competitors.
view main.competitor_mention_trend (
  project_id varchar, -- Project id (core.projects).
  project_name varchar, -- Name of the project; NULL when unknown.
  window_start date, -- First day of the window (UTC).
  window_end date, -- Last day of the window (UTC), counted.
  days_in_window integer, -- Days of the window so far.
  competitor varchar, -- Competitor as answers name it. Source: GET v1 responses/competitors.
  is_tracked boolean, -- True when a brand of the project has that name or domain.
  mention_count bigint, -- Mentions in the window. Adds up over months.
  mention_share_pct double, -- Share in the mentions of the answer, percent. Do not add over windows, and do not average.
  previous_mention_count bigint, -- Mentions in the window before; NULL when that is not stored, not whole, or does not list the competitor. Do not sum.
  previous_mention_share_pct double, -- Share in the window before, percent; NULL as its mentions. Do not sum or average.
);

-- Pages that AI crawlers asked for most in each whole calendar month, with the month before next to it. One row per project, month and page. The API gives a top list: a page may have fallen below its end. It ends with the last whole month (window_end); later days are in detail.crawler_page_trend. Source: GET v1 analytics/crawlers/top-pages.
view main.crawler_page_trend (
  project_id varchar, -- Project id (core.projects).
  project_name varchar, -- Name of the project; NULL when unknown.
  window_start date, -- First day of the window (UTC).
  window_end date, -- Last day of the window (UTC), counted.
  days_in_window integer, -- Days of the window so far.
  request_path varchar, -- Path of the page. Source: GET v1 analytics/crawlers/top-pages.
  crawler_requests_count bigint, -- Requests in the window. Adds up over the listed pages of one window, not over windows. Source: GET v1 analytics/crawlers/top-pages.
  listed_share_pct double, -- Share in the requests of the listed pages, percent. Do not add over windows, and do not average.
  unique_crawlers_count bigint, -- Different crawlers. Do not sum. Source: GET v1 analytics/crawlers/top-pages.
  previous_crawler_requests_count bigint, -- Requests in the window before (the month before, or the same number of days before); NULL when the page was not listed or that window is not stored or not whole. Do not add over windows.
  previous_days_in_window integer, -- Days of the window before.
  crawler_requests_change bigint, -- Change against that window; NULL unless both windows are whole and list the page. Months differ in length: compare crawler_requests_per_day_change. Do not add over windows.
  crawler_requests_per_day_change double, -- Requests per day less those per day of the window before; NULL unless both windows are whole and list the page. Do not add over windows.
);

-- Pages that AI crawlers asked for most in the newest whole calendar month. One row per project and page. window_end is its last day. The last 28 days are in detail.crawler_pages. Source: GET v1 analytics/crawlers/top-pages.
view main.crawler_pages (
  project_id varchar, -- Project id (core.projects).
  project_name varchar, -- Name of the project; NULL when unknown.
  window_start date, -- First day of the window (UTC).
  window_end date, -- Last day of the window (UTC), counted.
  request_path varchar, -- Path of the page. Source: GET v1 analytics/crawlers/top-pages.
  crawler_requests_count bigint, -- Requests in the window. Adds up over the listed pages of one window, not over windows. Source: GET v1 analytics/crawlers/top-pages.
  requests_rank bigint, -- Place by requests in the window, 1 is most. Do not sum or average.
  unique_crawlers_count bigint, -- Different crawlers. Do not sum. Source: GET v1 analytics/crawlers/top-pages.
  crawlers varchar, -- Names of the crawlers, separated by commas. Source: GET v1 analytics/crawlers/top-pages.
);

-- What a vendor's crawlers fetch, by purpose, beside the visits its assistants send. One row per project, vendor and day on which either is whole; the other is NULL then. A vendor is found through ai_vendors; crawlers and referrers that are not in it stand under their own name. Source: GET v1 analytics/crawlers/trend, GET v1 analytics/visitors/trend.
view main.crawler_visitor_funnel (
  project_id varchar, -- Project id (core.projects).
  project_name varchar, -- Name of the project; NULL when unknown.
  date date, -- Day (UTC).
  vendor varchar, -- Company that runs the crawler or the assistant; the crawler or referrer itself where it is not known.
  is_known_vendor boolean, -- True when ai_vendors knows it.
  training_requests_count bigint, -- Requests of crawlers that collect text for training; NULL when none are reported. Adds up over days and vendors. Source: GET v1 analytics/crawlers/trend.
  search_requests_count bigint, -- Requests of crawlers that build a search index; NULL when none are reported. Adds up over days and vendors. Source: GET v1 analytics/crawlers/trend.
  user_requests_count bigint, -- Requests made for a person who asked; NULL when none are reported. Adds up over days and vendors. Source: GET v1 analytics/crawlers/trend.
  other_requests_count bigint, -- Requests of crawlers whose purpose is not known; NULL when none are reported. Adds up over days and vendors. Source: GET v1 analytics/crawlers/trend.
  crawler_requests_count bigint, -- Requests of all crawlers of the vendor; NULL when none are reported. Adds up over days and vendors. Source: GET v1 analytics/crawlers/trend.
  ai_visits_count bigint, -- Visits that the assistants of the vendor sent; NULL when none are reported. Adds up over days and vendors. Source: GET v1 analytics/visitors/trend.
  is_final boolean, -- False while the figures may still change: as long as they were not requested again after the look-back window. Always false where they are not whole.
);

-- All figures of a project and day. Exactly one row per project and day, every day from the first covered one to the last that was over; a figure is NULL where it is missing, and on a day that is not whole for it, never 0 in its place. Source: several endpoints, see the columns.
view main.daily_kpis (
  project_id varchar, -- Project id (core.projects).
  project_name varchar, -- Name of the project; NULL when unknown.
  date date, -- Day (UTC).
  visibility double, -- Visibility score of your own brand as the API computes it, 0 to 100; not the share of answers that name the brand (own_visibility_pct). Do not sum or average: kpi_changes has means of 7 to 365 days, model_kpis the score of each model. Source: GET v1 visibility-time-series.
  sentiment double, -- Sentiment score towards your own brand, scale as the API reports it. Do not sum or average: kpi_changes has means of 7 to 365 days, sentiment_split the counts. Source: GET v1 sentiment-time-series.
  share_of_voice_pct double, -- Brand mentions per 100 organic responses, percent 0 to 100. Do not sum or average: compute from the counts. Source: GET v1 share-of-voice/time-series.
  organic_responses bigint, -- Responses to organic prompts alone; other views count responses to prompts of every type. Adds up over days. Source: GET v1 share-of-voice/time-series.
  organic_brand_mentions bigint, -- Responses to organic prompts that mention your own brand. Adds up over days. Source: GET v1 share-of-voice/time-series.
  positive_count bigint, -- Positive responses. Adds up over days. Source: GET v1 responses/sentiment-time-series.
  negative_count bigint, -- Negative responses. Adds up over days. Source: GET v1 responses/sentiment-time-series.
  neutral_count bigint, -- Neutral responses. Adds up over days. Source: GET v1 responses/sentiment-time-series.
  unknown_count bigint, -- Responses without a known sentiment. Adds up over days. Source: GET v1 responses/sentiment-time-series.
  known_count bigint, -- Responses with a known sentiment: positive, negative and neutral ones; NULL when there are no responses. Adds up over days. Source: GET v1 responses/sentiment-time-series.
  all_responses bigint, -- Responses to prompts of every type: those of any sentiment, unknown included; NULL when there are no responses. Adds up over days. Source: GET v1 responses/sentiment-time-series.
  net_sentiment_pct double, -- Positive less negative responses, per 100 responses of any sentiment, -100 to 100; NULL when there are no responses. It moves with the share of unknown responses, and so with visibility: net_sentiment_known_pct does not. Do not sum or average: compute from the counts. Source: GET v1 responses/sentiment-time-series.
  net_sentiment_known_pct double, -- Positive less negative responses, per 100 responses with a known sentiment, -100 to 100; NULL when there are no responses. Do not sum or average: compute from the counts. Source: GET v1 responses/sentiment-time-series.
  citations_count bigint, -- Citations of that day. Adds up over days. Source: GET v1 citations/rank-analysis.
  average_citation_rank double, -- Average rank of the citations, 1 is best. Do not sum or average: citation_rank_trend has ranked_citations_count to weigh it by. Source: GET v1 citations/rank-analysis.
  crawler_requests_count bigint, -- Requests of AI crawlers to the tracked site, all crawlers; NULL where the API reports none for the day. Adds up over days. Source: GET v1 analytics/crawlers/trend.
  ai_visits_count bigint, -- Visits that AI assistants sent to the tracked site, all referrers; NULL where the API reports none for the day. Adds up over days. Source: GET v1 analytics/visitors/trend.
  actions_completed bigint, -- Actions completed that day; 0 on a day that was covered and had none, NULL on a day that was not covered. Adds up over days. Source: GET v2 events.
  prompts_created bigint, -- Prompts (not groups) created that day; 0 on a day that was covered and had none, NULL on a day that was not covered. Adds up over days. Source: GET v2 events.
  prompts_deleted bigint, -- Prompts (not groups) deleted that day; 0 on a day that was covered and had none, NULL on a day that was not covered. Adds up over days. Source: GET v2 events.
  event_titles varchar, -- Titles of the events of the day, by time, separated by semicolons; NULL without events. Source: GET v2 events.
  traffic_timezone varchar, -- Time zone of the days of crawlers and visitors (sync.timezone); every other figure is of a day in UTC.
  is_final boolean, -- False while the figures may still change: as long as they were not requested again after the look-back window. Always false where they are not whole.
);

-- Citations of each domain by day, with the day before. One row per project, whole day and domain; your own domain has is_own_domain. The API lists only the first domains. Source: GET v1 citations/domains-over-time.
view main.domain_citation_trend (
  project_id varchar, -- Project id (core.projects).
  project_name varchar, -- Name of the project; NULL when unknown.
  date date, -- Day (UTC).
  domain varchar, -- Cited domain. Source: GET v1 citations/domains-over-time.
  is_own_domain boolean, -- True when it is the domain of your own brand or a subdomain of it.
  citations_count bigint, -- Citations of the domain. Adds up over days and over domains. Source: GET v1 citations/domains-over-time.
  listed_citations_share_pct double, -- Share in the citations of the listed domains, percent. Do not add over days, and do not average.
  previous_date date, -- Day before it that has data: look at it before reading a change, a day may be missing.
  previous_citations_count bigint, -- Citations of the domain in the day before that lists it. Do not sum.
  citations_change bigint, -- Change against that day; NULL unless both days are whole. Months differ in length. Do not sum.
  last_told_on date, -- First day of the newest day that lists the domain, which is about when the API last told this figure, where later lists were cut off before the domain although the figure could still change; NULL where none is known to be.
  is_final boolean, -- False while the figures may still change: as long as they were not requested again after the look-back window. Always false where they are not whole.
);

-- Dated events, and changes of the models and monitors that are asked (setup_changes), for the annotation layers of Grafana, Superset and Metabase. One row per event. Source: GET v2 events, setup_changes.
view main.event_annotations (
  project_id varchar, -- Project id (core.projects).
  project_name varchar, -- Name of the project; NULL when unknown.
  event_id varchar, -- Event (core.events), or kind and day of a setup change: unique within a project.
  time timestamp, -- Instant (UTC) of the action, or of the earliest prompt of the group; the beginning of the day for a setup change.
  date date, -- Day (UTC) to join on.
  title varchar, -- Short text: title of the action, how many prompts were created or deleted, or what changed.
  text varchar, -- Longer text: kind of event, type of action, project.
  tags varchar, -- Kind of event and type of action or change, separated by a comma.
  type varchar, -- action, prompts_created, prompts_deleted or setup_change. Filter on one; never add or average different types.
  action_id varchar, -- Action id; NULL for prompt groups. Source: GET v2 events.
  action_type varchar, -- Type of the action, for example CONTENT_GAP; NULL for prompt groups. Source: GET v2 events.
  monitor_id varchar, -- Monitor id; NULL for actions. Source: GET v2 events.
  monitor_name varchar, -- Last known name of the monitor; NULL when unknown. Source: GET v2 events, GET v1 prompts.
  prompt_count bigint, -- Prompts in the group; NULL for other events. Adds up over events. Source: GET v2 events.
);

-- The last whole days of each figure against the days before, the newest whole calendar month and year against the ones before, and whether the change exceeds the normal variation of the series. Other periods: the macro compare_periods. One row per project, measure and period; all but 7 and 28 days where both sides are known. Source: the project series.
view main.kpi_changes (
  project_id varchar, -- Project id (core.projects).
  project_name varchar, -- Name of the project; NULL when unknown.
  measure varchar, -- What is measured: visibility, sentiment, share_of_voice, net_sentiment_known, citations, crawler_requests or ai_visits. Filter on one; never add or average different measures.
  period varchar, -- What is compared: last_7_days, last_28_days, last_90_days or last_365_days with as many days before; month or year (the newest whole ones) with the one before. Filter on one; never add or average different windows.
  window_days integer, -- Days on each side: 7, 28, 90 or 365; NULL for months and years. Filter on one; never add or average different windows.
  last_date date, -- Last day (UTC) of the period.
  value double, -- Mean of the last days; a share is computed from the counts of the days together; requests, visits and citations are per day. In months and years each weekday counts alike. Do not sum or average.
  previous_value double, -- The same for as many days before. Do not sum or average.
  change double, -- Value less previous value, in the unit of the measure; NULL when a side has fewer than 5 of 7, 20 of 28, 64 of 90 or 260 of 365 days (fewer where prompts are asked on some weekdays only). Do not sum or average.
  change_low double, -- Lower end of the 95 % interval of the change that is shown. Do not sum or average.
  change_high double, -- Upper end of the 95 % interval of the change. Do not sum or average.
  typical_change double, -- Normal variation of such a difference (detail.typical_changes); NULL with fewer than 60 days to compute it from, and where over half of the changes are the same. Do not sum or average.
  change_in_typical double, -- The change as a multiple of typical_change: the column to rank different measures by. NULL where not_judged says why. Do not sum or average.
  is_clear boolean, -- True when the interval leaves 0 out, judged over all projects and measures of the window and organization together: at most 5 % of the clear rows move by themselves (Benjamini and Hochberg). Only then colour it. NULL when not known, and where not_judged says why.
  is_trend boolean, -- True when a clear change is no more than the slow trend of the year (detail.typical_changes.steady_drift_28_days), which is no news; NULL when not known.
  not_judged varchar, -- setup_changed where a change of the questions that moves more than 3 % of the answers lies in or between both periods: see real_change. Never for crawler_requests and ai_visits; NULL when the change is judged.
  real_change double, -- The change for the same questions: for visibility from the basket of prompts and models (prompt lists near all four ends of the periods), for sentiment and share of voice from the models alone, where prompts and monitors did not change. NULL where not known. Do not sum or average.
  real_low double, -- Lower end of its 95 % interval. Do not sum or average.
  real_high double, -- Upper end of its 95 % interval. Do not sum or average.
  real_is_clear boolean, -- True when its interval leaves 0 out, judged together with the others as is_clear is; NULL when real_change is not known.
  setup_changes varchar, -- What changed about the questions in both periods and moves more than 3 % of the answers (setup_changes), by day, separated by semicolons; NULL when nothing did.
  days_with_value bigint, -- Whole days with a figure in the window.
  previous_days_with_value bigint, -- Whole days with a figure in the window before.
);

-- Visits from AI assistants to single pages by whole day, where pages are configured (sync.landing_pages). One row per project, page, day and source. Source: GET v1 analytics/visitors/trend with a pathname.
view main.landing_page_days (
  project_id varchar, -- Project id (core.projects).
  project_name varchar, -- Name of the project; NULL when unknown.
  landing_page varchar, -- Path of the page as it was asked for; main.canonical_path makes paths of other data comparable.
  date date, -- Day (UTC).
  source varchar, -- Referrer, as the API names it; main.source_of gives its vendor.
  ai_visits_count bigint, -- Visits to the page from the referrer. The visits of the whole project (detail.ai_traffic) contain them. Adds up over days and sources. Source: GET v1 analytics/visitors/trend.
  is_final boolean, -- False while the figures may still change: as long as they were not requested again after the look-back window. Always false where they are not whole.
);

-- How long after its end a day was loaded, over the last 30 days. One row per project and endpoint; days that were first requested after their end, such as those of a first sync, do not count. Source: meta.asked_days.
view main.load_times (
  project_id varchar, -- Project id (core.projects).
  project_name varchar, -- Name of the project; NULL when unknown.
  endpoint varchar, -- Name of the endpoint in the catalogue of answerlake.
  days_count bigint, -- Days of the last 30 that a run loaded after their end, and an earlier run while they were running.
  median_hours double, -- Median of the hours from the end of a day (UTC) to the start of the run that loaded it. Do not sum or average.
  percentile_90_hours double, -- 90th percentile of the same hours. Do not sum or average.
  max_hours double, -- Maximum of the same hours. Do not sum or average.
);

-- Figures of each model by day. One row per project, model and day with a whole figure, and one row (other) with the counts and the share that the project has and the listed models lack, where these have any; a figure is NULL on a day that is not whole for it. The counts add up to those of the project (share_of_voice_trend). Source: GET v1 visibility-time-series, v1 sentiment-time-series and v1 share-of-voice/time-series.
view main.model_kpis (
  project_id varchar, -- Project id (core.projects).
  project_name varchar, -- Name of the project; NULL when unknown.
  model_id varchar, -- Model id; (other) for what the listed models lack.
  model_name varchar, -- Name of the model for people; NULL when the model list lacks it.
  assistant varchar, -- Assistant that people know the model by: ChatGPT, Gemini, Claude, Perplexity, … (ai_assistants); NULL when unknown.
  is_deprecated_model boolean, -- True when the model list says that the model is no longer asked. Source: GET v1 models.
  date date, -- Day (UTC).
  visibility double, -- Visibility score of your own brand as the API computes it, 0 to 100; not the share of answers that name the brand (own_visibility_pct). Do not sum or average: kpi_changes has means of 7 to 365 days, model_kpis the score of each model. Source: GET v1 visibility-time-series.
  sentiment double, -- Sentiment score towards your own brand, scale as the API reports it. Do not sum or average: kpi_changes has means of 7 to 365 days, sentiment_split the counts. Source: GET v1 sentiment-time-series.
  share_of_voice_pct double, -- Brand mentions per 100 organic responses, percent 0 to 100. Do not sum or average: compute from the counts. Source: GET v1 share-of-voice/time-series.
  organic_responses bigint, -- Responses to organic prompts; of (other): those of the project less those of the listed models; no row where nothing is left. Adds up over days and models. Source: GET v1 share-of-voice/time-series.
  organic_brand_mentions bigint, -- Those that mention your own brand. Adds up over days and models. Source: GET v1 share-of-voice/time-series.
  all_responses bigint, -- Responses of every type, where brand_visibility is asked by model (sync.scopes); else, and for (other), NULL. Adds up over days and models. Source: GET v1 analytics/brands/visibility-over-time.
  is_final boolean, -- False while the figures may still change: as long as they were not requested again after the look-back window. Always false where they are not whole.
);

-- Citations by AI model in each whole calendar month, with the names of the model list. One row per project, month and model. It ends with the last whole month (window_end); later days are in detail.model_sources. Source: GET v1 citations/llm-sources, GET v1 models.
view main.model_sources (
  project_id varchar, -- Project id (core.projects).
  project_name varchar, -- Name of the project; NULL when unknown.
  window_start date, -- First day of the window (UTC).
  window_end date, -- Last day of the window (UTC), counted.
  days_in_window integer, -- Days of the window so far.
  model_id varchar, -- Model id (core.models).
  model_name varchar, -- Name of the model for people. Source: GET v1 models, GET v1 citations/llm-sources.
  provider_name varchar, -- Name of the provider. Source: GET v1 models, GET v1 citations/llm-sources.
  is_known_model boolean, -- True when the model list has the model. Source: GET v1 models.
  is_deprecated_model boolean, -- True when the model list says that the model is no longer asked. Source: GET v1 models.
  citations_count bigint, -- Citations. Adds up over models of one window, not over windows. Source: GET v1 citations/llm-sources.
  citations_share_pct double, -- Share of the citations of the listed models, percent. Do not add over windows, and do not average.
  unique_domains_count bigint, -- Different domains. Do not sum. Source: GET v1 citations/llm-sources.
  unique_prompts_count bigint, -- Different prompts. Do not sum. Source: GET v1 citations/llm-sources.
);

-- AI models: those of the model list, and those that only figures name. One row per model. Source: GET v1 models.
view main.models (
  model_id varchar, -- Model id, as scope_id of scope model and in the heatmap.
  model_name varchar, -- Name of the model for people; NULL when the model list lacks it. Source: GET v1 models.
  assistant varchar, -- Assistant that people know the model by: ChatGPT, Gemini, Claude, Perplexity, … (ai_assistants); NULL when unknown.
  provider_id varchar, -- Provider. Source: GET v1 models.
  provider_name varchar, -- Name of the provider for people. Source: GET v1 models.
  provider_model_name varchar, -- Name that the provider gives the model. Source: GET v1 models.
  api_identifier varchar, -- Identifier in the API of the provider. Source: GET v1 models.
  description varchar, -- Description. Source: GET v1 models.
  is_search_enabled boolean, -- True when it can search the web. Source: GET v1 models.
  is_live_search boolean, -- True when it searches the web for each answer. Source: GET v1 models.
  is_known_model boolean, -- True when the model list has the model. Source: GET v1 models.
  is_deprecated_model boolean, -- True when the model list says that the model is no longer asked. Source: GET v1 models.
);

-- Figures of each monitor by day. One row per project, monitor and day with a whole figure, and one row (other) with the counts and the share that the project has and the listed monitors lack, where these have any; a figure is NULL on a day that is not whole for it. The counts add up to those of the project (share_of_voice_trend). Source: GET v1 visibility-time-series, v1 sentiment-time-series and v1 share-of-voice/time-series.
view main.monitor_kpis (
  project_id varchar, -- Project id (core.projects).
  project_name varchar, -- Name of the project; NULL when unknown.
  monitor_id varchar, -- Monitor id; (other) for what the listed monitors lack.
  monitor_name varchar, -- Last known name of the monitor; NULL when unknown. Source: GET v2 events, GET v1 prompts.
  date date, -- Day (UTC).
  visibility double, -- Visibility score of your own brand as the API computes it, 0 to 100; not the share of answers that name the brand (own_visibility_pct). Do not sum or average: kpi_changes has means of 7 to 365 days, model_kpis the score of each model. Source: GET v1 visibility-time-series.
  sentiment double, -- Sentiment score towards your own brand, scale as the API reports it. Do not sum or average: kpi_changes has means of 7 to 365 days, sentiment_split the counts. Source: GET v1 sentiment-time-series.
  share_of_voice_pct double, -- Brand mentions per 100 organic responses, percent 0 to 100. Do not sum or average: compute from the counts. Source: GET v1 share-of-voice/time-series.
  organic_responses bigint, -- Responses to organic prompts; of (other): those of the project less those of the listed monitors, NULL where they exceed them. Adds up over days and monitors. Source: GET v1 share-of-voice/time-series.
  organic_brand_mentions bigint, -- Those that mention your own brand. Adds up over days and monitors. Source: GET v1 share-of-voice/time-series.
  is_final boolean, -- False while the figures may still change: as long as they were not requested again after the look-back window. Always false where they are not whole.
);

-- Monitors (sets of prompts). One row per project and monitor. Source: GET v1 prompts, GET v2 events.
view main.monitors (
  project_id varchar, -- Project id (core.projects).
  project_name varchar, -- Name of the project; NULL when unknown.
  monitor_id varchar, -- Monitor id, as scope_id of scope monitor.
  monitor_name varchar, -- Last known name of the monitor; NULL when unknown. Source: GET v2 events, GET v1 prompts.
  prompts_count bigint, -- Prompts that are listed. Adds up over monitors. Source: GET v1 prompts.
  active_prompts_count bigint, -- Prompts among them that are asked at present. Adds up over monitors. Source: GET v1 prompts.
);

-- Whether all brands moved together, or one model for all of them: the change of the last whole days against those before over all projects of an organization. One row per organization, level (all: every answer; model: one model), model, measure and length of window. Where is_portfolio_wide is true, look at the model or the market first, not at a brand. Source: the project and model series.
view main.portfolio_changes (
  organization_id varchar, -- Organization of the projects (core.organizations).
  organization_name varchar, -- Name of the organization; NULL when unknown.
  level varchar, -- all: the figures of whole projects; model: those of one model in all projects. Filter on one; never add or average different levels.
  model_id varchar, -- Model id; all where the level is all.
  model_name varchar, -- Name of the model, or All models; NULL when the model list lacks it.
  measure varchar, -- What is measured: visibility, sentiment, share_of_voice, net_sentiment_known, citations, crawler_requests or ai_visits. Filter on one; never add or average different measures.
  window_days integer, -- Days on each side: 7 or 28. Filter on one; never add or average different windows.
  projects_count bigint, -- Projects with a change.
  up_count bigint, -- Projects whose figure rose.
  down_count bigint, -- Projects whose figure fell.
  median_change double, -- Median of their changes, in the unit of the measure. Do not sum or average.
  change_low double, -- Lower end of the 95 % interval of the median; NULL with fewer than 5 projects. Do not sum or average.
  change_high double, -- Upper end of the 95 % interval of the median; NULL with fewer than 5 projects. Do not sum or average.
  is_portfolio_wide boolean, -- True when the interval leaves 0 out and at least 4 of 5 projects moved the same way; NULL with fewer than 5 projects.
);

-- Projects (brand workspaces). One row per project. Source: GET v2 auth/validate.
view main.projects (
  project_id varchar, -- Project id (core.projects).
  project_name varchar, -- Name of the project; NULL when unknown.
  project_label varchar, -- Name of the project; with its slug or id where several projects have that name.
  is_listed boolean, -- True when a key listed it when the keys were last asked.
  slug varchar, -- Short name in addresses. Source: GET v2 auth/validate.
  organization_id varchar, -- Organization it belongs to (core.organizations). Source: GET v2 auth/validate.
  organization_name varchar, -- Name of the organization; NULL when unknown. Source: GET v2 auth/validate.
  first_date date, -- First day (UTC) that is covered; NULL when none is.
  last_date date, -- Last day (UTC) that is covered, perhaps in part; NULL when none is.
  last_whole_date date, -- Last day (UTC) that is covered and was over; NULL when none is.
);

-- The prompts of today's list. One row per project and prompt; removed ones are in detail.prompt_catalog. Source: GET v1 prompts.
view main.prompt_catalog (
  project_id varchar, -- Project id (core.projects).
  project_name varchar, -- Name of the project; NULL when unknown.
  prompt_id varchar, -- Prompt id. Source: GET v1 prompts.
  prompt varchar, -- Text of the prompt; NULL when the API no longer knows it. Source: GET v1 prompts.
  prompt_type varchar, -- ORGANIC, BRAND_SPECIFIC or COMPETITOR_COMPARISON. Source: GET v1 prompts.
  intent varchar, -- BRANDED, INFORMATIONAL, NAVIGATIONAL, COMMERCIAL or TRANSACTIONAL. Source: GET v1 prompts.
  language_code varchar, -- Language. Source: GET v1 prompts.
  is_active boolean, -- True when it is asked at present. Source: GET v1 prompts.
  monitor_id varchar, -- Monitor it belongs to. Source: GET v1 prompts.
  monitor_name varchar, -- Last known name of the monitor; NULL when unknown. Source: GET v2 events, GET v1 prompts.
  responses_count bigint, -- Responses so far, over all time. Adds up over prompts. Source: GET v1 prompts.
  search_volume double, -- Weighted search volume over all keywords, generic ones included: similar prompts of one list differ a thousandfold. Weight no figure by it without saying so. Source: GET v1 prompts.
  average_visibility double, -- Average visibility over all responses, scale as the API reports it. Do not sum or average. Source: GET v1 prompts.
  difficulty double, -- Weighted average keyword difficulty. Do not sum or average. Source: GET v1 prompts.
  created_at timestamp, -- Instant (UTC) of creation. Source: GET v1 prompts.
  updated_at timestamp, -- Instant (UTC) of the last change. Source: GET v1 prompts.
  first_seen_on date, -- First day (UTC) of a sync that saw it listed; NULL when none did.
  last_seen_on date, -- Last day (UTC) of a sync that saw it listed; NULL when none did.
);

-- Figures of each prompt by day, where the scope prompt is configured for visibility, sentiment or share_of_voice (sync.scopes). One row per project, prompt and day with a whole figure; a figure is NULL on a day that is not whole for it. Source: GET v1 visibility-time-series, v1 sentiment-time-series and v1 share-of-voice/time-series.
view main.prompt_days (
  project_id varchar, -- Project id (core.projects).
  project_name varchar, -- Name of the project; NULL when unknown.
  prompt_id varchar, -- Prompt id. Source: GET v1 prompts.
  prompt varchar, -- Text of the prompt; NULL when the API no longer knows it. Source: GET v1 prompts.
  prompt_type varchar, -- ORGANIC, BRAND_SPECIFIC or COMPETITOR_COMPARISON. Source: GET v1 prompts.
  monitor_id varchar, -- Monitor it belongs to. Source: GET v1 prompts.
  monitor_name varchar, -- Last known name of the monitor; NULL when unknown. Source: GET v2 events, GET v1 prompts.
  date date, -- Day (UTC).
  visibility double, -- Visibility score of your own brand as the API computes it, 0 to 100; not the share of answers that name the brand (own_visibility_pct). Do not sum or average: kpi_changes has means of 7 to 365 days, model_kpis the score of each model. Source: GET v1 visibility-time-series.
  sentiment double, -- Sentiment score towards your own brand, scale as the API reports it. Do not sum or average: kpi_changes has means of 7 to 365 days, sentiment_split the counts. Source: GET v1 sentiment-time-series.
  organic_responses bigint, -- Responses to organic prompts alone; other views count responses to prompts of every type. Adds up over days. Source: GET v1 share-of-voice/time-series.
  organic_brand_mentions bigint, -- Responses to organic prompts that mention your own brand. Adds up over days. Source: GET v1 share-of-voice/time-series.
  share_of_voice_pct double, -- Brand mentions per 100 organic responses, percent 0 to 100. Do not sum or average: compute from the counts. Source: GET v1 share-of-voice/time-series.
  is_final boolean, -- False while the figures may still change: as long as they were not requested again after the look-back window. Always false where they are not whole.
);

-- Which prompts moved visibility: answers and visibility of each between nights with a prompt list, and what it adds to the change of the project. One row per project, length of window and prompt with answers, and one (other) for the answers of no listed prompt; none where why_visibility_moved is not told. Source: GET v1 prompts.
view main.prompt_moves (
  project_id varchar, -- Project id (core.projects).
  project_name varchar, -- Name of the project; NULL when unknown.
  window_days integer, -- Days on each side, about: 7, 28 or 90, and 365 once prompt lists go back two years. Filter on one; never add or average different windows.
  prompt_id varchar, -- Prompt id; (other) for the answers of no listed prompt.
  prompt varchar, -- Text of the prompt; NULL when the API no longer knows it. Source: GET v1 prompts.
  prompt_type varchar, -- ORGANIC, BRAND_SPECIFIC or COMPETITOR_COMPARISON. Source: GET v1 prompts.
  monitor_id varchar, -- Monitor it belongs to. Source: GET v1 prompts.
  monitor_name varchar, -- Last known name of the monitor; NULL when unknown. Source: GET v2 events, GET v1 prompts.
  before_from date, -- First day (UTC) of the period before.
  before_to date, -- Last day (UTC) of the period before, counted.
  after_from date, -- First day (UTC) of the period after.
  after_to date, -- Last day (UTC) of the period after, counted.
  responses_before bigint, -- Answers in the period before. Adds up over prompts of one window.
  responses_after bigint, -- Answers in the period after. Adds up over prompts of one window.
  visibility_before double, -- Its visibility in the period before; NULL without answers, and where rounding may change it by more than 2 points. Do not sum or average: contribution adds up.
  visibility_after double, -- Its visibility in the period after; NULL without answers, and where rounding may change it by more than 2 points. Do not sum or average: contribution adds up.
  change double, -- After less before, in points; NULL where either is. Do not sum or average: contribution adds up.
  contribution double, -- Points that it adds to the change of the project. Adds up over the prompts of one window.
  rounding_error double, -- What the rounding of the list may change its visibility by, in points. Do not sum or average.
);

-- State of every listed prompt on each day of a sync, with the sync before next to it. One row per project, prompt and day of a sync. Source: GET v1 prompts.
view main.prompt_trend (
  project_id varchar, -- Project id (core.projects).
  project_name varchar, -- Name of the project; NULL when unknown.
  prompt_id varchar, -- Prompt id. Source: GET v1 prompts.
  prompt varchar, -- Text of the prompt; NULL when the API no longer knows it. Source: GET v1 prompts.
  prompt_type varchar, -- ORGANIC, BRAND_SPECIFIC or COMPETITOR_COMPARISON. Source: GET v1 prompts.
  monitor_id varchar, -- Monitor it belongs to. Source: GET v1 prompts.
  monitor_name varchar, -- Last known name of the monitor; NULL when unknown. Source: GET v2 events, GET v1 prompts.
  date date, -- Day (UTC) of the sync that saw it so.
  is_active boolean, -- True when it was asked at that time. Source: GET v1 prompts.
  average_visibility double, -- Average visibility over all responses until then, scale as the API reports it. Do not sum or average. Source: GET v1 prompts.
  responses_count bigint, -- Responses until then, over all time. Do not add over days: new_responses_count adds up. Source: GET v1 prompts.
  search_volume double, -- Weighted search volume over all keywords, generic ones included: similar prompts of one list differ a thousandfold. Weight no figure by it without saying so. Do not add over days. Source: GET v1 prompts.
  difficulty double, -- Weighted average keyword difficulty. Do not sum or average. Source: GET v1 prompts.
  previous_date date, -- Day (UTC) of the sync before that saw it: look at it before reading a change.
  previous_average_visibility double, -- Average visibility at the sync before. Do not sum or average.
  average_visibility_change double, -- Change against the sync before: small, because the average runs over all time. Do not average.
  new_responses_count bigint, -- Responses that came since the sync before. Adds up over prompts and days.
);

-- Values as reported before and as reported now. One row per changed or vanished value of a project's days and calendar months, and of lists; filters, weeks and rolling windows are in detail.restated_values. Values that were NULL before, and the running counters of prompts, are not restatements. Source: meta.restatements.
view main.restated_values (
  project_id varchar, -- Project id (core.projects).
  project_name varchar, -- Name of the project; NULL when unknown.
  table_name varchar, -- Table in core.
  column_name varchar, -- Column that changed.
  change varchar, -- updated or deleted (the whole row vanished).
  date date, -- First day of the period or window (UTC); NULL where the key of the table has none.
  row_key varchar, -- Key of the row as JSON.
  old_value varchar, -- Former value as text.
  new_value varchar, -- New value as text; NULL when it vanished.
  old_number double, -- Former value as a number; NULL for other text.
  new_number double, -- New value as a number; NULL for other text.
  change_number double, -- New less former number. Do not add over columns.
  was_final boolean, -- True when the day, or the last day of the period or window, was older than the look-back: the change contradicts a report that took it for final.
  run_id varchar, -- Run that saw the change (meta.runs).
  changed_at timestamp, -- Instant (UTC) of the change here.
);

-- Responses by sentiment. One row per project and whole day that the API reports. Source: GET v1 responses/sentiment-time-series.
view main.sentiment_split (
  project_id varchar, -- Project id (core.projects).
  project_name varchar, -- Name of the project; NULL when unknown.
  date date, -- Day (UTC).
  positive_count bigint, -- Positive responses. Adds up over days. Source: GET v1 responses/sentiment-time-series.
  negative_count bigint, -- Negative responses. Adds up over days. Source: GET v1 responses/sentiment-time-series.
  neutral_count bigint, -- Neutral responses. Adds up over days. Source: GET v1 responses/sentiment-time-series.
  unknown_count bigint, -- Responses without a known sentiment. Adds up over days. Source: GET v1 responses/sentiment-time-series.
  known_count bigint, -- Responses with a known sentiment: positive, negative and neutral ones; NULL when there are no responses. Adds up over days. Source: GET v1 responses/sentiment-time-series.
  all_responses bigint, -- Responses to prompts of every type: those of any sentiment, unknown included; NULL when there are no responses. Adds up over days. Source: GET v1 responses/sentiment-time-series.
  positive_pct double, -- Share of positive responses, percent; NULL when there are no responses. Do not add over days, and do not average: compute from the counts. Source: GET v1 responses/sentiment-time-series.
  negative_pct double, -- Share of negative responses, percent; NULL when there are no responses. Do not add over days, and do not average: compute from the counts. Source: GET v1 responses/sentiment-time-series.
  neutral_pct double, -- Share of neutral responses, percent; NULL when there are no responses. Do not add over days, and do not average: compute from the counts. Source: GET v1 responses/sentiment-time-series.
  unknown_pct double, -- Share of unknown responses, percent; NULL when there are no responses. Do not add over days, and do not average: compute from the counts. Source: GET v1 responses/sentiment-time-series.
  positive_pct_low double, -- Lower end of its 95 % interval, percent; NULL when there are no responses. Do not sum or average.
  positive_pct_high double, -- Upper end of its 95 % interval, percent; NULL when there are no responses. Do not sum or average.
  negative_pct_low double, -- Lower end of its 95 % interval, percent; NULL when there are no responses. Do not sum or average.
  negative_pct_high double, -- Upper end of its 95 % interval, percent; NULL when there are no responses. Do not sum or average.
  neutral_pct_low double, -- Lower end of its 95 % interval, percent; NULL when there are no responses. Do not sum or average.
  neutral_pct_high double, -- Upper end of its 95 % interval, percent; NULL when there are no responses. Do not sum or average.
  net_sentiment_pct double, -- Positive less negative responses, per 100 responses of any sentiment, -100 to 100; NULL when there are no responses. It moves with the share of unknown responses, and so with visibility: net_sentiment_known_pct does not. Do not sum or average: compute from the counts. Source: GET v1 responses/sentiment-time-series.
  net_sentiment_pct_low double, -- Lower end of its 95 % interval, percent; NULL when there are no responses. Do not sum or average.
  net_sentiment_pct_high double, -- Upper end of its 95 % interval, percent; NULL when there are no responses. Do not sum or average.
  net_sentiment_known_pct double, -- Positive less negative responses, per 100 responses with a known sentiment, -100 to 100; NULL when there are no responses. Do not sum or average: compute from the counts. Source: GET v1 responses/sentiment-time-series.
  net_sentiment_known_pct_low double, -- Lower end of its 95 % interval, percent; NULL when there are no responses. Do not sum or average.
  net_sentiment_known_pct_high double, -- Upper end of its 95 % interval, percent; NULL when there are no responses. Do not sum or average.
  is_final boolean, -- False while the figures may still change: as long as they were not requested again after the look-back window. Always false where they are not whole.
);

-- Daily sentiment of the whole project with its 7-day mean and the events of that day. One row per project and whole day with a figure; events are counted per day first, so that they never multiply a day. Source: GET v1 sentiment-time-series, GET v2 events.
view main.sentiment_with_events (
  project_id varchar, -- Project id (core.projects).
  project_name varchar, -- Name of the project; NULL when unknown.
  date date, -- Day (UTC).
  sentiment double, -- Sentiment score towards your own brand, scale as the API reports it. Do not sum or average: kpi_changes has means of 7 to 365 days, sentiment_split the counts. Source: GET v1 sentiment-time-series.
  sentiment_7_day_mean double, -- Mean of the daily values of the 7 calendar days that end on the day, days without a value, or that are not whole, left out. Do not sum or average.
  sentiment_previous_7_day_mean double, -- The same mean for the 7 calendar days before those. Do not sum or average.
  sentiment_7_day_change double, -- The mean less the one before, in the unit of sentiment; NULL when one side has a value on fewer than 5 of the 7 days, and on the day of the sync. Do not sum or average.
  events_count bigint, -- Events of the day in the project; 0 on a day that was covered and had none, NULL on a day that was not covered. Adds up over days. Source: GET v2 events.
  actions_completed bigint, -- Actions completed that day; 0 on a day that was covered and had none, NULL on a day that was not covered. Adds up over days. Source: GET v2 events.
  prompts_created bigint, -- Prompts (not groups) created that day; 0 on a day that was covered and had none, NULL on a day that was not covered. Adds up over days. Source: GET v2 events.
  prompts_deleted bigint, -- Prompts (not groups) deleted that day; 0 on a day that was covered and had none, NULL on a day that was not covered. Adds up over days. Source: GET v2 events.
  event_titles varchar, -- Titles of the events of the day, by time, separated by semicolons; NULL without events. Source: GET v2 events.
  event_types varchar, -- Kinds of the events of the day: action, prompts_created, prompts_deleted; NULL without events. Source: GET v2 events.
  is_final boolean, -- False while the figures may still change: as long as they were not requested again after the look-back window. Always false where they are not whole.
);

-- Changes of the questions, which alone move the figures: prompts that came or went, models and monitors that began, stopped or changed their days. One row per project, day and kind of change. Models and monitors are told from their answers where those are asked for (judged_by). Source: GET v2 events, GET v1 prompts, GET v1 share-of-voice/time-series.
view main.setup_changes (
  project_id varchar, -- Project id (core.projects).
  project_name varchar, -- Name of the project; NULL when unknown.
  date date, -- First day (UTC) on which it shows.
  what varchar, -- prompts_added, prompts_removed, model_added, model_gone, monitor_started, monitor_stopped or monitor_rhythm (asked on other weekdays).
  names varchar, -- Names of the models or monitors, those of the prompts included, separated by commas; NULL when unknown.
  count bigint, -- Prompts, models or monitors. Adds up over days of one kind.
  share_of_answers double, -- Their part of the answers, 0 to 1: of the 14 days on the side where they are asked; of prompts without snapshots, their part of the list. NULL when unknown, which counts as much. Do not sum or average.
  judged_by varchar, -- What changes of the project are told by: events, and models or monitors where share of voice is asked for them.
  title varchar, -- The change in words.
  moves_figures boolean, -- True where it moves more than 3 % of the answers, or an unknown share of them: effects next to it are not judged.
);

-- Share of voice by day, with the day before. One row per project and whole day. Weeks and months: sum the counts by calendar.week_start or month_start and divide. By model or monitor: model_kpis, monitor_kpis. Source: GET v1 share-of-voice/time-series.
view main.share_of_voice_trend (
  project_id varchar, -- Project id (core.projects).
  project_name varchar, -- Name of the project; NULL when unknown.
  date date, -- Day (UTC).
  organic_responses bigint, -- Responses to organic prompts alone; other views count responses to prompts of every type. Adds up over days. Source: GET v1 share-of-voice/time-series.
  organic_brand_mentions bigint, -- Responses to organic prompts that mention your own brand. Adds up over days. Source: GET v1 share-of-voice/time-series.
  share_of_voice_pct double, -- Brand mentions per 100 organic responses, percent 0 to 100. Do not sum or average: compute from the counts. Source: GET v1 share-of-voice/time-series.
  share_of_voice_pct_low double, -- Lower end of its 95 % interval (Wilson), percent: of these questions, asked again. Of questions like these: like_these_low. Do not sum or average.
  share_of_voice_pct_high double, -- Upper end of its 95 % interval (Wilson), percent. Do not sum or average.
  like_these_pct double, -- Mean of the share of voice of the prompts, each counted once, percent: for questions like these. From answers of an endpoint of your own (detail.own_answers), else from scope prompt where it is asked, else NULL; NULL under 10 prompts, or under 5 that name the brand. Do not sum or average.
  like_these_low double, -- Lower end of its 95 % interval, percent: of questions like these, where share_of_voice_pct_low is of these questions alone. More prompts narrow it, more answers hardly. Do not sum or average.
  like_these_high double, -- Upper end of its 95 % interval, percent. Do not sum or average.
  previous_date date, -- Day before it that has data: look at it before reading a change, a day may be missing.
  previous_share_of_voice_pct double, -- Share of voice of the day before by the calendar, percent; NULL when that has no figure. Do not sum or average.
  change_points double, -- Change against that day, percentage points; NULL unless both days are whole. Do not sum or average.
  reported_previous_share_of_voice_pct double, -- Share of voice of the day before as the API reports it, percent. Do not sum or average. Source: GET v1 share-of-voice/time-series.
  reported_change_points double, -- Change as the API reports it, percentage points. Do not sum or average. Source: GET v1 share-of-voice/time-series.
  is_final boolean, -- False while the figures may still change: as long as they were not requested again after the look-back window. Always false where they are not whole.
);

-- Which days can be trusted. One row per project, endpoint and day that the configuration asks for, up to the day before the sync day. Weeks and months are in detail.sync_coverage. Source: meta.expected_series and meta.slices.
view main.sync_coverage (
  project_id varchar, -- Project id (core.projects).
  project_name varchar, -- Name of the project; NULL when unknown.
  endpoint varchar, -- Name of the endpoint in the catalogue of answerlake.
  date date, -- Day (UTC).
  series_expected_count bigint, -- Series (scopes) that the configuration asks for.
  series_covered_count bigint, -- Series that a stored answer covers.
  series_settled_count bigint, -- Series that were asked again after the look-back window.
  is_covered boolean, -- True when all of them are covered.
  is_settled boolean, -- True when all of them are settled: nothing is expected to change.
  status varchar, -- settled, covered, unconfirmed, not_available, known (what is missing has been wrong for three sync days), partial or missing.
  known_reason varchar, -- Why a series is not covered, where that is known: a reason of meta.alarms; else NULL.
  known_first_on date, -- First sync day (UTC) on which that was seen; else NULL.
  asked_on date, -- Sync day (UTC) of the newest answer that covers it; NULL while none does.
);

-- How fresh each endpoint of each project is. One row per project and endpoint; the project is NULL for endpoints without a project. Source: meta.slices.
view main.sync_freshness (
  project_id varchar, -- Project id (core.projects); NULL for endpoints without a project.
  project_name varchar, -- Name of the project; NULL when unknown.
  endpoint varchar, -- Name of the endpoint in the catalogue of answerlake.
  status varchar, -- current, stale (is_stale), behind (more than one day), partial (some answers failed, or came incomplete), suspicious, failed, not_enabled, never_asked, no_longer_asked_for (the configuration leaves it out) or lost (the project: meta.alarms): outcome of the run that asked last.
  last_asked_at timestamp, -- Instant (UTC) of the newest outcome, failures included.
  last_success_at timestamp, -- Instant (UTC) of the newest answer that was stored and whole.
  last_covered_date date, -- Last day (UTC) that a stored, whole answer covers; NULL for lists without dates.
  last_row date, -- Newest day (UTC), or last day of a window, with a figure of the project itself; later answers had none. NULL for lists, and where none ever came.
  lag_days bigint, -- Days from there to the day (UTC) on which the newest run began.
  age_hours double, -- Hours from last_success_at to the reader's clock; NULL without a success. A copy of the row does not age.
  max_age_hours double, -- Hours from which on it is stale: freshness.max_age, or 36, or 1.5 times the longest gap between the jobs that ask the endpoint; NULL for endpoints that are not requested regularly, or that the plan is known to lack.
  is_stale boolean, -- True when age_hours is larger: the newest figures are older than they should be. NULL where either is.
  slices_done_count bigint, -- Whole answers stored by the run that asked last.
  slices_failed_count bigint, -- Answers that failed in the run that asked last.
  slices_suspicious_count bigint, -- Answers held back in the run that asked last.
  last_error varchar, -- Why an answer of that run failed or is incomplete; NULL when none did.
);

-- Days of whole projects that the configuration requests and that no stored answer from after their end covers. One row per project, endpoint and day; empty when nothing is missing. Filters, weeks and months are in detail.sync_gaps. Source: meta.expected_series and meta.slices.
view main.sync_gaps (
  project_id varchar, -- Project id (core.projects).
  project_name varchar, -- Name of the project; NULL when unknown.
  endpoint varchar, -- Name of the endpoint in the catalogue of answerlake.
  date date, -- Day (UTC).
  status varchar, -- known (wrong for three sync days: known_reason), partial (its only answers were asked before it was over), refused (a row could not be read), incomplete (the list is not proven whole), never_asked, or the newest outcome (failed, suspicious).
  last_status varchar, -- Newest outcome: loaded, empty, not_enabled, truncated, suspicious or failed; NULL when never asked.
  known_reason varchar, -- Why it is missing, where that is known: a reason of meta.alarms; else NULL.
  known_first_on date, -- First sync day (UTC) on which that was seen; else NULL.
);

-- What the newest run was configured with. One row. Source: meta.settings.
view main.sync_settings (
  sync_day date, -- The day (UTC) the newest run took for today.
  clock_day date, -- The day (UTC) on which the newest run began: later than sync_day where the run took an earlier day for today (--today, ANSWERLAKE_TODAY).
  start_date date, -- First day that is asked for.
  lookback_days integer, -- Days before the sync day that are asked for again and may still change.
  timezone varchar, -- Time zone in which days are cut.
  base_url varchar, -- Origin of the API.
  timezone_lag_days integer, -- Days by which the date in that zone was behind the sync day: 1 where the day before was not over there, else 0.
);

-- Goals of the configuration, the present level of each, and whether it will be reached if the trend continues. One row per project and measure. Source: targets in the configuration and the project series.
view main.targets (
  project_id varchar, -- Project id (core.projects).
  project_name varchar, -- Name of the project; NULL when unknown.
  measure varchar, -- What is measured: visibility, sentiment, share_of_voice, net_sentiment_known, citations, crawler_requests or ai_visits. Filter on one; never add or average different measures.
  goal double, -- Value to reach, in the unit of the measure. Source: the configuration.
  due_date date, -- Day (UTC) by which to reach it. Source: the configuration.
  last_date date, -- Last whole day (UTC); NULL when there is no figure.
  value double, -- Mean of the last 28 whole days (kpi_changes). Do not sum or average.
  distance double, -- Goal less value, in the unit of the measure; 0 or below: reached. Do not sum or average.
  projected_value double, -- Value on the due day: the mean of the last 28 whole days and what the steady trend of the history adds (detail.typical_changes); never beyond the bounds of a share or score. NULL where that cannot be computed. Do not sum or average.
  projected_low double, -- Lower end of its interval, which grows with the days ahead as such means have strayed so far. Do not sum or average.
  projected_high double, -- Upper end of that interval. Do not sum or average.
  is_reached boolean, -- True when the value is at the goal or beyond; NULL when there is no figure.
  is_on_course boolean, -- True when the projected value reaches the goal; NULL where nothing can be projected.
  is_sure boolean, -- True when the goal lies outside the interval of the projection, on either side; NULL where nothing can be projected.
);

-- Days on which the level of a measure shifted: the 14 days from the day on against the 14 before, largest within 14 days on either side and less drift beyond 1.35 times what is typical; and what happened from 14 days before to 5 days after. One row per project, measure and day. First the shift, then who may have caused it: a candidate is no proof. Source: the project series, GET v2 events.
view main.turning_points (
  project_id varchar, -- Project id (core.projects).
  project_name varchar, -- Name of the project; NULL when unknown.
  measure varchar, -- What is measured: visibility, sentiment, share_of_voice, net_sentiment_known, citations, crawler_requests or ai_visits. Filter on one; never add or average different measures.
  date date, -- First day (UTC) of the new level, give or take a few days.
  value_before double, -- Mean of the 14 days before, in the unit of the measure. Do not sum or average.
  value_after double, -- Mean of the 14 days from the day on. Do not sum or average.
  change double, -- After less before, in the unit of the measure. Do not sum or average.
  typical_change double, -- Normal variation of such a difference (detail.typical_changes). Repeated on every row: do not sum or average.
  drift double, -- Median of such changes over the last 365 whole days, in the unit of the measure: the slow trend, which is no news. The shift is judged by the change less it. Repeated on every row: do not sum or average.
  candidates_count bigint, -- Completed actions and setup changes from 14 days before to 5 days after, because the day is estimated. Do not sum: one event may be near several shifts. Source: GET v2 events.
  candidate_ids varchar, -- Their ids, by day, separated by commas: event ids (event_annotations), or the kind and day of a setup change; NULL without candidates.
  candidate_titles varchar, -- Their titles, by day, separated by semicolons; NULL when there are none.
  is_final boolean, -- False while days that may still change, or are not there yet, could move the day.
);

-- Daily visibility of the whole project with its 7-day mean and the events of that day. One row per project and whole day with a figure; events are counted per day first, so that they never multiply a day. Source: GET v1 visibility-time-series, GET v2 events.
view main.visibility_with_events (
  project_id varchar, -- Project id (core.projects).
  project_name varchar, -- Name of the project; NULL when unknown.
  date date, -- Day (UTC).
  visibility double, -- Visibility score of your own brand as the API computes it, 0 to 100; not the share of answers that name the brand (own_visibility_pct). Do not sum or average: kpi_changes has means of 7 to 365 days, model_kpis the score of each model. Source: GET v1 visibility-time-series.
  visibility_7_day_mean double, -- Mean of the daily values of the 7 calendar days that end on the day, days without a value, or that are not whole, left out. Do not sum or average.
  visibility_previous_7_day_mean double, -- The same mean for the 7 calendar days before those. Do not sum or average.
  visibility_7_day_change double, -- The mean less the one before, in the unit of visibility; NULL when one side has a value on fewer than 5 of the 7 days, and on the day of the sync. Do not sum or average.
  events_count bigint, -- Events of the day in the project; 0 on a day that was covered and had none, NULL on a day that was not covered. Adds up over days. Source: GET v2 events.
  actions_completed bigint, -- Actions completed that day; 0 on a day that was covered and had none, NULL on a day that was not covered. Adds up over days. Source: GET v2 events.
  prompts_created bigint, -- Prompts (not groups) created that day; 0 on a day that was covered and had none, NULL on a day that was not covered. Adds up over days. Source: GET v2 events.
  prompts_deleted bigint, -- Prompts (not groups) deleted that day; 0 on a day that was covered and had none, NULL on a day that was not covered. Adds up over days. Source: GET v2 events.
  event_titles varchar, -- Titles of the events of the day, by time, separated by semicolons; NULL without events. Source: GET v2 events.
  event_types varchar, -- Kinds of the events of the day: action, prompts_created, prompts_deleted; NULL without events. Source: GET v2 events.
  is_final boolean, -- False while the figures may still change: as long as they were not requested again after the look-back window. Always false where they are not whole.
);

-- Why the visibility of all answers moved: how much of the change the questions made (prompts that came or went, monitors, how often prompts were asked, models) and how much is real. Between nights with a prompt list, by their running totals, without a request. One row per project, length of window and part; the points of the parts sum to the change. Source: GET v1 prompts, GET v1 analytics/brands/visibility-over-time, GET v1 share-of-voice/time-series and v1 visibility-time-series by model.
view main.why_visibility_moved (
  project_id varchar, -- Project id (core.projects).
  project_name varchar, -- Name of the project; NULL when unknown.
  window_days integer, -- Days on each side, about: 7, 28 or 90, and 365 once prompt lists go back two years. Filter on one; never add or average different windows.
  before_from date, -- First day (UTC) of the period before; NULL when no night is near enough.
  before_to date, -- Last day (UTC) of the period before, counted.
  after_from date, -- First day (UTC) of the period after; NULL when no night is near enough.
  after_to date, -- Last day (UTC) of the period after, counted.
  visibility_before double, -- Visibility score of your own brand over all responses of the period before. Repeated on every row: do not sum or average.
  visibility_after double, -- Visibility score of your own brand over all responses of the period after. Repeated on every row: do not sum or average.
  before_as_reported double, -- visibility_before as it was stored when that period ended: what a report of then said. Repeated on every row: do not sum or average.
  change double, -- After less before, in points. Repeated on every row: do not sum: points sum to it.
  part varchar, -- prompts_added, prompts_removed, monitors (one began, stopped or changed its pace), sampling (kept prompts asked more or less), models (came, went or answered more or less), prompts_and_models (both at once: they cannot be told apart), unexplained (answers of no listed prompt) or real_change (the rest).
  points double, -- Points of the change that the part made. NULL where not_told says why; models: NULL where no model is asked for. Adds up over the parts of one project and window.
  typical_change double, -- How far such a change strays by itself (detail.typical_changes). Repeated on every row: do not sum or average.
  judged_by varchar, -- What the parts are told by: prompts, and models where visibility and share of voice are asked for them.
  hours_off double, -- How far the worst of the lists lies from the midnight at which it cuts a period: its answers of these hours count on the other side. Do not sum or average.
  not_told varchar, -- Why there are no parts: nights_missing (no list near one of the three nights, or no figures), totals_disagree (the running totals contradict the figures of the days) or nothing_in_common (no prompt was asked in both periods); NULL when they are told.
);

-- Counts of each whole calendar month that no series gives: responses of every type, brand mentions, sentiment, share of voice. One row per project and month. It ends with the last whole month (window_end); later days are in detail.window_summary. Source: GET v1 responses/summary, v1 responses/sentiment-distribution and v1 share-of-voice/comparison.
view main.window_summary (
  project_id varchar, -- Project id (core.projects).
  project_name varchar, -- Name of the project; NULL when unknown.
  window_start date, -- First day of the window (UTC).
  window_end date, -- Last day of the window (UTC), counted.
  days_in_window integer, -- Days of the window so far.
  all_responses bigint, -- Responses to prompts of every type in the window. Adds up over months. Source: GET v1 responses/summary.
  all_brand_mentions bigint, -- Those that mention your own brand. Adds up over months. Source: GET v1 responses/summary.
  brand_mention_rate double, -- Share of them, as the API reports it. Do not sum or average: divide all_brand_mentions by all_responses. Source: GET v1 responses/summary.
  positive_count bigint, -- Responses with positive sentiment in the window; NULL where the answer does not list it and those listed are not all the responses. Adds up over months. Source: GET v1 responses/sentiment-distribution.
  negative_count bigint, -- Responses with negative sentiment in the window; NULL where the answer does not list it and those listed are not all the responses. Adds up over months. Source: GET v1 responses/sentiment-distribution.
  neutral_count bigint, -- Responses with neutral sentiment in the window; NULL where the answer does not list it and those listed are not all the responses. Adds up over months. Source: GET v1 responses/sentiment-distribution.
  unknown_count bigint, -- Responses with unknown sentiment in the window; NULL where the answer does not list it and those listed are not all the responses. Adds up over months. Source: GET v1 responses/sentiment-distribution.
  current_share_of_voice_pct double, -- Share of voice of the window, percent, organic responses only. Do not sum or average: share_of_voice_trend has the counts. Source: GET v1 share-of-voice/comparison.
  previous_share_of_voice_pct double, -- Share of voice of the window before, as the API reports it, percent. Do not sum or average. Source: GET v1 share-of-voice/comparison.
);
