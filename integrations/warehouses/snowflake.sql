-- Makes the tables of the schema answerlake equal to the last export (answerlake export --changed --output s3://bucket/export):
-- removes the rows of files that the manifest does not name any more, and adds those of new files. It can be repeated.
-- Set the URL of the stage and the name of your storage integration.
-- Generated from the catalogue; "npx vitest run test/bi/integrations.test.ts -u" writes it again.

create schema if not exists answerlake;
create stage if not exists answerlake.export url = 's3://bucket/export/' storage_integration = answerlake;
create file format if not exists answerlake.rows_format type = parquet use_logical_type = true;
create file format if not exists answerlake.manifest_format type = json;
create or replace table answerlake.manifest as
select cast($1:"table" as varchar) as table_name, regexp_substr(cast($1:"path" as varchar), '[^/]+$') as file_name,
  cast($1:"rows" as bigint) as row_count
from @answerlake.export/manifest.ndjson (file_format => 'answerlake.manifest_format')
where $1:"kind" = 'file';

create table if not exists answerlake.action_group_impact ("PROJECT_ID" varchar, "PROJECT_NAME" varchar, "OVERLAP_GROUP_ID" varchar, "FIRST_DATE" date, "LAST_DATE" date, "ACTIONS" bigint, "TITLES" varchar, "VISIBILITY_BEFORE" double, "VISIBILITY_AFTER" double, "VISIBILITY_CHANGE" double, "VISIBILITY_TYPICAL_CHANGE" double, "VISIBILITY_EFFECT" double, "VISIBILITY_EFFECT_LOW" double, "VISIBILITY_EFFECT_HIGH" double, "VISIBILITY_IS_CLEAR" boolean, "VISIBILITY_EXCEEDS_TYPICAL" boolean, "VISIBILITY_EFFECT_15_28" double, "VISIBILITY_EFFECT_29_56" double, "SENTIMENT_BEFORE" double, "SENTIMENT_AFTER" double, "SENTIMENT_CHANGE" double, "SENTIMENT_TYPICAL_CHANGE" double, "SENTIMENT_EFFECT" double, "SENTIMENT_EFFECT_LOW" double, "SENTIMENT_EFFECT_HIGH" double, "SENTIMENT_IS_CLEAR" boolean, "SENTIMENT_EXCEEDS_TYPICAL" boolean, "SENTIMENT_EFFECT_15_28" double, "SENTIMENT_EFFECT_29_56" double, "SHARE_OF_VOICE_BEFORE" double, "SHARE_OF_VOICE_AFTER" double, "SHARE_OF_VOICE_CHANGE" double, "SHARE_OF_VOICE_TYPICAL_CHANGE" double, "SHARE_OF_VOICE_EFFECT" double, "SHARE_OF_VOICE_EFFECT_LOW" double, "SHARE_OF_VOICE_EFFECT_HIGH" double, "SHARE_OF_VOICE_IS_CLEAR" boolean, "SHARE_OF_VOICE_EXCEEDS_TYPICAL" boolean, "SHARE_OF_VOICE_EFFECT_15_28" double, "SHARE_OF_VOICE_EFFECT_29_56" double, "NOT_JUDGED" varchar, "DAYS_BEFORE" bigint, "DAYS_AFTER" bigint, "OTHER_ACTIONS_COUNT" bigint, "PROMPT_SET_CHANGED" boolean, "IS_FINAL" boolean, file_name varchar);
create table if not exists answerlake.action_impact ("PROJECT_ID" varchar, "PROJECT_NAME" varchar, "EVENT_ID" varchar, "ACTION_ID" varchar, "ACTION_TYPE" varchar, "ACTION_TITLE" varchar, "DATE" date, "OCCURRED_AT" timestamp_ntz, "OVERLAP_GROUP_ID" varchar, "VISIBILITY_BEFORE" double, "VISIBILITY_AFTER" double, "VISIBILITY_CHANGE" double, "VISIBILITY_TYPICAL_CHANGE" double, "VISIBILITY_EFFECT" double, "VISIBILITY_EFFECT_LOW" double, "VISIBILITY_EFFECT_HIGH" double, "VISIBILITY_IS_CLEAR" boolean, "VISIBILITY_EXCEEDS_TYPICAL" boolean, "SENTIMENT_BEFORE" double, "SENTIMENT_AFTER" double, "SENTIMENT_CHANGE" double, "SENTIMENT_TYPICAL_CHANGE" double, "SENTIMENT_EFFECT" double, "SENTIMENT_EFFECT_LOW" double, "SENTIMENT_EFFECT_HIGH" double, "SENTIMENT_IS_CLEAR" boolean, "SENTIMENT_EXCEEDS_TYPICAL" boolean, "SHARE_OF_VOICE_BEFORE_PCT" double, "SHARE_OF_VOICE_AFTER_PCT" double, "SHARE_OF_VOICE_CHANGE_POINTS" double, "SHARE_OF_VOICE_TYPICAL_CHANGE" double, "SHARE_OF_VOICE_EFFECT" double, "SHARE_OF_VOICE_EFFECT_LOW" double, "SHARE_OF_VOICE_EFFECT_HIGH" double, "SHARE_OF_VOICE_IS_CLEAR" boolean, "SHARE_OF_VOICE_EXCEEDS_TYPICAL" boolean, "NOT_JUDGED" varchar, "DAYS_BEFORE" bigint, "DAYS_AFTER" bigint, "SENTIMENT_DAYS_BEFORE" bigint, "SENTIMENT_DAYS_AFTER" bigint, "SHARE_OF_VOICE_DAYS_BEFORE" bigint, "SHARE_OF_VOICE_DAYS_AFTER" bigint, "OTHER_EVENTS_COUNT" bigint, "OTHER_ACTIONS_COUNT" bigint, "PROMPT_SET_CHANGED" boolean, "IS_COMPARABLE" boolean, "IS_FINAL" boolean, file_name varchar);
create table if not exists answerlake.action_type_impact ("PROJECT_ID" varchar, "PROJECT_NAME" varchar, "ACTION_TYPE" varchar, "MEASURE" varchar, "ACTIONS_COUNT" bigint, "JUDGED_COUNT" bigint, "MEAN_EFFECT" double, "EFFECT_LOW" double, "EFFECT_HIGH" double, "IS_CLEAR" boolean, file_name varchar);
create table if not exists answerlake.ai_traffic ("PROJECT_ID" varchar, "PROJECT_NAME" varchar, "DATE" date, "SOURCE_KIND" varchar, "SOURCE" varchar, "CRAWLER_REQUESTS_COUNT" bigint, "AI_VISITS_COUNT" bigint, "IS_FINAL" boolean, "CHANGED_AT" timestamp_ntz, "FINAL_ON" date, file_name varchar);
create table if not exists answerlake.ai_vendors ("SOURCE_KIND" varchar, "SOURCE" varchar, "SOURCE_KEY" varchar, "VENDOR" varchar, "PURPOSE" varchar, file_name varchar);
create table if not exists answerlake.anomalies ("PROJECT_ID" varchar, "PROJECT_NAME" varchar, "MEASURE" varchar, "DATE" date, "VALUE" double, "EXPECTED_VALUE" double, "DEVIATIONS" double, "IS_FINAL" boolean, file_name varchar);
create table if not exists answerlake.brand_mention_share ("PROJECT_ID" varchar, "PROJECT_NAME" varchar, "DATE" date, "BRAND_ID" varchar, "BRAND_NAME" varchar, "RELATION" varchar, "IS_OWN_BRAND" boolean, "MENTION_COUNT" bigint, "ALL_MENTION_COUNT" bigint, "MENTION_SHARE_PCT" double, "MENTION_SHARE_PCT_LOW" double, "MENTION_SHARE_PCT_HIGH" double, "OWN_MENTION_SHARE_PCT" double, "MENTION_RANK" bigint, "IS_FINAL" boolean, "CHANGED_AT" timestamp_ntz, "FINAL_ON" date, file_name varchar);
create table if not exists answerlake.brand_visibility_trend ("PROJECT_ID" varchar, "PROJECT_NAME" varchar, "DATE" date, "BRAND_ID" varchar, "BRAND_NAME" varchar, "BRAND_DOMAIN" varchar, "RELATION" varchar, "IS_OWN_BRAND" boolean, "VISIBILITY_PCT" double, "AVERAGE_VISIBILITY" double, "MENTION_COUNT" bigint, "ALL_RESPONSES" bigint, "OWN_VISIBILITY_PCT" double, "OWN_AVERAGE_VISIBILITY" double, "OWN_MENTION_COUNT" bigint, "GAP_POINTS" double, "IS_FINAL" boolean, "CHANGED_AT" timestamp_ntz, "FINAL_ON" date, file_name varchar);
create table if not exists answerlake.brands ("PROJECT_ID" varchar, "PROJECT_NAME" varchar, "BRAND_ID" varchar, "BRAND_NAME" varchar, "BRAND_DOMAIN" varchar, "RELATION" varchar, "IS_OWN_BRAND" boolean, file_name varchar);
create table if not exists answerlake.calendar ("DATE" date, "ISO_YEAR" integer, "ISO_WEEK" integer, "ISO_DAY_OF_WEEK" integer, "DAY_NAME" varchar, "WEEK_START" date, "MONTH_START" date, "QUARTER_START" date, "YEAR" integer, "MONTH" integer, "IS_WEEKEND" boolean, "IS_WHOLE_DAY" boolean, file_name varchar);
create table if not exists answerlake.citation_rank_trend ("PROJECT_ID" varchar, "PROJECT_NAME" varchar, "DATE" date, "CITATIONS_COUNT" bigint, "RANKED_CITATIONS_COUNT" bigint, "RANKED_CITATIONS_PCT" double, "AVERAGE_CITATION_RANK" double, "BEST_CITATION_RANK" double, "WORST_CITATION_RANK" double, "PREVIOUS_DATE" date, "PREVIOUS_AVERAGE_CITATION_RANK" double, "AVERAGE_CITATION_RANK_CHANGE" double, "IS_FINAL" boolean, "CHANGED_AT" timestamp_ntz, "FINAL_ON" date, file_name varchar);
create table if not exists answerlake.cited_domains ("PROJECT_ID" varchar, "PROJECT_NAME" varchar, "WINDOW_START" date, "WINDOW_END" date, "DAYS_IN_WINDOW" integer, "DOMAIN" varchar, "IS_OWN_DOMAIN" boolean, "DOMAIN_STATUS" varchar, "CITATIONS_COUNT" bigint, "CITATIONS_SHARE_PCT" double, "AVERAGE_CITATION_RANK" double, "PREVIOUS_CITATIONS_COUNT" bigint, "PREVIOUS_DAYS_IN_WINDOW" integer, "CITATIONS_CHANGE" bigint, "CITATIONS_PER_DAY_CHANGE" double, "PREVIOUS_AVERAGE_CITATION_RANK" double, "WINDOW_CITATIONS_COUNT" bigint, "CHANGED_AT" timestamp_ntz, "FINAL_ON" date, file_name varchar);
create table if not exists answerlake.competitor_gap ("PROJECT_ID" varchar, "PROJECT_NAME" varchar, "DATE" date, "COMPETITOR_BRAND_ID" varchar, "COMPETITOR_NAME" varchar, "COMPETITOR_DOMAIN" varchar, "RELATION" varchar, "COMPETITOR_VISIBILITY_PCT" double, "OWN_VISIBILITY_PCT" double, "GAP_POINTS" double, "COMPETITOR_AVERAGE_VISIBILITY" double, "OWN_AVERAGE_VISIBILITY" double, "SCORE_GAP" double, "COMPETITOR_MENTION_COUNT" bigint, "OWN_MENTION_COUNT" bigint, "IS_OWN_BRAND_AHEAD" boolean, "IS_FINAL" boolean, "CHANGED_AT" timestamp_ntz, "FINAL_ON" date, file_name varchar);
create table if not exists answerlake.competitor_heatmap_latest ("PROJECT_ID" varchar, "PROJECT_NAME" varchar, "WINDOW_START" date, "WINDOW_END" date, "COMPETITOR_NAME" varchar, "COMPETITOR_DOMAIN" varchar, "RELATION" varchar, "IS_OWN_BRAND" boolean, "COMPETITOR_RANK" bigint, "MODEL_ID" varchar, "MODEL_NAME" varchar, "IS_DEPRECATED_MODEL" boolean, "VISIBILITY_PCT" double, "OWN_VISIBILITY_PCT" double, "GAP_POINTS" double, "CHANGED_AT" timestamp_ntz, "FINAL_ON" date, file_name varchar);
create table if not exists answerlake.competitor_heatmap_trend ("PROJECT_ID" varchar, "PROJECT_NAME" varchar, "WINDOW_START" date, "WINDOW_END" date, "DAYS_IN_WINDOW" integer, "COMPETITOR_NAME" varchar, "COMPETITOR_DOMAIN" varchar, "RELATION" varchar, "IS_OWN_BRAND" boolean, "COMPETITOR_RANK" bigint, "MODEL_ID" varchar, "MODEL_NAME" varchar, "IS_DEPRECATED_MODEL" boolean, "VISIBILITY_PCT" double, "OWN_VISIBILITY_PCT" double, "GAP_POINTS" double, "PREVIOUS_VISIBILITY_PCT" double, "CHANGE_POINTS" double, "CHANGED_AT" timestamp_ntz, "FINAL_ON" date, file_name varchar);
create table if not exists answerlake.competitor_mention_trend ("PROJECT_ID" varchar, "PROJECT_NAME" varchar, "WINDOW_START" date, "WINDOW_END" date, "DAYS_IN_WINDOW" integer, "COMPETITOR" varchar, "IS_TRACKED" boolean, "MENTION_COUNT" bigint, "MENTION_SHARE_PCT" double, "PREVIOUS_MENTION_COUNT" bigint, "PREVIOUS_MENTION_SHARE_PCT" double, "CHANGED_AT" timestamp_ntz, "FINAL_ON" date, file_name varchar);
create table if not exists answerlake.crawler_page_trend ("PROJECT_ID" varchar, "PROJECT_NAME" varchar, "WINDOW_START" date, "WINDOW_END" date, "DAYS_IN_WINDOW" integer, "REQUEST_PATH" varchar, "CRAWLER_REQUESTS_COUNT" bigint, "LISTED_SHARE_PCT" double, "UNIQUE_CRAWLERS_COUNT" bigint, "PREVIOUS_CRAWLER_REQUESTS_COUNT" bigint, "PREVIOUS_DAYS_IN_WINDOW" integer, "CRAWLER_REQUESTS_CHANGE" bigint, "CRAWLER_REQUESTS_PER_DAY_CHANGE" double, "CHANGED_AT" timestamp_ntz, "FINAL_ON" date, file_name varchar);
create table if not exists answerlake.crawler_pages ("PROJECT_ID" varchar, "PROJECT_NAME" varchar, "WINDOW_START" date, "WINDOW_END" date, "REQUEST_PATH" varchar, "CRAWLER_REQUESTS_COUNT" bigint, "REQUESTS_RANK" bigint, "UNIQUE_CRAWLERS_COUNT" bigint, "CRAWLERS" varchar, "CHANGED_AT" timestamp_ntz, "FINAL_ON" date, file_name varchar);
create table if not exists answerlake.crawler_visitor_funnel ("PROJECT_ID" varchar, "PROJECT_NAME" varchar, "DATE" date, "VENDOR" varchar, "IS_KNOWN_VENDOR" boolean, "TRAINING_REQUESTS_COUNT" bigint, "SEARCH_REQUESTS_COUNT" bigint, "USER_REQUESTS_COUNT" bigint, "OTHER_REQUESTS_COUNT" bigint, "CRAWLER_REQUESTS_COUNT" bigint, "AI_VISITS_COUNT" bigint, "IS_FINAL" boolean, "CHANGED_AT" timestamp_ntz, "FINAL_ON" date, file_name varchar);
create table if not exists answerlake.daily_kpis ("PROJECT_ID" varchar, "PROJECT_NAME" varchar, "DATE" date, "VISIBILITY" double, "SENTIMENT" double, "SHARE_OF_VOICE_PCT" double, "ORGANIC_RESPONSES" bigint, "ORGANIC_BRAND_MENTIONS" bigint, "POSITIVE_COUNT" bigint, "NEGATIVE_COUNT" bigint, "NEUTRAL_COUNT" bigint, "UNKNOWN_COUNT" bigint, "KNOWN_COUNT" bigint, "NET_SENTIMENT_PCT" double, "NET_SENTIMENT_KNOWN_PCT" double, "CITATIONS_COUNT" bigint, "AVERAGE_CITATION_RANK" double, "CRAWLER_REQUESTS_COUNT" bigint, "AI_VISITS_COUNT" bigint, "ACTIONS_COMPLETED" bigint, "PROMPTS_CREATED" bigint, "PROMPTS_DELETED" bigint, "EVENT_TITLES" varchar, "TRAFFIC_TIMEZONE" varchar, "IS_FINAL" boolean, "CHANGED_AT" timestamp_ntz, "FINAL_ON" date, file_name varchar);
create table if not exists answerlake.deleted_rows ("SCHEMA_NAME" varchar, "VIEW_NAME" varchar, "KEY" varchar, "PROJECT_ID" varchar, "DATE" date, "DELETED_AT" timestamp_ntz, file_name varchar);
create table if not exists answerlake.domain_citation_trend ("PROJECT_ID" varchar, "PROJECT_NAME" varchar, "DATE" date, "DOMAIN" varchar, "IS_OWN_DOMAIN" boolean, "CITATIONS_COUNT" bigint, "LISTED_CITATIONS_COUNT" bigint, "LISTED_CITATIONS_SHARE_PCT" double, "OWN_CITATIONS_COUNT" bigint, "OWN_CITATIONS_SHARE_PCT" double, "PREVIOUS_DATE" date, "PREVIOUS_CITATIONS_COUNT" bigint, "CITATIONS_CHANGE" bigint, "LAST_TOLD_ON" date, "IS_FINAL" boolean, "CHANGED_AT" timestamp_ntz, "FINAL_ON" date, file_name varchar);
create table if not exists answerlake.event_annotations ("PROJECT_ID" varchar, "PROJECT_NAME" varchar, "EVENT_ID" varchar, "TIME" timestamp_ntz, "DATE" date, "TITLE" varchar, "TEXT" varchar, "TAGS" varchar, "TYPE" varchar, "ACTION_ID" varchar, "ACTION_TYPE" varchar, "MONITOR_ID" varchar, "MONITOR_NAME" varchar, "PROMPT_COUNT" bigint, file_name varchar);
create table if not exists answerlake.kpi_changes ("PROJECT_ID" varchar, "PROJECT_NAME" varchar, "MEASURE" varchar, "WINDOW_DAYS" integer, "LAST_DATE" date, "VALUE" double, "PREVIOUS_VALUE" double, "CHANGE" double, "CHANGE_LOW" double, "CHANGE_HIGH" double, "TYPICAL_CHANGE" double, "DRIFT" double, "IS_CLEAR" boolean, "DAYS_WITH_VALUE" bigint, "PREVIOUS_DAYS_WITH_VALUE" bigint, file_name varchar);
create table if not exists answerlake.landing_page_days ("PROJECT_ID" varchar, "PROJECT_NAME" varchar, "LANDING_PAGE" varchar, "DATE" date, "SOURCE" varchar, "AI_VISITS_COUNT" bigint, "IS_FINAL" boolean, "CHANGED_AT" timestamp_ntz, "FINAL_ON" date, file_name varchar);
create table if not exists answerlake.model_kpis ("PROJECT_ID" varchar, "PROJECT_NAME" varchar, "MODEL_ID" varchar, "MODEL_NAME" varchar, "IS_DEPRECATED_MODEL" boolean, "DATE" date, "VISIBILITY" double, "SENTIMENT" double, "SHARE_OF_VOICE_PCT" double, "ORGANIC_RESPONSES" bigint, "ORGANIC_BRAND_MENTIONS" bigint, "IS_FINAL" boolean, "CHANGED_AT" timestamp_ntz, "FINAL_ON" date, file_name varchar);
create table if not exists answerlake.model_sources ("PROJECT_ID" varchar, "PROJECT_NAME" varchar, "WINDOW_START" date, "WINDOW_END" date, "DAYS_IN_WINDOW" integer, "MODEL_ID" varchar, "MODEL_NAME" varchar, "PROVIDER_NAME" varchar, "IS_KNOWN_MODEL" boolean, "IS_DEPRECATED_MODEL" boolean, "CITATIONS_COUNT" bigint, "CITATIONS_SHARE_PCT" double, "UNIQUE_DOMAINS_COUNT" bigint, "UNIQUE_PROMPTS_COUNT" bigint, "CHANGED_AT" timestamp_ntz, "FINAL_ON" date, file_name varchar);
create table if not exists answerlake.models ("MODEL_ID" varchar, "MODEL_NAME" varchar, "PROVIDER_ID" varchar, "PROVIDER_NAME" varchar, "PROVIDER_MODEL_NAME" varchar, "API_IDENTIFIER" varchar, "DESCRIPTION" varchar, "IS_SEARCH_ENABLED" boolean, "IS_LIVE_SEARCH" boolean, "IS_KNOWN_MODEL" boolean, "IS_DEPRECATED_MODEL" boolean, file_name varchar);
create table if not exists answerlake.monitor_kpis ("PROJECT_ID" varchar, "PROJECT_NAME" varchar, "MONITOR_ID" varchar, "MONITOR_NAME" varchar, "DATE" date, "VISIBILITY" double, "SENTIMENT" double, "SHARE_OF_VOICE_PCT" double, "ORGANIC_RESPONSES" bigint, "ORGANIC_BRAND_MENTIONS" bigint, "IS_FINAL" boolean, "CHANGED_AT" timestamp_ntz, "FINAL_ON" date, file_name varchar);
create table if not exists answerlake.monitors ("PROJECT_ID" varchar, "PROJECT_NAME" varchar, "MONITOR_ID" varchar, "MONITOR_NAME" varchar, "PROMPTS_COUNT" bigint, "ACTIVE_PROMPTS_COUNT" bigint, file_name varchar);
create table if not exists answerlake.portfolio_changes ("SCOPE" varchar, "SCOPE_ID" varchar, "SCOPE_NAME" varchar, "MEASURE" varchar, "WINDOW_DAYS" integer, "PROJECTS_COUNT" bigint, "UP_COUNT" bigint, "DOWN_COUNT" bigint, "MEDIAN_CHANGE" double, "CHANGE_LOW" double, "CHANGE_HIGH" double, "IS_PORTFOLIO_WIDE" boolean, file_name varchar);
create table if not exists answerlake.projects ("PROJECT_ID" varchar, "PROJECT_NAME" varchar, "SLUG" varchar, "ORGANIZATION_ID" varchar, "ORGANIZATION_NAME" varchar, "FIRST_DATE" date, "LAST_DATE" date, "LAST_WHOLE_DATE" date, file_name varchar);
create table if not exists answerlake.prompt_catalog ("PROJECT_ID" varchar, "PROJECT_NAME" varchar, "PROMPT_ID" varchar, "PROMPT" varchar, "PROMPT_TYPE" varchar, "INTENT" varchar, "LANGUAGE_CODE" varchar, "IS_ACTIVE" boolean, "MONITOR_ID" varchar, "MONITOR_NAME" varchar, "RESPONSES_COUNT" bigint, "SEARCH_VOLUME" double, "AVERAGE_VISIBILITY" double, "DIFFICULTY" double, "CREATED_AT" timestamp_ntz, "UPDATED_AT" timestamp_ntz, "FIRST_SEEN_ON" date, "LAST_SEEN_ON" date, file_name varchar);
create table if not exists answerlake.prompt_days ("PROJECT_ID" varchar, "PROJECT_NAME" varchar, "PROMPT_ID" varchar, "PROMPT" varchar, "PROMPT_TYPE" varchar, "MONITOR_ID" varchar, "MONITOR_NAME" varchar, "DATE" date, "VISIBILITY" double, "SENTIMENT" double, "ORGANIC_RESPONSES" bigint, "ORGANIC_BRAND_MENTIONS" bigint, "SHARE_OF_VOICE_PCT" double, "IS_FINAL" boolean, "CHANGED_AT" timestamp_ntz, "FINAL_ON" date, file_name varchar);
create table if not exists answerlake.prompt_trend ("PROJECT_ID" varchar, "PROJECT_NAME" varchar, "PROMPT_ID" varchar, "PROMPT" varchar, "PROMPT_TYPE" varchar, "MONITOR_ID" varchar, "MONITOR_NAME" varchar, "DATE" date, "IS_ACTIVE" boolean, "AVERAGE_VISIBILITY" double, "RESPONSES_COUNT" bigint, "SEARCH_VOLUME" double, "DIFFICULTY" double, "PREVIOUS_DATE" date, "PREVIOUS_AVERAGE_VISIBILITY" double, "AVERAGE_VISIBILITY_CHANGE" double, "NEW_RESPONSES_COUNT" bigint, "CHANGED_AT" timestamp_ntz, "FINAL_ON" date, file_name varchar);
create table if not exists answerlake.restated_values ("PROJECT_ID" varchar, "PROJECT_NAME" varchar, "TABLE_NAME" varchar, "COLUMN_NAME" varchar, "CHANGE" varchar, "DATE" date, "ROW_KEY" varchar, "OLD_VALUE" varchar, "NEW_VALUE" varchar, "OLD_NUMBER" double, "NEW_NUMBER" double, "CHANGE_NUMBER" double, "WAS_FINAL" boolean, "RUN_ID" varchar, "CHANGED_AT" timestamp_ntz, file_name varchar);
create table if not exists answerlake.sentiment_split ("PROJECT_ID" varchar, "PROJECT_NAME" varchar, "DATE" date, "POSITIVE_COUNT" bigint, "NEGATIVE_COUNT" bigint, "NEUTRAL_COUNT" bigint, "UNKNOWN_COUNT" bigint, "KNOWN_COUNT" bigint, "TOTAL_COUNT" bigint, "POSITIVE_PCT" double, "NEGATIVE_PCT" double, "NEUTRAL_PCT" double, "UNKNOWN_PCT" double, "POSITIVE_PCT_LOW" double, "POSITIVE_PCT_HIGH" double, "NEGATIVE_PCT_LOW" double, "NEGATIVE_PCT_HIGH" double, "NEUTRAL_PCT_LOW" double, "NEUTRAL_PCT_HIGH" double, "NET_SENTIMENT_PCT" double, "NET_SENTIMENT_PCT_LOW" double, "NET_SENTIMENT_PCT_HIGH" double, "NET_SENTIMENT_KNOWN_PCT" double, "NET_SENTIMENT_KNOWN_PCT_LOW" double, "NET_SENTIMENT_KNOWN_PCT_HIGH" double, "IS_FINAL" boolean, "CHANGED_AT" timestamp_ntz, "FINAL_ON" date, file_name varchar);
create table if not exists answerlake.sentiment_with_events ("PROJECT_ID" varchar, "PROJECT_NAME" varchar, "DATE" date, "SENTIMENT" double, "SENTIMENT_7_DAY_MEAN" double, "SENTIMENT_PREVIOUS_7_DAY_MEAN" double, "SENTIMENT_7_DAY_CHANGE" double, "EVENTS_COUNT" bigint, "ACTIONS_COMPLETED" bigint, "PROMPTS_CREATED" bigint, "PROMPTS_DELETED" bigint, "EVENT_TITLES" varchar, "EVENT_TYPES" varchar, "IS_FINAL" boolean, "CHANGED_AT" timestamp_ntz, "FINAL_ON" date, file_name varchar);
create table if not exists answerlake.share_of_voice_trend ("PROJECT_ID" varchar, "PROJECT_NAME" varchar, "DATE" date, "ORGANIC_RESPONSES" bigint, "ORGANIC_BRAND_MENTIONS" bigint, "SHARE_OF_VOICE_PCT" double, "SHARE_OF_VOICE_PCT_LOW" double, "SHARE_OF_VOICE_PCT_HIGH" double, "PREVIOUS_DATE" date, "PREVIOUS_SHARE_OF_VOICE_PCT" double, "CHANGE_POINTS" double, "REPORTED_PREVIOUS_SHARE_OF_VOICE_PCT" double, "REPORTED_CHANGE_POINTS" double, "IS_FINAL" boolean, "CHANGED_AT" timestamp_ntz, "FINAL_ON" date, file_name varchar);
create table if not exists answerlake.sync_coverage ("PROJECT_ID" varchar, "PROJECT_NAME" varchar, "ENDPOINT" varchar, "DATE" date, "SERIES_EXPECTED_COUNT" bigint, "SERIES_COVERED_COUNT" bigint, "SERIES_SETTLED_COUNT" bigint, "IS_COVERED" boolean, "IS_SETTLED" boolean, "STATUS" varchar, "LAST_SUCCESS_AT" timestamp_ntz, file_name varchar);
create table if not exists answerlake.sync_freshness ("PROJECT_ID" varchar, "PROJECT_NAME" varchar, "ENDPOINT" varchar, "STATUS" varchar, "LAST_ASKED_AT" timestamp_ntz, "LAST_SUCCESS_AT" timestamp_ntz, "LAST_COVERED_DATE" date, "LAG_DAYS" bigint, "SLICES_DONE_COUNT" bigint, "SLICES_FAILED_COUNT" bigint, "SLICES_SUSPICIOUS_COUNT" bigint, "LAST_ERROR" varchar, file_name varchar);
create table if not exists answerlake.sync_gaps ("PROJECT_ID" varchar, "PROJECT_NAME" varchar, "ENDPOINT" varchar, "DATE" date, "STATUS" varchar, "LAST_STATUS" varchar, file_name varchar);
create table if not exists answerlake.sync_settings ("SYNC_DAY" date, "START_DATE" date, "LOOKBACK_DAYS" integer, "TIMEZONE" varchar, "BASE_URL" varchar, "TIMEZONE_LAG_DAYS" integer, file_name varchar);
create table if not exists answerlake.targets ("PROJECT_ID" varchar, "PROJECT_NAME" varchar, "MEASURE" varchar, "GOAL" double, "DUE_DATE" date, "LAST_DATE" date, "VALUE" double, "DISTANCE" double, "PROJECTED_VALUE" double, "PROJECTED_LOW" double, "PROJECTED_HIGH" double, "IS_REACHED" boolean, "IS_ON_COURSE" boolean, file_name varchar);
create table if not exists answerlake.turning_points ("PROJECT_ID" varchar, "PROJECT_NAME" varchar, "MEASURE" varchar, "DATE" date, "VALUE_BEFORE" double, "VALUE_AFTER" double, "CHANGE" double, "TYPICAL_CHANGE" double, "DRIFT" double, "CANDIDATES_COUNT" bigint, "CANDIDATE_IDS" varchar, "CANDIDATE_TITLES" varchar, "IS_FINAL" boolean, file_name varchar);
create table if not exists answerlake.visibility_with_events ("PROJECT_ID" varchar, "PROJECT_NAME" varchar, "DATE" date, "VISIBILITY" double, "VISIBILITY_7_DAY_MEAN" double, "VISIBILITY_PREVIOUS_7_DAY_MEAN" double, "VISIBILITY_7_DAY_CHANGE" double, "EVENTS_COUNT" bigint, "ACTIONS_COMPLETED" bigint, "PROMPTS_CREATED" bigint, "PROMPTS_DELETED" bigint, "EVENT_TITLES" varchar, "EVENT_TYPES" varchar, "IS_FINAL" boolean, "CHANGED_AT" timestamp_ntz, "FINAL_ON" date, file_name varchar);
create table if not exists answerlake.window_summary ("PROJECT_ID" varchar, "PROJECT_NAME" varchar, "WINDOW_START" date, "WINDOW_END" date, "DAYS_IN_WINDOW" integer, "ALL_RESPONSES" bigint, "ALL_BRAND_MENTIONS" bigint, "BRAND_MENTION_RATE" double, "POSITIVE_COUNT" bigint, "NEGATIVE_COUNT" bigint, "NEUTRAL_COUNT" bigint, "UNKNOWN_COUNT" bigint, "CURRENT_SHARE_OF_VOICE_PCT" double, "PREVIOUS_SHARE_OF_VOICE_PCT" double, "CHANGED_AT" timestamp_ntz, "FINAL_ON" date, file_name varchar);

begin transaction;

delete from answerlake.action_group_impact where file_name not in (select file_name from answerlake.manifest where table_name = 'action_group_impact');
insert into answerlake.action_group_impact ("PROJECT_ID", "PROJECT_NAME", "OVERLAP_GROUP_ID", "FIRST_DATE", "LAST_DATE", "ACTIONS", "TITLES", "VISIBILITY_BEFORE", "VISIBILITY_AFTER", "VISIBILITY_CHANGE", "VISIBILITY_TYPICAL_CHANGE", "VISIBILITY_EFFECT", "VISIBILITY_EFFECT_LOW", "VISIBILITY_EFFECT_HIGH", "VISIBILITY_IS_CLEAR", "VISIBILITY_EXCEEDS_TYPICAL", "VISIBILITY_EFFECT_15_28", "VISIBILITY_EFFECT_29_56", "SENTIMENT_BEFORE", "SENTIMENT_AFTER", "SENTIMENT_CHANGE", "SENTIMENT_TYPICAL_CHANGE", "SENTIMENT_EFFECT", "SENTIMENT_EFFECT_LOW", "SENTIMENT_EFFECT_HIGH", "SENTIMENT_IS_CLEAR", "SENTIMENT_EXCEEDS_TYPICAL", "SENTIMENT_EFFECT_15_28", "SENTIMENT_EFFECT_29_56", "SHARE_OF_VOICE_BEFORE", "SHARE_OF_VOICE_AFTER", "SHARE_OF_VOICE_CHANGE", "SHARE_OF_VOICE_TYPICAL_CHANGE", "SHARE_OF_VOICE_EFFECT", "SHARE_OF_VOICE_EFFECT_LOW", "SHARE_OF_VOICE_EFFECT_HIGH", "SHARE_OF_VOICE_IS_CLEAR", "SHARE_OF_VOICE_EXCEEDS_TYPICAL", "SHARE_OF_VOICE_EFFECT_15_28", "SHARE_OF_VOICE_EFFECT_29_56", "NOT_JUDGED", "DAYS_BEFORE", "DAYS_AFTER", "OTHER_ACTIONS_COUNT", "PROMPT_SET_CHANGED", "IS_FINAL", file_name)
select cast($1:"project_id" as varchar), cast($1:"project_name" as varchar), cast($1:"overlap_group_id" as varchar), cast($1:"first_date" as date), cast($1:"last_date" as date), cast($1:"actions" as bigint), cast($1:"titles" as varchar), cast($1:"visibility_before" as double), cast($1:"visibility_after" as double), cast($1:"visibility_change" as double), cast($1:"visibility_typical_change" as double), cast($1:"visibility_effect" as double), cast($1:"visibility_effect_low" as double), cast($1:"visibility_effect_high" as double), cast($1:"visibility_is_clear" as boolean), cast($1:"visibility_exceeds_typical" as boolean), cast($1:"visibility_effect_15_28" as double), cast($1:"visibility_effect_29_56" as double), cast($1:"sentiment_before" as double), cast($1:"sentiment_after" as double), cast($1:"sentiment_change" as double), cast($1:"sentiment_typical_change" as double), cast($1:"sentiment_effect" as double), cast($1:"sentiment_effect_low" as double), cast($1:"sentiment_effect_high" as double), cast($1:"sentiment_is_clear" as boolean), cast($1:"sentiment_exceeds_typical" as boolean), cast($1:"sentiment_effect_15_28" as double), cast($1:"sentiment_effect_29_56" as double), cast($1:"share_of_voice_before" as double), cast($1:"share_of_voice_after" as double), cast($1:"share_of_voice_change" as double), cast($1:"share_of_voice_typical_change" as double), cast($1:"share_of_voice_effect" as double), cast($1:"share_of_voice_effect_low" as double), cast($1:"share_of_voice_effect_high" as double), cast($1:"share_of_voice_is_clear" as boolean), cast($1:"share_of_voice_exceeds_typical" as boolean), cast($1:"share_of_voice_effect_15_28" as double), cast($1:"share_of_voice_effect_29_56" as double), cast($1:"not_judged" as varchar), cast($1:"days_before" as bigint), cast($1:"days_after" as bigint), cast($1:"other_actions_count" as bigint), cast($1:"prompt_set_changed" as boolean), cast($1:"is_final" as boolean), regexp_substr(metadata$filename, '[^/]+$')
from @answerlake.export/action_group_impact/ (file_format => 'answerlake.rows_format')
where regexp_substr(metadata$filename, '[^/]+$') in (select file_name from answerlake.manifest where table_name = 'action_group_impact')
  and regexp_substr(metadata$filename, '[^/]+$') not in (select file_name from answerlake.action_group_impact);

delete from answerlake.action_impact where file_name not in (select file_name from answerlake.manifest where table_name = 'action_impact');
insert into answerlake.action_impact ("PROJECT_ID", "PROJECT_NAME", "EVENT_ID", "ACTION_ID", "ACTION_TYPE", "ACTION_TITLE", "DATE", "OCCURRED_AT", "OVERLAP_GROUP_ID", "VISIBILITY_BEFORE", "VISIBILITY_AFTER", "VISIBILITY_CHANGE", "VISIBILITY_TYPICAL_CHANGE", "VISIBILITY_EFFECT", "VISIBILITY_EFFECT_LOW", "VISIBILITY_EFFECT_HIGH", "VISIBILITY_IS_CLEAR", "VISIBILITY_EXCEEDS_TYPICAL", "SENTIMENT_BEFORE", "SENTIMENT_AFTER", "SENTIMENT_CHANGE", "SENTIMENT_TYPICAL_CHANGE", "SENTIMENT_EFFECT", "SENTIMENT_EFFECT_LOW", "SENTIMENT_EFFECT_HIGH", "SENTIMENT_IS_CLEAR", "SENTIMENT_EXCEEDS_TYPICAL", "SHARE_OF_VOICE_BEFORE_PCT", "SHARE_OF_VOICE_AFTER_PCT", "SHARE_OF_VOICE_CHANGE_POINTS", "SHARE_OF_VOICE_TYPICAL_CHANGE", "SHARE_OF_VOICE_EFFECT", "SHARE_OF_VOICE_EFFECT_LOW", "SHARE_OF_VOICE_EFFECT_HIGH", "SHARE_OF_VOICE_IS_CLEAR", "SHARE_OF_VOICE_EXCEEDS_TYPICAL", "NOT_JUDGED", "DAYS_BEFORE", "DAYS_AFTER", "SENTIMENT_DAYS_BEFORE", "SENTIMENT_DAYS_AFTER", "SHARE_OF_VOICE_DAYS_BEFORE", "SHARE_OF_VOICE_DAYS_AFTER", "OTHER_EVENTS_COUNT", "OTHER_ACTIONS_COUNT", "PROMPT_SET_CHANGED", "IS_COMPARABLE", "IS_FINAL", file_name)
select cast($1:"project_id" as varchar), cast($1:"project_name" as varchar), cast($1:"event_id" as varchar), cast($1:"action_id" as varchar), cast($1:"action_type" as varchar), cast($1:"action_title" as varchar), cast($1:"date" as date), cast($1:"occurred_at" as timestamp_ntz), cast($1:"overlap_group_id" as varchar), cast($1:"visibility_before" as double), cast($1:"visibility_after" as double), cast($1:"visibility_change" as double), cast($1:"visibility_typical_change" as double), cast($1:"visibility_effect" as double), cast($1:"visibility_effect_low" as double), cast($1:"visibility_effect_high" as double), cast($1:"visibility_is_clear" as boolean), cast($1:"visibility_exceeds_typical" as boolean), cast($1:"sentiment_before" as double), cast($1:"sentiment_after" as double), cast($1:"sentiment_change" as double), cast($1:"sentiment_typical_change" as double), cast($1:"sentiment_effect" as double), cast($1:"sentiment_effect_low" as double), cast($1:"sentiment_effect_high" as double), cast($1:"sentiment_is_clear" as boolean), cast($1:"sentiment_exceeds_typical" as boolean), cast($1:"share_of_voice_before_pct" as double), cast($1:"share_of_voice_after_pct" as double), cast($1:"share_of_voice_change_points" as double), cast($1:"share_of_voice_typical_change" as double), cast($1:"share_of_voice_effect" as double), cast($1:"share_of_voice_effect_low" as double), cast($1:"share_of_voice_effect_high" as double), cast($1:"share_of_voice_is_clear" as boolean), cast($1:"share_of_voice_exceeds_typical" as boolean), cast($1:"not_judged" as varchar), cast($1:"days_before" as bigint), cast($1:"days_after" as bigint), cast($1:"sentiment_days_before" as bigint), cast($1:"sentiment_days_after" as bigint), cast($1:"share_of_voice_days_before" as bigint), cast($1:"share_of_voice_days_after" as bigint), cast($1:"other_events_count" as bigint), cast($1:"other_actions_count" as bigint), cast($1:"prompt_set_changed" as boolean), cast($1:"is_comparable" as boolean), cast($1:"is_final" as boolean), regexp_substr(metadata$filename, '[^/]+$')
from @answerlake.export/action_impact/ (file_format => 'answerlake.rows_format')
where regexp_substr(metadata$filename, '[^/]+$') in (select file_name from answerlake.manifest where table_name = 'action_impact')
  and regexp_substr(metadata$filename, '[^/]+$') not in (select file_name from answerlake.action_impact);

delete from answerlake.action_type_impact where file_name not in (select file_name from answerlake.manifest where table_name = 'action_type_impact');
insert into answerlake.action_type_impact ("PROJECT_ID", "PROJECT_NAME", "ACTION_TYPE", "MEASURE", "ACTIONS_COUNT", "JUDGED_COUNT", "MEAN_EFFECT", "EFFECT_LOW", "EFFECT_HIGH", "IS_CLEAR", file_name)
select cast($1:"project_id" as varchar), cast($1:"project_name" as varchar), cast($1:"action_type" as varchar), cast($1:"measure" as varchar), cast($1:"actions_count" as bigint), cast($1:"judged_count" as bigint), cast($1:"mean_effect" as double), cast($1:"effect_low" as double), cast($1:"effect_high" as double), cast($1:"is_clear" as boolean), regexp_substr(metadata$filename, '[^/]+$')
from @answerlake.export/action_type_impact/ (file_format => 'answerlake.rows_format')
where regexp_substr(metadata$filename, '[^/]+$') in (select file_name from answerlake.manifest where table_name = 'action_type_impact')
  and regexp_substr(metadata$filename, '[^/]+$') not in (select file_name from answerlake.action_type_impact);

delete from answerlake.ai_traffic where file_name not in (select file_name from answerlake.manifest where table_name = 'ai_traffic');
insert into answerlake.ai_traffic ("PROJECT_ID", "PROJECT_NAME", "DATE", "SOURCE_KIND", "SOURCE", "CRAWLER_REQUESTS_COUNT", "AI_VISITS_COUNT", "IS_FINAL", "CHANGED_AT", "FINAL_ON", file_name)
select cast($1:"project_id" as varchar), cast($1:"project_name" as varchar), cast($1:"date" as date), cast($1:"source_kind" as varchar), cast($1:"source" as varchar), cast($1:"crawler_requests_count" as bigint), cast($1:"ai_visits_count" as bigint), cast($1:"is_final" as boolean), cast($1:"changed_at" as timestamp_ntz), cast($1:"final_on" as date), regexp_substr(metadata$filename, '[^/]+$')
from @answerlake.export/ai_traffic/ (file_format => 'answerlake.rows_format')
where regexp_substr(metadata$filename, '[^/]+$') in (select file_name from answerlake.manifest where table_name = 'ai_traffic')
  and regexp_substr(metadata$filename, '[^/]+$') not in (select file_name from answerlake.ai_traffic);

delete from answerlake.ai_vendors where file_name not in (select file_name from answerlake.manifest where table_name = 'ai_vendors');
insert into answerlake.ai_vendors ("SOURCE_KIND", "SOURCE", "SOURCE_KEY", "VENDOR", "PURPOSE", file_name)
select cast($1:"source_kind" as varchar), cast($1:"source" as varchar), cast($1:"source_key" as varchar), cast($1:"vendor" as varchar), cast($1:"purpose" as varchar), regexp_substr(metadata$filename, '[^/]+$')
from @answerlake.export/ai_vendors/ (file_format => 'answerlake.rows_format')
where regexp_substr(metadata$filename, '[^/]+$') in (select file_name from answerlake.manifest where table_name = 'ai_vendors')
  and regexp_substr(metadata$filename, '[^/]+$') not in (select file_name from answerlake.ai_vendors);

delete from answerlake.anomalies where file_name not in (select file_name from answerlake.manifest where table_name = 'anomalies');
insert into answerlake.anomalies ("PROJECT_ID", "PROJECT_NAME", "MEASURE", "DATE", "VALUE", "EXPECTED_VALUE", "DEVIATIONS", "IS_FINAL", file_name)
select cast($1:"project_id" as varchar), cast($1:"project_name" as varchar), cast($1:"measure" as varchar), cast($1:"date" as date), cast($1:"value" as double), cast($1:"expected_value" as double), cast($1:"deviations" as double), cast($1:"is_final" as boolean), regexp_substr(metadata$filename, '[^/]+$')
from @answerlake.export/anomalies/ (file_format => 'answerlake.rows_format')
where regexp_substr(metadata$filename, '[^/]+$') in (select file_name from answerlake.manifest where table_name = 'anomalies')
  and regexp_substr(metadata$filename, '[^/]+$') not in (select file_name from answerlake.anomalies);

delete from answerlake.brand_mention_share where file_name not in (select file_name from answerlake.manifest where table_name = 'brand_mention_share');
insert into answerlake.brand_mention_share ("PROJECT_ID", "PROJECT_NAME", "DATE", "BRAND_ID", "BRAND_NAME", "RELATION", "IS_OWN_BRAND", "MENTION_COUNT", "ALL_MENTION_COUNT", "MENTION_SHARE_PCT", "MENTION_SHARE_PCT_LOW", "MENTION_SHARE_PCT_HIGH", "OWN_MENTION_SHARE_PCT", "MENTION_RANK", "IS_FINAL", "CHANGED_AT", "FINAL_ON", file_name)
select cast($1:"project_id" as varchar), cast($1:"project_name" as varchar), cast($1:"date" as date), cast($1:"brand_id" as varchar), cast($1:"brand_name" as varchar), cast($1:"relation" as varchar), cast($1:"is_own_brand" as boolean), cast($1:"mention_count" as bigint), cast($1:"all_mention_count" as bigint), cast($1:"mention_share_pct" as double), cast($1:"mention_share_pct_low" as double), cast($1:"mention_share_pct_high" as double), cast($1:"own_mention_share_pct" as double), cast($1:"mention_rank" as bigint), cast($1:"is_final" as boolean), cast($1:"changed_at" as timestamp_ntz), cast($1:"final_on" as date), regexp_substr(metadata$filename, '[^/]+$')
from @answerlake.export/brand_mention_share/ (file_format => 'answerlake.rows_format')
where regexp_substr(metadata$filename, '[^/]+$') in (select file_name from answerlake.manifest where table_name = 'brand_mention_share')
  and regexp_substr(metadata$filename, '[^/]+$') not in (select file_name from answerlake.brand_mention_share);

delete from answerlake.brand_visibility_trend where file_name not in (select file_name from answerlake.manifest where table_name = 'brand_visibility_trend');
insert into answerlake.brand_visibility_trend ("PROJECT_ID", "PROJECT_NAME", "DATE", "BRAND_ID", "BRAND_NAME", "BRAND_DOMAIN", "RELATION", "IS_OWN_BRAND", "VISIBILITY_PCT", "AVERAGE_VISIBILITY", "MENTION_COUNT", "ALL_RESPONSES", "OWN_VISIBILITY_PCT", "OWN_AVERAGE_VISIBILITY", "OWN_MENTION_COUNT", "GAP_POINTS", "IS_FINAL", "CHANGED_AT", "FINAL_ON", file_name)
select cast($1:"project_id" as varchar), cast($1:"project_name" as varchar), cast($1:"date" as date), cast($1:"brand_id" as varchar), cast($1:"brand_name" as varchar), cast($1:"brand_domain" as varchar), cast($1:"relation" as varchar), cast($1:"is_own_brand" as boolean), cast($1:"visibility_pct" as double), cast($1:"average_visibility" as double), cast($1:"mention_count" as bigint), cast($1:"all_responses" as bigint), cast($1:"own_visibility_pct" as double), cast($1:"own_average_visibility" as double), cast($1:"own_mention_count" as bigint), cast($1:"gap_points" as double), cast($1:"is_final" as boolean), cast($1:"changed_at" as timestamp_ntz), cast($1:"final_on" as date), regexp_substr(metadata$filename, '[^/]+$')
from @answerlake.export/brand_visibility_trend/ (file_format => 'answerlake.rows_format')
where regexp_substr(metadata$filename, '[^/]+$') in (select file_name from answerlake.manifest where table_name = 'brand_visibility_trend')
  and regexp_substr(metadata$filename, '[^/]+$') not in (select file_name from answerlake.brand_visibility_trend);

delete from answerlake.brands where file_name not in (select file_name from answerlake.manifest where table_name = 'brands');
insert into answerlake.brands ("PROJECT_ID", "PROJECT_NAME", "BRAND_ID", "BRAND_NAME", "BRAND_DOMAIN", "RELATION", "IS_OWN_BRAND", file_name)
select cast($1:"project_id" as varchar), cast($1:"project_name" as varchar), cast($1:"brand_id" as varchar), cast($1:"brand_name" as varchar), cast($1:"brand_domain" as varchar), cast($1:"relation" as varchar), cast($1:"is_own_brand" as boolean), regexp_substr(metadata$filename, '[^/]+$')
from @answerlake.export/brands/ (file_format => 'answerlake.rows_format')
where regexp_substr(metadata$filename, '[^/]+$') in (select file_name from answerlake.manifest where table_name = 'brands')
  and regexp_substr(metadata$filename, '[^/]+$') not in (select file_name from answerlake.brands);

delete from answerlake.calendar where file_name not in (select file_name from answerlake.manifest where table_name = 'calendar');
insert into answerlake.calendar ("DATE", "ISO_YEAR", "ISO_WEEK", "ISO_DAY_OF_WEEK", "DAY_NAME", "WEEK_START", "MONTH_START", "QUARTER_START", "YEAR", "MONTH", "IS_WEEKEND", "IS_WHOLE_DAY", file_name)
select cast($1:"date" as date), cast($1:"iso_year" as integer), cast($1:"iso_week" as integer), cast($1:"iso_day_of_week" as integer), cast($1:"day_name" as varchar), cast($1:"week_start" as date), cast($1:"month_start" as date), cast($1:"quarter_start" as date), cast($1:"year" as integer), cast($1:"month" as integer), cast($1:"is_weekend" as boolean), cast($1:"is_whole_day" as boolean), regexp_substr(metadata$filename, '[^/]+$')
from @answerlake.export/calendar/ (file_format => 'answerlake.rows_format')
where regexp_substr(metadata$filename, '[^/]+$') in (select file_name from answerlake.manifest where table_name = 'calendar')
  and regexp_substr(metadata$filename, '[^/]+$') not in (select file_name from answerlake.calendar);

delete from answerlake.citation_rank_trend where file_name not in (select file_name from answerlake.manifest where table_name = 'citation_rank_trend');
insert into answerlake.citation_rank_trend ("PROJECT_ID", "PROJECT_NAME", "DATE", "CITATIONS_COUNT", "RANKED_CITATIONS_COUNT", "RANKED_CITATIONS_PCT", "AVERAGE_CITATION_RANK", "BEST_CITATION_RANK", "WORST_CITATION_RANK", "PREVIOUS_DATE", "PREVIOUS_AVERAGE_CITATION_RANK", "AVERAGE_CITATION_RANK_CHANGE", "IS_FINAL", "CHANGED_AT", "FINAL_ON", file_name)
select cast($1:"project_id" as varchar), cast($1:"project_name" as varchar), cast($1:"date" as date), cast($1:"citations_count" as bigint), cast($1:"ranked_citations_count" as bigint), cast($1:"ranked_citations_pct" as double), cast($1:"average_citation_rank" as double), cast($1:"best_citation_rank" as double), cast($1:"worst_citation_rank" as double), cast($1:"previous_date" as date), cast($1:"previous_average_citation_rank" as double), cast($1:"average_citation_rank_change" as double), cast($1:"is_final" as boolean), cast($1:"changed_at" as timestamp_ntz), cast($1:"final_on" as date), regexp_substr(metadata$filename, '[^/]+$')
from @answerlake.export/citation_rank_trend/ (file_format => 'answerlake.rows_format')
where regexp_substr(metadata$filename, '[^/]+$') in (select file_name from answerlake.manifest where table_name = 'citation_rank_trend')
  and regexp_substr(metadata$filename, '[^/]+$') not in (select file_name from answerlake.citation_rank_trend);

delete from answerlake.cited_domains where file_name not in (select file_name from answerlake.manifest where table_name = 'cited_domains');
insert into answerlake.cited_domains ("PROJECT_ID", "PROJECT_NAME", "WINDOW_START", "WINDOW_END", "DAYS_IN_WINDOW", "DOMAIN", "IS_OWN_DOMAIN", "DOMAIN_STATUS", "CITATIONS_COUNT", "CITATIONS_SHARE_PCT", "AVERAGE_CITATION_RANK", "PREVIOUS_CITATIONS_COUNT", "PREVIOUS_DAYS_IN_WINDOW", "CITATIONS_CHANGE", "CITATIONS_PER_DAY_CHANGE", "PREVIOUS_AVERAGE_CITATION_RANK", "WINDOW_CITATIONS_COUNT", "CHANGED_AT", "FINAL_ON", file_name)
select cast($1:"project_id" as varchar), cast($1:"project_name" as varchar), cast($1:"window_start" as date), cast($1:"window_end" as date), cast($1:"days_in_window" as integer), cast($1:"domain" as varchar), cast($1:"is_own_domain" as boolean), cast($1:"domain_status" as varchar), cast($1:"citations_count" as bigint), cast($1:"citations_share_pct" as double), cast($1:"average_citation_rank" as double), cast($1:"previous_citations_count" as bigint), cast($1:"previous_days_in_window" as integer), cast($1:"citations_change" as bigint), cast($1:"citations_per_day_change" as double), cast($1:"previous_average_citation_rank" as double), cast($1:"window_citations_count" as bigint), cast($1:"changed_at" as timestamp_ntz), cast($1:"final_on" as date), regexp_substr(metadata$filename, '[^/]+$')
from @answerlake.export/cited_domains/ (file_format => 'answerlake.rows_format')
where regexp_substr(metadata$filename, '[^/]+$') in (select file_name from answerlake.manifest where table_name = 'cited_domains')
  and regexp_substr(metadata$filename, '[^/]+$') not in (select file_name from answerlake.cited_domains);

delete from answerlake.competitor_gap where file_name not in (select file_name from answerlake.manifest where table_name = 'competitor_gap');
insert into answerlake.competitor_gap ("PROJECT_ID", "PROJECT_NAME", "DATE", "COMPETITOR_BRAND_ID", "COMPETITOR_NAME", "COMPETITOR_DOMAIN", "RELATION", "COMPETITOR_VISIBILITY_PCT", "OWN_VISIBILITY_PCT", "GAP_POINTS", "COMPETITOR_AVERAGE_VISIBILITY", "OWN_AVERAGE_VISIBILITY", "SCORE_GAP", "COMPETITOR_MENTION_COUNT", "OWN_MENTION_COUNT", "IS_OWN_BRAND_AHEAD", "IS_FINAL", "CHANGED_AT", "FINAL_ON", file_name)
select cast($1:"project_id" as varchar), cast($1:"project_name" as varchar), cast($1:"date" as date), cast($1:"competitor_brand_id" as varchar), cast($1:"competitor_name" as varchar), cast($1:"competitor_domain" as varchar), cast($1:"relation" as varchar), cast($1:"competitor_visibility_pct" as double), cast($1:"own_visibility_pct" as double), cast($1:"gap_points" as double), cast($1:"competitor_average_visibility" as double), cast($1:"own_average_visibility" as double), cast($1:"score_gap" as double), cast($1:"competitor_mention_count" as bigint), cast($1:"own_mention_count" as bigint), cast($1:"is_own_brand_ahead" as boolean), cast($1:"is_final" as boolean), cast($1:"changed_at" as timestamp_ntz), cast($1:"final_on" as date), regexp_substr(metadata$filename, '[^/]+$')
from @answerlake.export/competitor_gap/ (file_format => 'answerlake.rows_format')
where regexp_substr(metadata$filename, '[^/]+$') in (select file_name from answerlake.manifest where table_name = 'competitor_gap')
  and regexp_substr(metadata$filename, '[^/]+$') not in (select file_name from answerlake.competitor_gap);

delete from answerlake.competitor_heatmap_latest where file_name not in (select file_name from answerlake.manifest where table_name = 'competitor_heatmap_latest');
insert into answerlake.competitor_heatmap_latest ("PROJECT_ID", "PROJECT_NAME", "WINDOW_START", "WINDOW_END", "COMPETITOR_NAME", "COMPETITOR_DOMAIN", "RELATION", "IS_OWN_BRAND", "COMPETITOR_RANK", "MODEL_ID", "MODEL_NAME", "IS_DEPRECATED_MODEL", "VISIBILITY_PCT", "OWN_VISIBILITY_PCT", "GAP_POINTS", "CHANGED_AT", "FINAL_ON", file_name)
select cast($1:"project_id" as varchar), cast($1:"project_name" as varchar), cast($1:"window_start" as date), cast($1:"window_end" as date), cast($1:"competitor_name" as varchar), cast($1:"competitor_domain" as varchar), cast($1:"relation" as varchar), cast($1:"is_own_brand" as boolean), cast($1:"competitor_rank" as bigint), cast($1:"model_id" as varchar), cast($1:"model_name" as varchar), cast($1:"is_deprecated_model" as boolean), cast($1:"visibility_pct" as double), cast($1:"own_visibility_pct" as double), cast($1:"gap_points" as double), cast($1:"changed_at" as timestamp_ntz), cast($1:"final_on" as date), regexp_substr(metadata$filename, '[^/]+$')
from @answerlake.export/competitor_heatmap_latest/ (file_format => 'answerlake.rows_format')
where regexp_substr(metadata$filename, '[^/]+$') in (select file_name from answerlake.manifest where table_name = 'competitor_heatmap_latest')
  and regexp_substr(metadata$filename, '[^/]+$') not in (select file_name from answerlake.competitor_heatmap_latest);

delete from answerlake.competitor_heatmap_trend where file_name not in (select file_name from answerlake.manifest where table_name = 'competitor_heatmap_trend');
insert into answerlake.competitor_heatmap_trend ("PROJECT_ID", "PROJECT_NAME", "WINDOW_START", "WINDOW_END", "DAYS_IN_WINDOW", "COMPETITOR_NAME", "COMPETITOR_DOMAIN", "RELATION", "IS_OWN_BRAND", "COMPETITOR_RANK", "MODEL_ID", "MODEL_NAME", "IS_DEPRECATED_MODEL", "VISIBILITY_PCT", "OWN_VISIBILITY_PCT", "GAP_POINTS", "PREVIOUS_VISIBILITY_PCT", "CHANGE_POINTS", "CHANGED_AT", "FINAL_ON", file_name)
select cast($1:"project_id" as varchar), cast($1:"project_name" as varchar), cast($1:"window_start" as date), cast($1:"window_end" as date), cast($1:"days_in_window" as integer), cast($1:"competitor_name" as varchar), cast($1:"competitor_domain" as varchar), cast($1:"relation" as varchar), cast($1:"is_own_brand" as boolean), cast($1:"competitor_rank" as bigint), cast($1:"model_id" as varchar), cast($1:"model_name" as varchar), cast($1:"is_deprecated_model" as boolean), cast($1:"visibility_pct" as double), cast($1:"own_visibility_pct" as double), cast($1:"gap_points" as double), cast($1:"previous_visibility_pct" as double), cast($1:"change_points" as double), cast($1:"changed_at" as timestamp_ntz), cast($1:"final_on" as date), regexp_substr(metadata$filename, '[^/]+$')
from @answerlake.export/competitor_heatmap_trend/ (file_format => 'answerlake.rows_format')
where regexp_substr(metadata$filename, '[^/]+$') in (select file_name from answerlake.manifest where table_name = 'competitor_heatmap_trend')
  and regexp_substr(metadata$filename, '[^/]+$') not in (select file_name from answerlake.competitor_heatmap_trend);

delete from answerlake.competitor_mention_trend where file_name not in (select file_name from answerlake.manifest where table_name = 'competitor_mention_trend');
insert into answerlake.competitor_mention_trend ("PROJECT_ID", "PROJECT_NAME", "WINDOW_START", "WINDOW_END", "DAYS_IN_WINDOW", "COMPETITOR", "IS_TRACKED", "MENTION_COUNT", "MENTION_SHARE_PCT", "PREVIOUS_MENTION_COUNT", "PREVIOUS_MENTION_SHARE_PCT", "CHANGED_AT", "FINAL_ON", file_name)
select cast($1:"project_id" as varchar), cast($1:"project_name" as varchar), cast($1:"window_start" as date), cast($1:"window_end" as date), cast($1:"days_in_window" as integer), cast($1:"competitor" as varchar), cast($1:"is_tracked" as boolean), cast($1:"mention_count" as bigint), cast($1:"mention_share_pct" as double), cast($1:"previous_mention_count" as bigint), cast($1:"previous_mention_share_pct" as double), cast($1:"changed_at" as timestamp_ntz), cast($1:"final_on" as date), regexp_substr(metadata$filename, '[^/]+$')
from @answerlake.export/competitor_mention_trend/ (file_format => 'answerlake.rows_format')
where regexp_substr(metadata$filename, '[^/]+$') in (select file_name from answerlake.manifest where table_name = 'competitor_mention_trend')
  and regexp_substr(metadata$filename, '[^/]+$') not in (select file_name from answerlake.competitor_mention_trend);

delete from answerlake.crawler_page_trend where file_name not in (select file_name from answerlake.manifest where table_name = 'crawler_page_trend');
insert into answerlake.crawler_page_trend ("PROJECT_ID", "PROJECT_NAME", "WINDOW_START", "WINDOW_END", "DAYS_IN_WINDOW", "REQUEST_PATH", "CRAWLER_REQUESTS_COUNT", "LISTED_SHARE_PCT", "UNIQUE_CRAWLERS_COUNT", "PREVIOUS_CRAWLER_REQUESTS_COUNT", "PREVIOUS_DAYS_IN_WINDOW", "CRAWLER_REQUESTS_CHANGE", "CRAWLER_REQUESTS_PER_DAY_CHANGE", "CHANGED_AT", "FINAL_ON", file_name)
select cast($1:"project_id" as varchar), cast($1:"project_name" as varchar), cast($1:"window_start" as date), cast($1:"window_end" as date), cast($1:"days_in_window" as integer), cast($1:"request_path" as varchar), cast($1:"crawler_requests_count" as bigint), cast($1:"listed_share_pct" as double), cast($1:"unique_crawlers_count" as bigint), cast($1:"previous_crawler_requests_count" as bigint), cast($1:"previous_days_in_window" as integer), cast($1:"crawler_requests_change" as bigint), cast($1:"crawler_requests_per_day_change" as double), cast($1:"changed_at" as timestamp_ntz), cast($1:"final_on" as date), regexp_substr(metadata$filename, '[^/]+$')
from @answerlake.export/crawler_page_trend/ (file_format => 'answerlake.rows_format')
where regexp_substr(metadata$filename, '[^/]+$') in (select file_name from answerlake.manifest where table_name = 'crawler_page_trend')
  and regexp_substr(metadata$filename, '[^/]+$') not in (select file_name from answerlake.crawler_page_trend);

delete from answerlake.crawler_pages where file_name not in (select file_name from answerlake.manifest where table_name = 'crawler_pages');
insert into answerlake.crawler_pages ("PROJECT_ID", "PROJECT_NAME", "WINDOW_START", "WINDOW_END", "REQUEST_PATH", "CRAWLER_REQUESTS_COUNT", "REQUESTS_RANK", "UNIQUE_CRAWLERS_COUNT", "CRAWLERS", "CHANGED_AT", "FINAL_ON", file_name)
select cast($1:"project_id" as varchar), cast($1:"project_name" as varchar), cast($1:"window_start" as date), cast($1:"window_end" as date), cast($1:"request_path" as varchar), cast($1:"crawler_requests_count" as bigint), cast($1:"requests_rank" as bigint), cast($1:"unique_crawlers_count" as bigint), cast($1:"crawlers" as varchar), cast($1:"changed_at" as timestamp_ntz), cast($1:"final_on" as date), regexp_substr(metadata$filename, '[^/]+$')
from @answerlake.export/crawler_pages/ (file_format => 'answerlake.rows_format')
where regexp_substr(metadata$filename, '[^/]+$') in (select file_name from answerlake.manifest where table_name = 'crawler_pages')
  and regexp_substr(metadata$filename, '[^/]+$') not in (select file_name from answerlake.crawler_pages);

delete from answerlake.crawler_visitor_funnel where file_name not in (select file_name from answerlake.manifest where table_name = 'crawler_visitor_funnel');
insert into answerlake.crawler_visitor_funnel ("PROJECT_ID", "PROJECT_NAME", "DATE", "VENDOR", "IS_KNOWN_VENDOR", "TRAINING_REQUESTS_COUNT", "SEARCH_REQUESTS_COUNT", "USER_REQUESTS_COUNT", "OTHER_REQUESTS_COUNT", "CRAWLER_REQUESTS_COUNT", "AI_VISITS_COUNT", "IS_FINAL", "CHANGED_AT", "FINAL_ON", file_name)
select cast($1:"project_id" as varchar), cast($1:"project_name" as varchar), cast($1:"date" as date), cast($1:"vendor" as varchar), cast($1:"is_known_vendor" as boolean), cast($1:"training_requests_count" as bigint), cast($1:"search_requests_count" as bigint), cast($1:"user_requests_count" as bigint), cast($1:"other_requests_count" as bigint), cast($1:"crawler_requests_count" as bigint), cast($1:"ai_visits_count" as bigint), cast($1:"is_final" as boolean), cast($1:"changed_at" as timestamp_ntz), cast($1:"final_on" as date), regexp_substr(metadata$filename, '[^/]+$')
from @answerlake.export/crawler_visitor_funnel/ (file_format => 'answerlake.rows_format')
where regexp_substr(metadata$filename, '[^/]+$') in (select file_name from answerlake.manifest where table_name = 'crawler_visitor_funnel')
  and regexp_substr(metadata$filename, '[^/]+$') not in (select file_name from answerlake.crawler_visitor_funnel);

delete from answerlake.daily_kpis where file_name not in (select file_name from answerlake.manifest where table_name = 'daily_kpis');
insert into answerlake.daily_kpis ("PROJECT_ID", "PROJECT_NAME", "DATE", "VISIBILITY", "SENTIMENT", "SHARE_OF_VOICE_PCT", "ORGANIC_RESPONSES", "ORGANIC_BRAND_MENTIONS", "POSITIVE_COUNT", "NEGATIVE_COUNT", "NEUTRAL_COUNT", "UNKNOWN_COUNT", "KNOWN_COUNT", "NET_SENTIMENT_PCT", "NET_SENTIMENT_KNOWN_PCT", "CITATIONS_COUNT", "AVERAGE_CITATION_RANK", "CRAWLER_REQUESTS_COUNT", "AI_VISITS_COUNT", "ACTIONS_COMPLETED", "PROMPTS_CREATED", "PROMPTS_DELETED", "EVENT_TITLES", "TRAFFIC_TIMEZONE", "IS_FINAL", "CHANGED_AT", "FINAL_ON", file_name)
select cast($1:"project_id" as varchar), cast($1:"project_name" as varchar), cast($1:"date" as date), cast($1:"visibility" as double), cast($1:"sentiment" as double), cast($1:"share_of_voice_pct" as double), cast($1:"organic_responses" as bigint), cast($1:"organic_brand_mentions" as bigint), cast($1:"positive_count" as bigint), cast($1:"negative_count" as bigint), cast($1:"neutral_count" as bigint), cast($1:"unknown_count" as bigint), cast($1:"known_count" as bigint), cast($1:"net_sentiment_pct" as double), cast($1:"net_sentiment_known_pct" as double), cast($1:"citations_count" as bigint), cast($1:"average_citation_rank" as double), cast($1:"crawler_requests_count" as bigint), cast($1:"ai_visits_count" as bigint), cast($1:"actions_completed" as bigint), cast($1:"prompts_created" as bigint), cast($1:"prompts_deleted" as bigint), cast($1:"event_titles" as varchar), cast($1:"traffic_timezone" as varchar), cast($1:"is_final" as boolean), cast($1:"changed_at" as timestamp_ntz), cast($1:"final_on" as date), regexp_substr(metadata$filename, '[^/]+$')
from @answerlake.export/daily_kpis/ (file_format => 'answerlake.rows_format')
where regexp_substr(metadata$filename, '[^/]+$') in (select file_name from answerlake.manifest where table_name = 'daily_kpis')
  and regexp_substr(metadata$filename, '[^/]+$') not in (select file_name from answerlake.daily_kpis);

delete from answerlake.deleted_rows where file_name not in (select file_name from answerlake.manifest where table_name = 'deleted_rows');
insert into answerlake.deleted_rows ("SCHEMA_NAME", "VIEW_NAME", "KEY", "PROJECT_ID", "DATE", "DELETED_AT", file_name)
select cast($1:"schema_name" as varchar), cast($1:"view_name" as varchar), cast($1:"key" as varchar), cast($1:"project_id" as varchar), cast($1:"date" as date), cast($1:"deleted_at" as timestamp_ntz), regexp_substr(metadata$filename, '[^/]+$')
from @answerlake.export/deleted_rows/ (file_format => 'answerlake.rows_format')
where regexp_substr(metadata$filename, '[^/]+$') in (select file_name from answerlake.manifest where table_name = 'deleted_rows')
  and regexp_substr(metadata$filename, '[^/]+$') not in (select file_name from answerlake.deleted_rows);

delete from answerlake.domain_citation_trend where file_name not in (select file_name from answerlake.manifest where table_name = 'domain_citation_trend');
insert into answerlake.domain_citation_trend ("PROJECT_ID", "PROJECT_NAME", "DATE", "DOMAIN", "IS_OWN_DOMAIN", "CITATIONS_COUNT", "LISTED_CITATIONS_COUNT", "LISTED_CITATIONS_SHARE_PCT", "OWN_CITATIONS_COUNT", "OWN_CITATIONS_SHARE_PCT", "PREVIOUS_DATE", "PREVIOUS_CITATIONS_COUNT", "CITATIONS_CHANGE", "LAST_TOLD_ON", "IS_FINAL", "CHANGED_AT", "FINAL_ON", file_name)
select cast($1:"project_id" as varchar), cast($1:"project_name" as varchar), cast($1:"date" as date), cast($1:"domain" as varchar), cast($1:"is_own_domain" as boolean), cast($1:"citations_count" as bigint), cast($1:"listed_citations_count" as bigint), cast($1:"listed_citations_share_pct" as double), cast($1:"own_citations_count" as bigint), cast($1:"own_citations_share_pct" as double), cast($1:"previous_date" as date), cast($1:"previous_citations_count" as bigint), cast($1:"citations_change" as bigint), cast($1:"last_told_on" as date), cast($1:"is_final" as boolean), cast($1:"changed_at" as timestamp_ntz), cast($1:"final_on" as date), regexp_substr(metadata$filename, '[^/]+$')
from @answerlake.export/domain_citation_trend/ (file_format => 'answerlake.rows_format')
where regexp_substr(metadata$filename, '[^/]+$') in (select file_name from answerlake.manifest where table_name = 'domain_citation_trend')
  and regexp_substr(metadata$filename, '[^/]+$') not in (select file_name from answerlake.domain_citation_trend);

delete from answerlake.event_annotations where file_name not in (select file_name from answerlake.manifest where table_name = 'event_annotations');
insert into answerlake.event_annotations ("PROJECT_ID", "PROJECT_NAME", "EVENT_ID", "TIME", "DATE", "TITLE", "TEXT", "TAGS", "TYPE", "ACTION_ID", "ACTION_TYPE", "MONITOR_ID", "MONITOR_NAME", "PROMPT_COUNT", file_name)
select cast($1:"project_id" as varchar), cast($1:"project_name" as varchar), cast($1:"event_id" as varchar), cast($1:"time" as timestamp_ntz), cast($1:"date" as date), cast($1:"title" as varchar), cast($1:"text" as varchar), cast($1:"tags" as varchar), cast($1:"type" as varchar), cast($1:"action_id" as varchar), cast($1:"action_type" as varchar), cast($1:"monitor_id" as varchar), cast($1:"monitor_name" as varchar), cast($1:"prompt_count" as bigint), regexp_substr(metadata$filename, '[^/]+$')
from @answerlake.export/event_annotations/ (file_format => 'answerlake.rows_format')
where regexp_substr(metadata$filename, '[^/]+$') in (select file_name from answerlake.manifest where table_name = 'event_annotations')
  and regexp_substr(metadata$filename, '[^/]+$') not in (select file_name from answerlake.event_annotations);

delete from answerlake.kpi_changes where file_name not in (select file_name from answerlake.manifest where table_name = 'kpi_changes');
insert into answerlake.kpi_changes ("PROJECT_ID", "PROJECT_NAME", "MEASURE", "WINDOW_DAYS", "LAST_DATE", "VALUE", "PREVIOUS_VALUE", "CHANGE", "CHANGE_LOW", "CHANGE_HIGH", "TYPICAL_CHANGE", "DRIFT", "IS_CLEAR", "DAYS_WITH_VALUE", "PREVIOUS_DAYS_WITH_VALUE", file_name)
select cast($1:"project_id" as varchar), cast($1:"project_name" as varchar), cast($1:"measure" as varchar), cast($1:"window_days" as integer), cast($1:"last_date" as date), cast($1:"value" as double), cast($1:"previous_value" as double), cast($1:"change" as double), cast($1:"change_low" as double), cast($1:"change_high" as double), cast($1:"typical_change" as double), cast($1:"drift" as double), cast($1:"is_clear" as boolean), cast($1:"days_with_value" as bigint), cast($1:"previous_days_with_value" as bigint), regexp_substr(metadata$filename, '[^/]+$')
from @answerlake.export/kpi_changes/ (file_format => 'answerlake.rows_format')
where regexp_substr(metadata$filename, '[^/]+$') in (select file_name from answerlake.manifest where table_name = 'kpi_changes')
  and regexp_substr(metadata$filename, '[^/]+$') not in (select file_name from answerlake.kpi_changes);

delete from answerlake.landing_page_days where file_name not in (select file_name from answerlake.manifest where table_name = 'landing_page_days');
insert into answerlake.landing_page_days ("PROJECT_ID", "PROJECT_NAME", "LANDING_PAGE", "DATE", "SOURCE", "AI_VISITS_COUNT", "IS_FINAL", "CHANGED_AT", "FINAL_ON", file_name)
select cast($1:"project_id" as varchar), cast($1:"project_name" as varchar), cast($1:"landing_page" as varchar), cast($1:"date" as date), cast($1:"source" as varchar), cast($1:"ai_visits_count" as bigint), cast($1:"is_final" as boolean), cast($1:"changed_at" as timestamp_ntz), cast($1:"final_on" as date), regexp_substr(metadata$filename, '[^/]+$')
from @answerlake.export/landing_page_days/ (file_format => 'answerlake.rows_format')
where regexp_substr(metadata$filename, '[^/]+$') in (select file_name from answerlake.manifest where table_name = 'landing_page_days')
  and regexp_substr(metadata$filename, '[^/]+$') not in (select file_name from answerlake.landing_page_days);

delete from answerlake.model_kpis where file_name not in (select file_name from answerlake.manifest where table_name = 'model_kpis');
insert into answerlake.model_kpis ("PROJECT_ID", "PROJECT_NAME", "MODEL_ID", "MODEL_NAME", "IS_DEPRECATED_MODEL", "DATE", "VISIBILITY", "SENTIMENT", "SHARE_OF_VOICE_PCT", "ORGANIC_RESPONSES", "ORGANIC_BRAND_MENTIONS", "IS_FINAL", "CHANGED_AT", "FINAL_ON", file_name)
select cast($1:"project_id" as varchar), cast($1:"project_name" as varchar), cast($1:"model_id" as varchar), cast($1:"model_name" as varchar), cast($1:"is_deprecated_model" as boolean), cast($1:"date" as date), cast($1:"visibility" as double), cast($1:"sentiment" as double), cast($1:"share_of_voice_pct" as double), cast($1:"organic_responses" as bigint), cast($1:"organic_brand_mentions" as bigint), cast($1:"is_final" as boolean), cast($1:"changed_at" as timestamp_ntz), cast($1:"final_on" as date), regexp_substr(metadata$filename, '[^/]+$')
from @answerlake.export/model_kpis/ (file_format => 'answerlake.rows_format')
where regexp_substr(metadata$filename, '[^/]+$') in (select file_name from answerlake.manifest where table_name = 'model_kpis')
  and regexp_substr(metadata$filename, '[^/]+$') not in (select file_name from answerlake.model_kpis);

delete from answerlake.model_sources where file_name not in (select file_name from answerlake.manifest where table_name = 'model_sources');
insert into answerlake.model_sources ("PROJECT_ID", "PROJECT_NAME", "WINDOW_START", "WINDOW_END", "DAYS_IN_WINDOW", "MODEL_ID", "MODEL_NAME", "PROVIDER_NAME", "IS_KNOWN_MODEL", "IS_DEPRECATED_MODEL", "CITATIONS_COUNT", "CITATIONS_SHARE_PCT", "UNIQUE_DOMAINS_COUNT", "UNIQUE_PROMPTS_COUNT", "CHANGED_AT", "FINAL_ON", file_name)
select cast($1:"project_id" as varchar), cast($1:"project_name" as varchar), cast($1:"window_start" as date), cast($1:"window_end" as date), cast($1:"days_in_window" as integer), cast($1:"model_id" as varchar), cast($1:"model_name" as varchar), cast($1:"provider_name" as varchar), cast($1:"is_known_model" as boolean), cast($1:"is_deprecated_model" as boolean), cast($1:"citations_count" as bigint), cast($1:"citations_share_pct" as double), cast($1:"unique_domains_count" as bigint), cast($1:"unique_prompts_count" as bigint), cast($1:"changed_at" as timestamp_ntz), cast($1:"final_on" as date), regexp_substr(metadata$filename, '[^/]+$')
from @answerlake.export/model_sources/ (file_format => 'answerlake.rows_format')
where regexp_substr(metadata$filename, '[^/]+$') in (select file_name from answerlake.manifest where table_name = 'model_sources')
  and regexp_substr(metadata$filename, '[^/]+$') not in (select file_name from answerlake.model_sources);

delete from answerlake.models where file_name not in (select file_name from answerlake.manifest where table_name = 'models');
insert into answerlake.models ("MODEL_ID", "MODEL_NAME", "PROVIDER_ID", "PROVIDER_NAME", "PROVIDER_MODEL_NAME", "API_IDENTIFIER", "DESCRIPTION", "IS_SEARCH_ENABLED", "IS_LIVE_SEARCH", "IS_KNOWN_MODEL", "IS_DEPRECATED_MODEL", file_name)
select cast($1:"model_id" as varchar), cast($1:"model_name" as varchar), cast($1:"provider_id" as varchar), cast($1:"provider_name" as varchar), cast($1:"provider_model_name" as varchar), cast($1:"api_identifier" as varchar), cast($1:"description" as varchar), cast($1:"is_search_enabled" as boolean), cast($1:"is_live_search" as boolean), cast($1:"is_known_model" as boolean), cast($1:"is_deprecated_model" as boolean), regexp_substr(metadata$filename, '[^/]+$')
from @answerlake.export/models/ (file_format => 'answerlake.rows_format')
where regexp_substr(metadata$filename, '[^/]+$') in (select file_name from answerlake.manifest where table_name = 'models')
  and regexp_substr(metadata$filename, '[^/]+$') not in (select file_name from answerlake.models);

delete from answerlake.monitor_kpis where file_name not in (select file_name from answerlake.manifest where table_name = 'monitor_kpis');
insert into answerlake.monitor_kpis ("PROJECT_ID", "PROJECT_NAME", "MONITOR_ID", "MONITOR_NAME", "DATE", "VISIBILITY", "SENTIMENT", "SHARE_OF_VOICE_PCT", "ORGANIC_RESPONSES", "ORGANIC_BRAND_MENTIONS", "IS_FINAL", "CHANGED_AT", "FINAL_ON", file_name)
select cast($1:"project_id" as varchar), cast($1:"project_name" as varchar), cast($1:"monitor_id" as varchar), cast($1:"monitor_name" as varchar), cast($1:"date" as date), cast($1:"visibility" as double), cast($1:"sentiment" as double), cast($1:"share_of_voice_pct" as double), cast($1:"organic_responses" as bigint), cast($1:"organic_brand_mentions" as bigint), cast($1:"is_final" as boolean), cast($1:"changed_at" as timestamp_ntz), cast($1:"final_on" as date), regexp_substr(metadata$filename, '[^/]+$')
from @answerlake.export/monitor_kpis/ (file_format => 'answerlake.rows_format')
where regexp_substr(metadata$filename, '[^/]+$') in (select file_name from answerlake.manifest where table_name = 'monitor_kpis')
  and regexp_substr(metadata$filename, '[^/]+$') not in (select file_name from answerlake.monitor_kpis);

delete from answerlake.monitors where file_name not in (select file_name from answerlake.manifest where table_name = 'monitors');
insert into answerlake.monitors ("PROJECT_ID", "PROJECT_NAME", "MONITOR_ID", "MONITOR_NAME", "PROMPTS_COUNT", "ACTIVE_PROMPTS_COUNT", file_name)
select cast($1:"project_id" as varchar), cast($1:"project_name" as varchar), cast($1:"monitor_id" as varchar), cast($1:"monitor_name" as varchar), cast($1:"prompts_count" as bigint), cast($1:"active_prompts_count" as bigint), regexp_substr(metadata$filename, '[^/]+$')
from @answerlake.export/monitors/ (file_format => 'answerlake.rows_format')
where regexp_substr(metadata$filename, '[^/]+$') in (select file_name from answerlake.manifest where table_name = 'monitors')
  and regexp_substr(metadata$filename, '[^/]+$') not in (select file_name from answerlake.monitors);

delete from answerlake.portfolio_changes where file_name not in (select file_name from answerlake.manifest where table_name = 'portfolio_changes');
insert into answerlake.portfolio_changes ("SCOPE", "SCOPE_ID", "SCOPE_NAME", "MEASURE", "WINDOW_DAYS", "PROJECTS_COUNT", "UP_COUNT", "DOWN_COUNT", "MEDIAN_CHANGE", "CHANGE_LOW", "CHANGE_HIGH", "IS_PORTFOLIO_WIDE", file_name)
select cast($1:"scope" as varchar), cast($1:"scope_id" as varchar), cast($1:"scope_name" as varchar), cast($1:"measure" as varchar), cast($1:"window_days" as integer), cast($1:"projects_count" as bigint), cast($1:"up_count" as bigint), cast($1:"down_count" as bigint), cast($1:"median_change" as double), cast($1:"change_low" as double), cast($1:"change_high" as double), cast($1:"is_portfolio_wide" as boolean), regexp_substr(metadata$filename, '[^/]+$')
from @answerlake.export/portfolio_changes/ (file_format => 'answerlake.rows_format')
where regexp_substr(metadata$filename, '[^/]+$') in (select file_name from answerlake.manifest where table_name = 'portfolio_changes')
  and regexp_substr(metadata$filename, '[^/]+$') not in (select file_name from answerlake.portfolio_changes);

delete from answerlake.projects where file_name not in (select file_name from answerlake.manifest where table_name = 'projects');
insert into answerlake.projects ("PROJECT_ID", "PROJECT_NAME", "SLUG", "ORGANIZATION_ID", "ORGANIZATION_NAME", "FIRST_DATE", "LAST_DATE", "LAST_WHOLE_DATE", file_name)
select cast($1:"project_id" as varchar), cast($1:"project_name" as varchar), cast($1:"slug" as varchar), cast($1:"organization_id" as varchar), cast($1:"organization_name" as varchar), cast($1:"first_date" as date), cast($1:"last_date" as date), cast($1:"last_whole_date" as date), regexp_substr(metadata$filename, '[^/]+$')
from @answerlake.export/projects/ (file_format => 'answerlake.rows_format')
where regexp_substr(metadata$filename, '[^/]+$') in (select file_name from answerlake.manifest where table_name = 'projects')
  and regexp_substr(metadata$filename, '[^/]+$') not in (select file_name from answerlake.projects);

delete from answerlake.prompt_catalog where file_name not in (select file_name from answerlake.manifest where table_name = 'prompt_catalog');
insert into answerlake.prompt_catalog ("PROJECT_ID", "PROJECT_NAME", "PROMPT_ID", "PROMPT", "PROMPT_TYPE", "INTENT", "LANGUAGE_CODE", "IS_ACTIVE", "MONITOR_ID", "MONITOR_NAME", "RESPONSES_COUNT", "SEARCH_VOLUME", "AVERAGE_VISIBILITY", "DIFFICULTY", "CREATED_AT", "UPDATED_AT", "FIRST_SEEN_ON", "LAST_SEEN_ON", file_name)
select cast($1:"project_id" as varchar), cast($1:"project_name" as varchar), cast($1:"prompt_id" as varchar), cast($1:"prompt" as varchar), cast($1:"prompt_type" as varchar), cast($1:"intent" as varchar), cast($1:"language_code" as varchar), cast($1:"is_active" as boolean), cast($1:"monitor_id" as varchar), cast($1:"monitor_name" as varchar), cast($1:"responses_count" as bigint), cast($1:"search_volume" as double), cast($1:"average_visibility" as double), cast($1:"difficulty" as double), cast($1:"created_at" as timestamp_ntz), cast($1:"updated_at" as timestamp_ntz), cast($1:"first_seen_on" as date), cast($1:"last_seen_on" as date), regexp_substr(metadata$filename, '[^/]+$')
from @answerlake.export/prompt_catalog/ (file_format => 'answerlake.rows_format')
where regexp_substr(metadata$filename, '[^/]+$') in (select file_name from answerlake.manifest where table_name = 'prompt_catalog')
  and regexp_substr(metadata$filename, '[^/]+$') not in (select file_name from answerlake.prompt_catalog);

delete from answerlake.prompt_days where file_name not in (select file_name from answerlake.manifest where table_name = 'prompt_days');
insert into answerlake.prompt_days ("PROJECT_ID", "PROJECT_NAME", "PROMPT_ID", "PROMPT", "PROMPT_TYPE", "MONITOR_ID", "MONITOR_NAME", "DATE", "VISIBILITY", "SENTIMENT", "ORGANIC_RESPONSES", "ORGANIC_BRAND_MENTIONS", "SHARE_OF_VOICE_PCT", "IS_FINAL", "CHANGED_AT", "FINAL_ON", file_name)
select cast($1:"project_id" as varchar), cast($1:"project_name" as varchar), cast($1:"prompt_id" as varchar), cast($1:"prompt" as varchar), cast($1:"prompt_type" as varchar), cast($1:"monitor_id" as varchar), cast($1:"monitor_name" as varchar), cast($1:"date" as date), cast($1:"visibility" as double), cast($1:"sentiment" as double), cast($1:"organic_responses" as bigint), cast($1:"organic_brand_mentions" as bigint), cast($1:"share_of_voice_pct" as double), cast($1:"is_final" as boolean), cast($1:"changed_at" as timestamp_ntz), cast($1:"final_on" as date), regexp_substr(metadata$filename, '[^/]+$')
from @answerlake.export/prompt_days/ (file_format => 'answerlake.rows_format')
where regexp_substr(metadata$filename, '[^/]+$') in (select file_name from answerlake.manifest where table_name = 'prompt_days')
  and regexp_substr(metadata$filename, '[^/]+$') not in (select file_name from answerlake.prompt_days);

delete from answerlake.prompt_trend where file_name not in (select file_name from answerlake.manifest where table_name = 'prompt_trend');
insert into answerlake.prompt_trend ("PROJECT_ID", "PROJECT_NAME", "PROMPT_ID", "PROMPT", "PROMPT_TYPE", "MONITOR_ID", "MONITOR_NAME", "DATE", "IS_ACTIVE", "AVERAGE_VISIBILITY", "RESPONSES_COUNT", "SEARCH_VOLUME", "DIFFICULTY", "PREVIOUS_DATE", "PREVIOUS_AVERAGE_VISIBILITY", "AVERAGE_VISIBILITY_CHANGE", "NEW_RESPONSES_COUNT", "CHANGED_AT", "FINAL_ON", file_name)
select cast($1:"project_id" as varchar), cast($1:"project_name" as varchar), cast($1:"prompt_id" as varchar), cast($1:"prompt" as varchar), cast($1:"prompt_type" as varchar), cast($1:"monitor_id" as varchar), cast($1:"monitor_name" as varchar), cast($1:"date" as date), cast($1:"is_active" as boolean), cast($1:"average_visibility" as double), cast($1:"responses_count" as bigint), cast($1:"search_volume" as double), cast($1:"difficulty" as double), cast($1:"previous_date" as date), cast($1:"previous_average_visibility" as double), cast($1:"average_visibility_change" as double), cast($1:"new_responses_count" as bigint), cast($1:"changed_at" as timestamp_ntz), cast($1:"final_on" as date), regexp_substr(metadata$filename, '[^/]+$')
from @answerlake.export/prompt_trend/ (file_format => 'answerlake.rows_format')
where regexp_substr(metadata$filename, '[^/]+$') in (select file_name from answerlake.manifest where table_name = 'prompt_trend')
  and regexp_substr(metadata$filename, '[^/]+$') not in (select file_name from answerlake.prompt_trend);

delete from answerlake.restated_values where file_name not in (select file_name from answerlake.manifest where table_name = 'restated_values');
insert into answerlake.restated_values ("PROJECT_ID", "PROJECT_NAME", "TABLE_NAME", "COLUMN_NAME", "CHANGE", "DATE", "ROW_KEY", "OLD_VALUE", "NEW_VALUE", "OLD_NUMBER", "NEW_NUMBER", "CHANGE_NUMBER", "WAS_FINAL", "RUN_ID", "CHANGED_AT", file_name)
select cast($1:"project_id" as varchar), cast($1:"project_name" as varchar), cast($1:"table_name" as varchar), cast($1:"column_name" as varchar), cast($1:"change" as varchar), cast($1:"date" as date), cast($1:"row_key" as varchar), cast($1:"old_value" as varchar), cast($1:"new_value" as varchar), cast($1:"old_number" as double), cast($1:"new_number" as double), cast($1:"change_number" as double), cast($1:"was_final" as boolean), cast($1:"run_id" as varchar), cast($1:"changed_at" as timestamp_ntz), regexp_substr(metadata$filename, '[^/]+$')
from @answerlake.export/restated_values/ (file_format => 'answerlake.rows_format')
where regexp_substr(metadata$filename, '[^/]+$') in (select file_name from answerlake.manifest where table_name = 'restated_values')
  and regexp_substr(metadata$filename, '[^/]+$') not in (select file_name from answerlake.restated_values);

delete from answerlake.sentiment_split where file_name not in (select file_name from answerlake.manifest where table_name = 'sentiment_split');
insert into answerlake.sentiment_split ("PROJECT_ID", "PROJECT_NAME", "DATE", "POSITIVE_COUNT", "NEGATIVE_COUNT", "NEUTRAL_COUNT", "UNKNOWN_COUNT", "KNOWN_COUNT", "TOTAL_COUNT", "POSITIVE_PCT", "NEGATIVE_PCT", "NEUTRAL_PCT", "UNKNOWN_PCT", "POSITIVE_PCT_LOW", "POSITIVE_PCT_HIGH", "NEGATIVE_PCT_LOW", "NEGATIVE_PCT_HIGH", "NEUTRAL_PCT_LOW", "NEUTRAL_PCT_HIGH", "NET_SENTIMENT_PCT", "NET_SENTIMENT_PCT_LOW", "NET_SENTIMENT_PCT_HIGH", "NET_SENTIMENT_KNOWN_PCT", "NET_SENTIMENT_KNOWN_PCT_LOW", "NET_SENTIMENT_KNOWN_PCT_HIGH", "IS_FINAL", "CHANGED_AT", "FINAL_ON", file_name)
select cast($1:"project_id" as varchar), cast($1:"project_name" as varchar), cast($1:"date" as date), cast($1:"positive_count" as bigint), cast($1:"negative_count" as bigint), cast($1:"neutral_count" as bigint), cast($1:"unknown_count" as bigint), cast($1:"known_count" as bigint), cast($1:"total_count" as bigint), cast($1:"positive_pct" as double), cast($1:"negative_pct" as double), cast($1:"neutral_pct" as double), cast($1:"unknown_pct" as double), cast($1:"positive_pct_low" as double), cast($1:"positive_pct_high" as double), cast($1:"negative_pct_low" as double), cast($1:"negative_pct_high" as double), cast($1:"neutral_pct_low" as double), cast($1:"neutral_pct_high" as double), cast($1:"net_sentiment_pct" as double), cast($1:"net_sentiment_pct_low" as double), cast($1:"net_sentiment_pct_high" as double), cast($1:"net_sentiment_known_pct" as double), cast($1:"net_sentiment_known_pct_low" as double), cast($1:"net_sentiment_known_pct_high" as double), cast($1:"is_final" as boolean), cast($1:"changed_at" as timestamp_ntz), cast($1:"final_on" as date), regexp_substr(metadata$filename, '[^/]+$')
from @answerlake.export/sentiment_split/ (file_format => 'answerlake.rows_format')
where regexp_substr(metadata$filename, '[^/]+$') in (select file_name from answerlake.manifest where table_name = 'sentiment_split')
  and regexp_substr(metadata$filename, '[^/]+$') not in (select file_name from answerlake.sentiment_split);

delete from answerlake.sentiment_with_events where file_name not in (select file_name from answerlake.manifest where table_name = 'sentiment_with_events');
insert into answerlake.sentiment_with_events ("PROJECT_ID", "PROJECT_NAME", "DATE", "SENTIMENT", "SENTIMENT_7_DAY_MEAN", "SENTIMENT_PREVIOUS_7_DAY_MEAN", "SENTIMENT_7_DAY_CHANGE", "EVENTS_COUNT", "ACTIONS_COMPLETED", "PROMPTS_CREATED", "PROMPTS_DELETED", "EVENT_TITLES", "EVENT_TYPES", "IS_FINAL", "CHANGED_AT", "FINAL_ON", file_name)
select cast($1:"project_id" as varchar), cast($1:"project_name" as varchar), cast($1:"date" as date), cast($1:"sentiment" as double), cast($1:"sentiment_7_day_mean" as double), cast($1:"sentiment_previous_7_day_mean" as double), cast($1:"sentiment_7_day_change" as double), cast($1:"events_count" as bigint), cast($1:"actions_completed" as bigint), cast($1:"prompts_created" as bigint), cast($1:"prompts_deleted" as bigint), cast($1:"event_titles" as varchar), cast($1:"event_types" as varchar), cast($1:"is_final" as boolean), cast($1:"changed_at" as timestamp_ntz), cast($1:"final_on" as date), regexp_substr(metadata$filename, '[^/]+$')
from @answerlake.export/sentiment_with_events/ (file_format => 'answerlake.rows_format')
where regexp_substr(metadata$filename, '[^/]+$') in (select file_name from answerlake.manifest where table_name = 'sentiment_with_events')
  and regexp_substr(metadata$filename, '[^/]+$') not in (select file_name from answerlake.sentiment_with_events);

delete from answerlake.share_of_voice_trend where file_name not in (select file_name from answerlake.manifest where table_name = 'share_of_voice_trend');
insert into answerlake.share_of_voice_trend ("PROJECT_ID", "PROJECT_NAME", "DATE", "ORGANIC_RESPONSES", "ORGANIC_BRAND_MENTIONS", "SHARE_OF_VOICE_PCT", "SHARE_OF_VOICE_PCT_LOW", "SHARE_OF_VOICE_PCT_HIGH", "PREVIOUS_DATE", "PREVIOUS_SHARE_OF_VOICE_PCT", "CHANGE_POINTS", "REPORTED_PREVIOUS_SHARE_OF_VOICE_PCT", "REPORTED_CHANGE_POINTS", "IS_FINAL", "CHANGED_AT", "FINAL_ON", file_name)
select cast($1:"project_id" as varchar), cast($1:"project_name" as varchar), cast($1:"date" as date), cast($1:"organic_responses" as bigint), cast($1:"organic_brand_mentions" as bigint), cast($1:"share_of_voice_pct" as double), cast($1:"share_of_voice_pct_low" as double), cast($1:"share_of_voice_pct_high" as double), cast($1:"previous_date" as date), cast($1:"previous_share_of_voice_pct" as double), cast($1:"change_points" as double), cast($1:"reported_previous_share_of_voice_pct" as double), cast($1:"reported_change_points" as double), cast($1:"is_final" as boolean), cast($1:"changed_at" as timestamp_ntz), cast($1:"final_on" as date), regexp_substr(metadata$filename, '[^/]+$')
from @answerlake.export/share_of_voice_trend/ (file_format => 'answerlake.rows_format')
where regexp_substr(metadata$filename, '[^/]+$') in (select file_name from answerlake.manifest where table_name = 'share_of_voice_trend')
  and regexp_substr(metadata$filename, '[^/]+$') not in (select file_name from answerlake.share_of_voice_trend);

delete from answerlake.sync_coverage where file_name not in (select file_name from answerlake.manifest where table_name = 'sync_coverage');
insert into answerlake.sync_coverage ("PROJECT_ID", "PROJECT_NAME", "ENDPOINT", "DATE", "SERIES_EXPECTED_COUNT", "SERIES_COVERED_COUNT", "SERIES_SETTLED_COUNT", "IS_COVERED", "IS_SETTLED", "STATUS", "LAST_SUCCESS_AT", file_name)
select cast($1:"project_id" as varchar), cast($1:"project_name" as varchar), cast($1:"endpoint" as varchar), cast($1:"date" as date), cast($1:"series_expected_count" as bigint), cast($1:"series_covered_count" as bigint), cast($1:"series_settled_count" as bigint), cast($1:"is_covered" as boolean), cast($1:"is_settled" as boolean), cast($1:"status" as varchar), cast($1:"last_success_at" as timestamp_ntz), regexp_substr(metadata$filename, '[^/]+$')
from @answerlake.export/sync_coverage/ (file_format => 'answerlake.rows_format')
where regexp_substr(metadata$filename, '[^/]+$') in (select file_name from answerlake.manifest where table_name = 'sync_coverage')
  and regexp_substr(metadata$filename, '[^/]+$') not in (select file_name from answerlake.sync_coverage);

delete from answerlake.sync_freshness where file_name not in (select file_name from answerlake.manifest where table_name = 'sync_freshness');
insert into answerlake.sync_freshness ("PROJECT_ID", "PROJECT_NAME", "ENDPOINT", "STATUS", "LAST_ASKED_AT", "LAST_SUCCESS_AT", "LAST_COVERED_DATE", "LAG_DAYS", "SLICES_DONE_COUNT", "SLICES_FAILED_COUNT", "SLICES_SUSPICIOUS_COUNT", "LAST_ERROR", file_name)
select cast($1:"project_id" as varchar), cast($1:"project_name" as varchar), cast($1:"endpoint" as varchar), cast($1:"status" as varchar), cast($1:"last_asked_at" as timestamp_ntz), cast($1:"last_success_at" as timestamp_ntz), cast($1:"last_covered_date" as date), cast($1:"lag_days" as bigint), cast($1:"slices_done_count" as bigint), cast($1:"slices_failed_count" as bigint), cast($1:"slices_suspicious_count" as bigint), cast($1:"last_error" as varchar), regexp_substr(metadata$filename, '[^/]+$')
from @answerlake.export/sync_freshness/ (file_format => 'answerlake.rows_format')
where regexp_substr(metadata$filename, '[^/]+$') in (select file_name from answerlake.manifest where table_name = 'sync_freshness')
  and regexp_substr(metadata$filename, '[^/]+$') not in (select file_name from answerlake.sync_freshness);

delete from answerlake.sync_gaps where file_name not in (select file_name from answerlake.manifest where table_name = 'sync_gaps');
insert into answerlake.sync_gaps ("PROJECT_ID", "PROJECT_NAME", "ENDPOINT", "DATE", "STATUS", "LAST_STATUS", file_name)
select cast($1:"project_id" as varchar), cast($1:"project_name" as varchar), cast($1:"endpoint" as varchar), cast($1:"date" as date), cast($1:"status" as varchar), cast($1:"last_status" as varchar), regexp_substr(metadata$filename, '[^/]+$')
from @answerlake.export/sync_gaps/ (file_format => 'answerlake.rows_format')
where regexp_substr(metadata$filename, '[^/]+$') in (select file_name from answerlake.manifest where table_name = 'sync_gaps')
  and regexp_substr(metadata$filename, '[^/]+$') not in (select file_name from answerlake.sync_gaps);

delete from answerlake.sync_settings where file_name not in (select file_name from answerlake.manifest where table_name = 'sync_settings');
insert into answerlake.sync_settings ("SYNC_DAY", "START_DATE", "LOOKBACK_DAYS", "TIMEZONE", "BASE_URL", "TIMEZONE_LAG_DAYS", file_name)
select cast($1:"sync_day" as date), cast($1:"start_date" as date), cast($1:"lookback_days" as integer), cast($1:"timezone" as varchar), cast($1:"base_url" as varchar), cast($1:"timezone_lag_days" as integer), regexp_substr(metadata$filename, '[^/]+$')
from @answerlake.export/sync_settings/ (file_format => 'answerlake.rows_format')
where regexp_substr(metadata$filename, '[^/]+$') in (select file_name from answerlake.manifest where table_name = 'sync_settings')
  and regexp_substr(metadata$filename, '[^/]+$') not in (select file_name from answerlake.sync_settings);

delete from answerlake.targets where file_name not in (select file_name from answerlake.manifest where table_name = 'targets');
insert into answerlake.targets ("PROJECT_ID", "PROJECT_NAME", "MEASURE", "GOAL", "DUE_DATE", "LAST_DATE", "VALUE", "DISTANCE", "PROJECTED_VALUE", "PROJECTED_LOW", "PROJECTED_HIGH", "IS_REACHED", "IS_ON_COURSE", file_name)
select cast($1:"project_id" as varchar), cast($1:"project_name" as varchar), cast($1:"measure" as varchar), cast($1:"goal" as double), cast($1:"due_date" as date), cast($1:"last_date" as date), cast($1:"value" as double), cast($1:"distance" as double), cast($1:"projected_value" as double), cast($1:"projected_low" as double), cast($1:"projected_high" as double), cast($1:"is_reached" as boolean), cast($1:"is_on_course" as boolean), regexp_substr(metadata$filename, '[^/]+$')
from @answerlake.export/targets/ (file_format => 'answerlake.rows_format')
where regexp_substr(metadata$filename, '[^/]+$') in (select file_name from answerlake.manifest where table_name = 'targets')
  and regexp_substr(metadata$filename, '[^/]+$') not in (select file_name from answerlake.targets);

delete from answerlake.turning_points where file_name not in (select file_name from answerlake.manifest where table_name = 'turning_points');
insert into answerlake.turning_points ("PROJECT_ID", "PROJECT_NAME", "MEASURE", "DATE", "VALUE_BEFORE", "VALUE_AFTER", "CHANGE", "TYPICAL_CHANGE", "DRIFT", "CANDIDATES_COUNT", "CANDIDATE_IDS", "CANDIDATE_TITLES", "IS_FINAL", file_name)
select cast($1:"project_id" as varchar), cast($1:"project_name" as varchar), cast($1:"measure" as varchar), cast($1:"date" as date), cast($1:"value_before" as double), cast($1:"value_after" as double), cast($1:"change" as double), cast($1:"typical_change" as double), cast($1:"drift" as double), cast($1:"candidates_count" as bigint), cast($1:"candidate_ids" as varchar), cast($1:"candidate_titles" as varchar), cast($1:"is_final" as boolean), regexp_substr(metadata$filename, '[^/]+$')
from @answerlake.export/turning_points/ (file_format => 'answerlake.rows_format')
where regexp_substr(metadata$filename, '[^/]+$') in (select file_name from answerlake.manifest where table_name = 'turning_points')
  and regexp_substr(metadata$filename, '[^/]+$') not in (select file_name from answerlake.turning_points);

delete from answerlake.visibility_with_events where file_name not in (select file_name from answerlake.manifest where table_name = 'visibility_with_events');
insert into answerlake.visibility_with_events ("PROJECT_ID", "PROJECT_NAME", "DATE", "VISIBILITY", "VISIBILITY_7_DAY_MEAN", "VISIBILITY_PREVIOUS_7_DAY_MEAN", "VISIBILITY_7_DAY_CHANGE", "EVENTS_COUNT", "ACTIONS_COMPLETED", "PROMPTS_CREATED", "PROMPTS_DELETED", "EVENT_TITLES", "EVENT_TYPES", "IS_FINAL", "CHANGED_AT", "FINAL_ON", file_name)
select cast($1:"project_id" as varchar), cast($1:"project_name" as varchar), cast($1:"date" as date), cast($1:"visibility" as double), cast($1:"visibility_7_day_mean" as double), cast($1:"visibility_previous_7_day_mean" as double), cast($1:"visibility_7_day_change" as double), cast($1:"events_count" as bigint), cast($1:"actions_completed" as bigint), cast($1:"prompts_created" as bigint), cast($1:"prompts_deleted" as bigint), cast($1:"event_titles" as varchar), cast($1:"event_types" as varchar), cast($1:"is_final" as boolean), cast($1:"changed_at" as timestamp_ntz), cast($1:"final_on" as date), regexp_substr(metadata$filename, '[^/]+$')
from @answerlake.export/visibility_with_events/ (file_format => 'answerlake.rows_format')
where regexp_substr(metadata$filename, '[^/]+$') in (select file_name from answerlake.manifest where table_name = 'visibility_with_events')
  and regexp_substr(metadata$filename, '[^/]+$') not in (select file_name from answerlake.visibility_with_events);

delete from answerlake.window_summary where file_name not in (select file_name from answerlake.manifest where table_name = 'window_summary');
insert into answerlake.window_summary ("PROJECT_ID", "PROJECT_NAME", "WINDOW_START", "WINDOW_END", "DAYS_IN_WINDOW", "ALL_RESPONSES", "ALL_BRAND_MENTIONS", "BRAND_MENTION_RATE", "POSITIVE_COUNT", "NEGATIVE_COUNT", "NEUTRAL_COUNT", "UNKNOWN_COUNT", "CURRENT_SHARE_OF_VOICE_PCT", "PREVIOUS_SHARE_OF_VOICE_PCT", "CHANGED_AT", "FINAL_ON", file_name)
select cast($1:"project_id" as varchar), cast($1:"project_name" as varchar), cast($1:"window_start" as date), cast($1:"window_end" as date), cast($1:"days_in_window" as integer), cast($1:"all_responses" as bigint), cast($1:"all_brand_mentions" as bigint), cast($1:"brand_mention_rate" as double), cast($1:"positive_count" as bigint), cast($1:"negative_count" as bigint), cast($1:"neutral_count" as bigint), cast($1:"unknown_count" as bigint), cast($1:"current_share_of_voice_pct" as double), cast($1:"previous_share_of_voice_pct" as double), cast($1:"changed_at" as timestamp_ntz), cast($1:"final_on" as date), regexp_substr(metadata$filename, '[^/]+$')
from @answerlake.export/window_summary/ (file_format => 'answerlake.rows_format')
where regexp_substr(metadata$filename, '[^/]+$') in (select file_name from answerlake.manifest where table_name = 'window_summary')
  and regexp_substr(metadata$filename, '[^/]+$') not in (select file_name from answerlake.window_summary);

commit;

-- Returns the tables that differ from the manifest: none, unless an export ran at the same time. Then run the script again.
select * from (
select 'action_group_impact' as table_name, count(*) as row_count, (select coalesce(sum(row_count), 0) from answerlake.manifest where table_name = 'action_group_impact') as expected from answerlake.action_group_impact
union all
select 'action_impact' as table_name, count(*) as row_count, (select coalesce(sum(row_count), 0) from answerlake.manifest where table_name = 'action_impact') as expected from answerlake.action_impact
union all
select 'action_type_impact' as table_name, count(*) as row_count, (select coalesce(sum(row_count), 0) from answerlake.manifest where table_name = 'action_type_impact') as expected from answerlake.action_type_impact
union all
select 'ai_traffic' as table_name, count(*) as row_count, (select coalesce(sum(row_count), 0) from answerlake.manifest where table_name = 'ai_traffic') as expected from answerlake.ai_traffic
union all
select 'ai_vendors' as table_name, count(*) as row_count, (select coalesce(sum(row_count), 0) from answerlake.manifest where table_name = 'ai_vendors') as expected from answerlake.ai_vendors
union all
select 'anomalies' as table_name, count(*) as row_count, (select coalesce(sum(row_count), 0) from answerlake.manifest where table_name = 'anomalies') as expected from answerlake.anomalies
union all
select 'brand_mention_share' as table_name, count(*) as row_count, (select coalesce(sum(row_count), 0) from answerlake.manifest where table_name = 'brand_mention_share') as expected from answerlake.brand_mention_share
union all
select 'brand_visibility_trend' as table_name, count(*) as row_count, (select coalesce(sum(row_count), 0) from answerlake.manifest where table_name = 'brand_visibility_trend') as expected from answerlake.brand_visibility_trend
union all
select 'brands' as table_name, count(*) as row_count, (select coalesce(sum(row_count), 0) from answerlake.manifest where table_name = 'brands') as expected from answerlake.brands
union all
select 'calendar' as table_name, count(*) as row_count, (select coalesce(sum(row_count), 0) from answerlake.manifest where table_name = 'calendar') as expected from answerlake.calendar
union all
select 'citation_rank_trend' as table_name, count(*) as row_count, (select coalesce(sum(row_count), 0) from answerlake.manifest where table_name = 'citation_rank_trend') as expected from answerlake.citation_rank_trend
union all
select 'cited_domains' as table_name, count(*) as row_count, (select coalesce(sum(row_count), 0) from answerlake.manifest where table_name = 'cited_domains') as expected from answerlake.cited_domains
union all
select 'competitor_gap' as table_name, count(*) as row_count, (select coalesce(sum(row_count), 0) from answerlake.manifest where table_name = 'competitor_gap') as expected from answerlake.competitor_gap
union all
select 'competitor_heatmap_latest' as table_name, count(*) as row_count, (select coalesce(sum(row_count), 0) from answerlake.manifest where table_name = 'competitor_heatmap_latest') as expected from answerlake.competitor_heatmap_latest
union all
select 'competitor_heatmap_trend' as table_name, count(*) as row_count, (select coalesce(sum(row_count), 0) from answerlake.manifest where table_name = 'competitor_heatmap_trend') as expected from answerlake.competitor_heatmap_trend
union all
select 'competitor_mention_trend' as table_name, count(*) as row_count, (select coalesce(sum(row_count), 0) from answerlake.manifest where table_name = 'competitor_mention_trend') as expected from answerlake.competitor_mention_trend
union all
select 'crawler_page_trend' as table_name, count(*) as row_count, (select coalesce(sum(row_count), 0) from answerlake.manifest where table_name = 'crawler_page_trend') as expected from answerlake.crawler_page_trend
union all
select 'crawler_pages' as table_name, count(*) as row_count, (select coalesce(sum(row_count), 0) from answerlake.manifest where table_name = 'crawler_pages') as expected from answerlake.crawler_pages
union all
select 'crawler_visitor_funnel' as table_name, count(*) as row_count, (select coalesce(sum(row_count), 0) from answerlake.manifest where table_name = 'crawler_visitor_funnel') as expected from answerlake.crawler_visitor_funnel
union all
select 'daily_kpis' as table_name, count(*) as row_count, (select coalesce(sum(row_count), 0) from answerlake.manifest where table_name = 'daily_kpis') as expected from answerlake.daily_kpis
union all
select 'deleted_rows' as table_name, count(*) as row_count, (select coalesce(sum(row_count), 0) from answerlake.manifest where table_name = 'deleted_rows') as expected from answerlake.deleted_rows
union all
select 'domain_citation_trend' as table_name, count(*) as row_count, (select coalesce(sum(row_count), 0) from answerlake.manifest where table_name = 'domain_citation_trend') as expected from answerlake.domain_citation_trend
union all
select 'event_annotations' as table_name, count(*) as row_count, (select coalesce(sum(row_count), 0) from answerlake.manifest where table_name = 'event_annotations') as expected from answerlake.event_annotations
union all
select 'kpi_changes' as table_name, count(*) as row_count, (select coalesce(sum(row_count), 0) from answerlake.manifest where table_name = 'kpi_changes') as expected from answerlake.kpi_changes
union all
select 'landing_page_days' as table_name, count(*) as row_count, (select coalesce(sum(row_count), 0) from answerlake.manifest where table_name = 'landing_page_days') as expected from answerlake.landing_page_days
union all
select 'model_kpis' as table_name, count(*) as row_count, (select coalesce(sum(row_count), 0) from answerlake.manifest where table_name = 'model_kpis') as expected from answerlake.model_kpis
union all
select 'model_sources' as table_name, count(*) as row_count, (select coalesce(sum(row_count), 0) from answerlake.manifest where table_name = 'model_sources') as expected from answerlake.model_sources
union all
select 'models' as table_name, count(*) as row_count, (select coalesce(sum(row_count), 0) from answerlake.manifest where table_name = 'models') as expected from answerlake.models
union all
select 'monitor_kpis' as table_name, count(*) as row_count, (select coalesce(sum(row_count), 0) from answerlake.manifest where table_name = 'monitor_kpis') as expected from answerlake.monitor_kpis
union all
select 'monitors' as table_name, count(*) as row_count, (select coalesce(sum(row_count), 0) from answerlake.manifest where table_name = 'monitors') as expected from answerlake.monitors
union all
select 'portfolio_changes' as table_name, count(*) as row_count, (select coalesce(sum(row_count), 0) from answerlake.manifest where table_name = 'portfolio_changes') as expected from answerlake.portfolio_changes
union all
select 'projects' as table_name, count(*) as row_count, (select coalesce(sum(row_count), 0) from answerlake.manifest where table_name = 'projects') as expected from answerlake.projects
union all
select 'prompt_catalog' as table_name, count(*) as row_count, (select coalesce(sum(row_count), 0) from answerlake.manifest where table_name = 'prompt_catalog') as expected from answerlake.prompt_catalog
union all
select 'prompt_days' as table_name, count(*) as row_count, (select coalesce(sum(row_count), 0) from answerlake.manifest where table_name = 'prompt_days') as expected from answerlake.prompt_days
union all
select 'prompt_trend' as table_name, count(*) as row_count, (select coalesce(sum(row_count), 0) from answerlake.manifest where table_name = 'prompt_trend') as expected from answerlake.prompt_trend
union all
select 'restated_values' as table_name, count(*) as row_count, (select coalesce(sum(row_count), 0) from answerlake.manifest where table_name = 'restated_values') as expected from answerlake.restated_values
union all
select 'sentiment_split' as table_name, count(*) as row_count, (select coalesce(sum(row_count), 0) from answerlake.manifest where table_name = 'sentiment_split') as expected from answerlake.sentiment_split
union all
select 'sentiment_with_events' as table_name, count(*) as row_count, (select coalesce(sum(row_count), 0) from answerlake.manifest where table_name = 'sentiment_with_events') as expected from answerlake.sentiment_with_events
union all
select 'share_of_voice_trend' as table_name, count(*) as row_count, (select coalesce(sum(row_count), 0) from answerlake.manifest where table_name = 'share_of_voice_trend') as expected from answerlake.share_of_voice_trend
union all
select 'sync_coverage' as table_name, count(*) as row_count, (select coalesce(sum(row_count), 0) from answerlake.manifest where table_name = 'sync_coverage') as expected from answerlake.sync_coverage
union all
select 'sync_freshness' as table_name, count(*) as row_count, (select coalesce(sum(row_count), 0) from answerlake.manifest where table_name = 'sync_freshness') as expected from answerlake.sync_freshness
union all
select 'sync_gaps' as table_name, count(*) as row_count, (select coalesce(sum(row_count), 0) from answerlake.manifest where table_name = 'sync_gaps') as expected from answerlake.sync_gaps
union all
select 'sync_settings' as table_name, count(*) as row_count, (select coalesce(sum(row_count), 0) from answerlake.manifest where table_name = 'sync_settings') as expected from answerlake.sync_settings
union all
select 'targets' as table_name, count(*) as row_count, (select coalesce(sum(row_count), 0) from answerlake.manifest where table_name = 'targets') as expected from answerlake.targets
union all
select 'turning_points' as table_name, count(*) as row_count, (select coalesce(sum(row_count), 0) from answerlake.manifest where table_name = 'turning_points') as expected from answerlake.turning_points
union all
select 'visibility_with_events' as table_name, count(*) as row_count, (select coalesce(sum(row_count), 0) from answerlake.manifest where table_name = 'visibility_with_events') as expected from answerlake.visibility_with_events
union all
select 'window_summary' as table_name, count(*) as row_count, (select coalesce(sum(row_count), 0) from answerlake.manifest where table_name = 'window_summary') as expected from answerlake.window_summary
) as counts
where row_count <> expected;
