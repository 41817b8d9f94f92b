-- The views of main that detail has with everything: whole days or whole calendar months of whole projects. Targets hold the rows of detail, and these views as they stand: in words that DuckDB and PostgreSQL share.
{% set series = ["grain", "scope", "scope_id", "scope_name", "is_whole_day"] %}
{% set window = ["window_kind", "is_whole_window"] %}
{% set days = "d.grain = 'day' and d.scope = 'project' and d.is_whole_day" %}
{% set months = "d.window_kind = 'month' and d.is_whole_window" %}
{{ safe_view("daily_kpis", {
  comment: "All figures of a project and day. Exactly one row per project and day, every day from the first covered one to the last that was over; a figure is NULL where it is missing, and on a day that is not whole for it, never 0 in its place. Source: several endpoints, see the columns.",
  where: "d.is_over",
  without: ["is_over", "is_whole_day"],
  figures: {
    is_whole_visibility: ["visibility"],
    is_whole_sentiment: ["sentiment"],
    is_whole_share_of_voice: ["share_of_voice_pct", "organic_responses", "organic_brand_mentions"],
    is_whole_response_sentiment: ["positive_count", "negative_count", "neutral_count", "unknown_count", "known_count", "all_responses", "net_sentiment_pct", "net_sentiment_known_pct"],
    is_whole_citations: ["citations_count", "average_citation_rank"],
    is_whole_crawler_requests: ["crawler_requests_count"],
    is_whole_ai_visits: ["ai_visits_count"],
    is_whole_events: ["actions_completed", "prompts_created", "prompts_deleted", "event_titles"]
  }
}) }}
{% for name in ["visibility", "sentiment"] %}
{{ safe_view(name ~ "_with_events", {
  comment: "Daily " ~ name ~ " of the whole project with its 7-day mean and the events of that day. One row per project and whole day with a figure; events are counted per day first, so that they never multiply a day. Source: GET v1 " ~ name ~ "-time-series, GET v2 events.",
  where: "d.scope = 'project' and d.is_whole_day",
  without: ["scope", "scope_id", "scope_name", "is_whole_day"]
}) }}
{% endfor %}
{{ safe_view("sentiment_split", {
  comment: "Responses by sentiment. One row per project and whole day that the API reports. Source: GET v1 responses/sentiment-time-series.",
  where: "d.is_whole_day",
  without: ["is_whole_day"]
}) }}
{{ safe_view("share_of_voice_trend", {
  comment: "Share of voice by day, with the day before. One row per project and whole day. Weeks and months: sum the counts by calendar.week_start or month_start and divide. By model or monitor: model_kpis, monitor_kpis. Source: GET v1 share-of-voice/time-series.",
  where: days,
  without: series
}) }}
{{ safe_view("citation_rank_trend", {
  comment: "Citations and their rank by day. One row per project and whole day. Source: GET v1 citations/rank-analysis.",
  where: days,
  without: series
}) }}
{{ safe_view("brand_visibility_trend", {
  comment: "Visibility of your own brand beside each other brand. One row per project, whole day and brand, ignored brands included: competitor_gap and brand_mention_share leave them out. Figures of the project are on the row of your own brand. Source: GET v1 analytics/brands/visibility-over-time.",
  where: days,
  without: series.concat(["own_average_visibility", "own_mention_count", "own_visibility_pct"])
}) }}
{{ safe_view("brand_mention_share", {
  comment: "Share of each brand in all brand mentions: what the trade calls share of voice among brands. One row per project, whole day and brand that the project does not ignore. Source: GET v1 analytics/brands/visibility-over-time.",
  where: days,
  without: series.concat(["all_mention_count", "own_mention_share_pct"])
}) }}
{{ safe_view("competitor_gap", {
  comment: "Gap between your own brand and each competitor, in share of responses and in score, both own less competitor. One row per project, whole day and brand that is neither own nor ignored. Source: GET v1 analytics/brands/visibility-over-time.",
  where: days,
  without: series.concat(["own_average_visibility", "own_mention_count", "own_visibility_pct"])
}) }}
{{ safe_view("domain_citation_trend", {
  comment: "Citations of each domain by day, with the day before. One row per project, whole day and domain; your own domain has is_own_domain. The API lists only the first domains. Source: GET v1 citations/domains-over-time.",
  where: days,
  without: series.concat(["listed_citations_count", "own_citations_count", "own_citations_share_pct"])
}) }}
{{ safe_view("ai_traffic", {
  comment: "AI crawlers and visitors from AI assistants side by side. One row per project, whole day and source. Source: GET v1 analytics/crawlers/trend, GET v1 analytics/visitors/trend.",
  where: "d.is_whole_day",
  without: ["is_whole_day"]
}) }}
{{ safe_view("crawler_visitor_funnel", {
  comment: "What a vendor's crawlers fetch, by purpose, beside the visits its assistants send. One row per project, vendor and day on which either is whole; the other is NULL then. A vendor is found through ai_vendors; crawlers and referrers that are not in it stand under their own name. Source: GET v1 analytics/crawlers/trend, GET v1 analytics/visitors/trend.",
  where: "d.is_whole_crawler_requests and d.crawler_requests_count is not null or d.is_whole_ai_visits and d.ai_visits_count is not null",
  without: ["is_whole_day"],
  figures: {
    is_whole_crawler_requests: ["training_requests_count", "search_requests_count", "user_requests_count", "other_requests_count", "crawler_requests_count"],
    is_whole_ai_visits: ["ai_visits_count"]
  }
}) }}
{{ safe_view("landing_page_days", {
  comment: "Visits from AI assistants to single pages by whole day, where pages are configured (sync.landing_pages). One row per project, page, day and source. Source: GET v1 analytics/visitors/trend with a pathname.",
  where: "d.is_whole_day",
  without: ["is_whole_day"]
}) }}
{{ safe_view("prompt_days", {
  comment: "Figures of each prompt by day, where the scope prompt is configured for visibility, sentiment or share_of_voice (sync.scopes). One row per project, prompt and day with a whole figure; a figure is NULL on a day that is not whole for it. Source: GET v1 visibility-time-series, v1 sentiment-time-series and v1 share-of-voice/time-series.",
  where: "d.is_whole_visibility and d.visibility is not null or d.is_whole_sentiment and d.sentiment is not null or d.is_whole_share_of_voice and d.organic_responses is not null",
  without: ["is_whole_day"],
  figures: {
    is_whole_visibility: ["visibility"],
    is_whole_sentiment: ["sentiment"],
    is_whole_share_of_voice: ["share_of_voice_pct", "organic_responses", "organic_brand_mentions"]
  }
}) }}
{% for scope, figures in [
  ["model", {
    is_whole_visibility: ["visibility"],
    is_whole_sentiment: ["sentiment"],
    is_whole_share_of_voice: ["share_of_voice_pct", "organic_responses", "organic_brand_mentions"],
    is_whole_brand_visibility: ["all_responses"]
  }],
  ["monitor", {
    is_whole_visibility: ["visibility"],
    is_whole_sentiment: ["sentiment"],
    is_whole_share_of_voice: ["share_of_voice_pct", "organic_responses", "organic_brand_mentions"]
  }]
] %}
{{ safe_view(scope ~ "_kpis", {
  comment: "Figures of each " ~ scope ~ " by day. One row per project, " ~ scope ~ " and day with a whole figure, and one row (other) with the counts and the share that the project has and the listed " ~ scope ~ "s lack, where these have any; a figure is NULL on a day that is not whole for it. The counts add up to those of the project (share_of_voice_trend). Source: GET v1 visibility-time-series, v1 sentiment-time-series and v1 share-of-voice/time-series.",
  where: ("d.is_whole_brand_visibility and d.all_responses is not null or " if scope == "model" else "") ~ "d.is_whole_visibility and d.visibility is not null or d.is_whole_sentiment and d.sentiment is not null or d.is_whole_share_of_voice and d.organic_responses is not null",
  without: ["is_whole_day"],
  figures: figures
}) }}
{% endfor %}
{{ safe_view("prompt_catalog", {
  comment: "The prompts of today's list. One row per project and prompt; removed ones are in detail.prompt_catalog. Source: GET v1 prompts.",
  where: "not d.is_removed",
  without: ["is_removed", "removed_at"]
}) }}
{{ safe_view("cited_domains", {
  comment: "Cited domains of each whole calendar month, with new and lost ones against the month before. One row per project, month and domain, lost domains included. The API lists only the first domains. It ends with the last whole month (window_end); later days are in detail.cited_domains. Source: GET v1 citations/domains-over-time.",
  where: months ~ " and d.scope = 'project'",
  without: window.concat(["scope", "scope_id", "scope_name", "window_citations_count"])
}) }}
{{ safe_view("competitor_heatmap_trend", {
  comment: "Share of responses that name each competitor, by model, in each whole calendar month, with the month before next to it. One row per project, month, competitor and model, ignored brands included: competitor_gap and brand_mention_share leave them out. It ends with the last whole month (window_end); later days are in detail.competitor_heatmap_trend. Source: GET v1 competitor-heatmap.",
  where: months ~ " and d.scope = 'project'",
  without: window.concat(["scope", "scope_id", "scope_name", "is_newest_whole_window"])
}) }}
{{ safe_view("competitor_heatmap_latest", {
  comment: "Share of responses that name each competitor, by model, in the newest whole calendar month. One row per project, competitor and model, ignored brands included: competitor_gap and brand_mention_share leave them out. window_end is its last day. The last 28 days are in detail.competitor_heatmap_latest. Source: GET v1 competitor-heatmap.",
  from: "competitor_heatmap_trend",
  where: months ~ " and d.scope = 'project' and d.is_newest_whole_window",
  without: window.concat(["scope", "scope_id", "scope_name", "is_newest_whole_window", "days_in_window", "previous_visibility_pct", "change_points"])
}) }}
{{ safe_view("model_sources", {
  comment: "Citations by AI model in each whole calendar month, with the names of the model list. One row per project, month and model. It ends with the last whole month (window_end); later days are in detail.model_sources. Source: GET v1 citations/llm-sources, GET v1 models.",
  where: months,
  without: window
}) }}
{{ safe_view("crawler_page_trend", {
  comment: "Pages that AI crawlers asked for most in each whole calendar month, with the month before next to it. One row per project, month and page. The API gives a top list: a page may have fallen below its end. It ends with the last whole month (window_end); later days are in detail.crawler_page_trend. Source: GET v1 analytics/crawlers/top-pages.",
  where: months,
  without: window.concat(["is_newest_whole_window", "requests_rank", "crawlers"])
}) }}
{{ safe_view("crawler_pages", {
  comment: "Pages that AI crawlers asked for most in the newest whole calendar month. One row per project and page. window_end is its last day. The last 28 days are in detail.crawler_pages. Source: GET v1 analytics/crawlers/top-pages.",
  from: "crawler_page_trend",
  where: months ~ " and d.is_newest_whole_window",
  without: window.concat(["is_newest_whole_window", "days_in_window", "listed_share_pct", "previous_crawler_requests_count", "previous_days_in_window", "crawler_requests_change", "crawler_requests_per_day_change"])
}) }}
{{ safe_view("window_summary", {
  comment: "Counts of each whole calendar month that no series gives: responses of every type, brand mentions, sentiment, share of voice. One row per project and month. It ends with the last whole month (window_end); later days are in detail.window_summary. Source: GET v1 responses/summary, v1 responses/sentiment-distribution and v1 share-of-voice/comparison.",
  where: "d.window_kind = 'month' and d.scope = 'project' and (d.is_whole_summary or d.is_whole_split or d.is_whole_share_of_voice)",
  without: window.concat(["scope", "scope_id", "scope_name"]),
  figures: {
    is_whole_summary: ["all_responses", "all_brand_mentions", "brand_mention_rate"],
    is_whole_split: ["positive_count", "negative_count", "neutral_count", "unknown_count"],
    is_whole_share_of_voice: ["current_share_of_voice_pct", "previous_share_of_voice_pct"]
  }
}) }}
{{ safe_view("competitor_mention_trend", {
  comment: "Competitors that answers mention in each whole calendar month, with the month before next to it; untracked rivals included. One row per project, month and competitor. It ends with the last whole month (window_end); later days are in detail.competitor_mention_trend. Source: GET v1 responses/competitors.",
  where: months,
  without: window
}) }}
{{ safe_view("restated_values", {
  comment: "Values as reported before and as reported now. One row per changed or vanished value of a project's days and calendar months, and of lists; filters, weeks and rolling windows are in detail.restated_values. Values that were NULL before, and the running counters of prompts, are not restatements. Source: meta.restatements.",
  where: "coalesce(d.scope, 'project') = 'project' and coalesce(d.grain, 'day') = 'day' and coalesce(d.window_kind, 'month') = 'month'",
  without: ["grain", "window_kind", "scope", "scope_id"]
}) }}
{{ safe_view("sync_coverage", {
  comment: "Which days can be trusted. One row per project, endpoint and day that the configuration asks for, up to the day before the sync day. Weeks and months are in detail.sync_coverage. Source: meta.expected_series and meta.slices.",
  where: "d.grain = 'day'",
  without: ["grain"]
}) }}
{{ safe_view("sync_gaps", {
  comment: "Days of whole projects that the configuration requests and that no stored answer from after their end covers. One row per project, endpoint and day; empty when nothing is missing. Filters, weeks and months are in detail.sync_gaps. Source: meta.expected_series and meta.slices.",
  where: "d.grain = 'day' and d.scope = 'project'",
  without: ["grain", "scope", "scope_id"]
}) }}

create view main.sync_freshness as
select
  a.project_id,
  a.project_name,
  a.endpoint,
  case when a.status in ('behind', 'current') and a.age_hours > a.max_age_hours then 'stale' else a.status end as status,
  a.last_asked_at,
  a.last_success_at,
  a.last_covered_date,
  a.last_row,
  a.lag_days,
  a.age_hours,
  a.max_age_hours,
  a.age_hours > a.max_age_hours as is_stale,
  a.slices_done_count,
  a.slices_failed_count,
  a.slices_suspicious_count,
  a.last_error
from (
  -- By the clock of the reader; instants are in UTC.
  select f.*, cast(extract(epoch from now()) - extract(epoch from f.last_success_at) as double precision) / 3600 as age_hours
  from detail.sync_freshness f
) a;

comment on view main.sync_freshness is 'How fresh each endpoint of each project is. One row per project and endpoint; the project is NULL for endpoints without a project. Source: meta.slices.';
