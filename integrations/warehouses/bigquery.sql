-- Makes the tables of the schema answerlake equal to the last export (answerlake export --changed --output s3://bucket/export):
-- removes the rows of files that the manifest does not name any more, and adds those of new files. It can be repeated.
-- Set the bucket. An export reaches it with an HMAC key and AWS_ENDPOINT_URL=https://storage.googleapis.com.
-- Generated from the catalogue; "npx vitest run test/bi/integrations.test.ts -u" writes it again.

create schema if not exists answerlake;
create schema if not exists answerlake_files;
create or replace external table answerlake_files.manifest (kind string, `table` string, path string, `rows` int64)
options (format = 'JSON', ignore_unknown_values = true, uris = ['gs://bucket/export/manifest.ndjson']);
create or replace table answerlake.manifest as
select `table` as table_name, regexp_extract(path, r'[^/]+$') as file_name, `rows` as row_count
from answerlake_files.manifest
where kind = 'file';

create table if not exists answerlake.action_group_impact (`project_id` string, `project_name` string, `overlap_group_id` string, `first_date` date, `last_date` date, `actions` int64, `titles` string, `visibility_before` float64, `visibility_after` float64, `visibility_change` float64, `visibility_typical_change` float64, `visibility_effect` float64, `visibility_effect_low` float64, `visibility_effect_high` float64, `visibility_is_clear` bool, `visibility_effect_15_28` float64, `visibility_effect_15_28_low` float64, `visibility_effect_15_28_high` float64, `visibility_effect_15_28_is_clear` bool, `visibility_effect_29_56` float64, `visibility_effect_29_56_low` float64, `visibility_effect_29_56_high` float64, `visibility_effect_29_56_is_clear` bool, `sentiment_before` float64, `sentiment_after` float64, `sentiment_change` float64, `sentiment_typical_change` float64, `sentiment_effect` float64, `sentiment_effect_low` float64, `sentiment_effect_high` float64, `sentiment_is_clear` bool, `sentiment_effect_15_28` float64, `sentiment_effect_15_28_low` float64, `sentiment_effect_15_28_high` float64, `sentiment_effect_15_28_is_clear` bool, `sentiment_effect_29_56` float64, `sentiment_effect_29_56_low` float64, `sentiment_effect_29_56_high` float64, `sentiment_effect_29_56_is_clear` bool, `share_of_voice_before` float64, `share_of_voice_after` float64, `share_of_voice_change` float64, `share_of_voice_typical_change` float64, `share_of_voice_effect` float64, `share_of_voice_effect_low` float64, `share_of_voice_effect_high` float64, `share_of_voice_is_clear` bool, `share_of_voice_effect_15_28` float64, `share_of_voice_effect_15_28_low` float64, `share_of_voice_effect_15_28_high` float64, `share_of_voice_effect_15_28_is_clear` bool, `share_of_voice_effect_29_56` float64, `share_of_voice_effect_29_56_low` float64, `share_of_voice_effect_29_56_high` float64, `share_of_voice_effect_29_56_is_clear` bool, `not_judged` string, `days_before` int64, `days_after` int64, `other_actions_count` int64, `setup_change_titles` string, `is_final` bool, file_name string);
create or replace external table answerlake_files.action_group_impact options (format = 'PARQUET', uris = ['gs://bucket/export/action_group_impact/*.parquet']);
create table if not exists answerlake.action_impact (`project_id` string, `project_name` string, `event_id` string, `action_id` string, `action_type` string, `action_title` string, `date` date, `occurred_at` timestamp, `overlap_group_id` string, `visibility_before` float64, `visibility_after` float64, `visibility_change` float64, `visibility_typical_change` float64, `visibility_effect` float64, `visibility_effect_low` float64, `visibility_effect_high` float64, `visibility_is_clear` bool, `sentiment_before` float64, `sentiment_after` float64, `sentiment_change` float64, `sentiment_typical_change` float64, `sentiment_effect` float64, `sentiment_effect_low` float64, `sentiment_effect_high` float64, `sentiment_is_clear` bool, `share_of_voice_before_pct` float64, `share_of_voice_after_pct` float64, `share_of_voice_change_points` float64, `share_of_voice_typical_change` float64, `share_of_voice_effect` float64, `share_of_voice_effect_low` float64, `share_of_voice_effect_high` float64, `share_of_voice_is_clear` bool, `not_judged` string, `days_before` int64, `days_after` int64, `sentiment_days_before` int64, `sentiment_days_after` int64, `share_of_voice_days_before` int64, `share_of_voice_days_after` int64, `other_events_count` int64, `other_actions_count` int64, `setup_change_titles` string, `is_comparable` bool, `is_final` bool, file_name string);
create or replace external table answerlake_files.action_impact options (format = 'PARQUET', uris = ['gs://bucket/export/action_impact/*.parquet']);
create table if not exists answerlake.action_type_impact (`project_id` string, `project_name` string, `organization_id` string, `action_type` string, `measure` string, `actions_count` int64, `judged_count` int64, `weeks_count` int64, `mean_effect` float64, `effect_low` float64, `effect_high` float64, `is_clear` bool, file_name string);
create or replace external table answerlake_files.action_type_impact options (format = 'PARQUET', uris = ['gs://bucket/export/action_type_impact/*.parquet']);
create table if not exists answerlake.ai_traffic (`project_id` string, `project_name` string, `date` date, `source_kind` string, `source` string, `crawler_requests_count` int64, `ai_visits_count` int64, `is_final` bool, `changed_at` timestamp, `final_on` date, file_name string);
create or replace external table answerlake_files.ai_traffic options (format = 'PARQUET', uris = ['gs://bucket/export/ai_traffic/*.parquet']);
create table if not exists answerlake.ai_vendors (`source_kind` string, `source` string, `source_key` string, `vendor` string, `purpose` string, file_name string);
create or replace external table answerlake_files.ai_vendors options (format = 'PARQUET', uris = ['gs://bucket/export/ai_vendors/*.parquet']);
create table if not exists answerlake.anomalies (`project_id` string, `project_name` string, `measure` string, `date` date, `value` float64, `expected_value` float64, `deviations` float64, `is_final` bool, file_name string);
create or replace external table answerlake_files.anomalies options (format = 'PARQUET', uris = ['gs://bucket/export/anomalies/*.parquet']);
create table if not exists answerlake.brand_mention_share (`project_id` string, `project_name` string, `date` date, `brand_id` string, `brand_name` string, `relation` string, `is_own_brand` bool, `mention_count` int64, `all_mention_count` int64, `mention_share_pct` float64, `mention_share_pct_low` float64, `mention_share_pct_high` float64, `own_mention_share_pct` float64, `mention_rank` int64, `is_final` bool, `changed_at` timestamp, `final_on` date, file_name string);
create or replace external table answerlake_files.brand_mention_share options (format = 'PARQUET', uris = ['gs://bucket/export/brand_mention_share/*.parquet']);
create table if not exists answerlake.brand_visibility_trend (`project_id` string, `project_name` string, `date` date, `brand_id` string, `brand_name` string, `brand_domain` string, `relation` string, `is_own_brand` bool, `visibility_pct` float64, `average_visibility` float64, `mention_count` int64, `all_responses` int64, `own_visibility_pct` float64, `own_average_visibility` float64, `own_mention_count` int64, `gap_points` float64, `is_final` bool, `changed_at` timestamp, `final_on` date, file_name string);
create or replace external table answerlake_files.brand_visibility_trend options (format = 'PARQUET', uris = ['gs://bucket/export/brand_visibility_trend/*.parquet']);
create table if not exists answerlake.brands (`project_id` string, `project_name` string, `brand_id` string, `brand_name` string, `brand_domain` string, `relation` string, `is_own_brand` bool, file_name string);
create or replace external table answerlake_files.brands options (format = 'PARQUET', uris = ['gs://bucket/export/brands/*.parquet']);
create table if not exists answerlake.calendar (`date` date, `iso_year` int64, `iso_week` int64, `iso_day_of_week` int64, `day_name` string, `week_start` date, `month_start` date, `quarter_start` date, `year` int64, `month` int64, `is_weekend` bool, `is_whole_day` bool, file_name string);
create or replace external table answerlake_files.calendar options (format = 'PARQUET', uris = ['gs://bucket/export/calendar/*.parquet']);
create table if not exists answerlake.citation_rank_trend (`project_id` string, `project_name` string, `date` date, `citations_count` int64, `ranked_citations_count` int64, `ranked_citations_pct` float64, `average_citation_rank` float64, `best_citation_rank` float64, `worst_citation_rank` float64, `previous_date` date, `previous_average_citation_rank` float64, `average_citation_rank_change` float64, `is_final` bool, `changed_at` timestamp, `final_on` date, file_name string);
create or replace external table answerlake_files.citation_rank_trend options (format = 'PARQUET', uris = ['gs://bucket/export/citation_rank_trend/*.parquet']);
create table if not exists answerlake.cited_domains (`project_id` string, `project_name` string, `window_start` date, `window_end` date, `days_in_window` int64, `domain` string, `is_own_domain` bool, `domain_status` string, `citations_count` int64, `citations_share_pct` float64, `average_citation_rank` float64, `previous_citations_count` int64, `previous_days_in_window` int64, `citations_change` int64, `citations_per_day_change` float64, `previous_average_citation_rank` float64, `window_citations_count` int64, `changed_at` timestamp, `final_on` date, file_name string);
create or replace external table answerlake_files.cited_domains options (format = 'PARQUET', uris = ['gs://bucket/export/cited_domains/*.parquet']);
create table if not exists answerlake.competitor_gap (`project_id` string, `project_name` string, `date` date, `competitor_brand_id` string, `competitor_name` string, `competitor_domain` string, `relation` string, `competitor_visibility_pct` float64, `own_visibility_pct` float64, `gap_points` float64, `competitor_average_visibility` float64, `own_average_visibility` float64, `score_gap` float64, `competitor_mention_count` int64, `own_mention_count` int64, `is_own_brand_ahead` bool, `is_final` bool, `changed_at` timestamp, `final_on` date, file_name string);
create or replace external table answerlake_files.competitor_gap options (format = 'PARQUET', uris = ['gs://bucket/export/competitor_gap/*.parquet']);
create table if not exists answerlake.competitor_heatmap_latest (`project_id` string, `project_name` string, `window_start` date, `window_end` date, `competitor_name` string, `competitor_domain` string, `relation` string, `is_own_brand` bool, `competitor_rank` int64, `model_id` string, `model_name` string, `is_deprecated_model` bool, `visibility_pct` float64, `own_visibility_pct` float64, `gap_points` float64, `changed_at` timestamp, `final_on` date, file_name string);
create or replace external table answerlake_files.competitor_heatmap_latest options (format = 'PARQUET', uris = ['gs://bucket/export/competitor_heatmap_latest/*.parquet']);
create table if not exists answerlake.competitor_heatmap_trend (`project_id` string, `project_name` string, `window_start` date, `window_end` date, `days_in_window` int64, `competitor_name` string, `competitor_domain` string, `relation` string, `is_own_brand` bool, `competitor_rank` int64, `model_id` string, `model_name` string, `is_deprecated_model` bool, `visibility_pct` float64, `own_visibility_pct` float64, `gap_points` float64, `previous_visibility_pct` float64, `change_points` float64, `changed_at` timestamp, `final_on` date, file_name string);
create or replace external table answerlake_files.competitor_heatmap_trend options (format = 'PARQUET', uris = ['gs://bucket/export/competitor_heatmap_trend/*.parquet']);
create table if not exists answerlake.competitor_mention_trend (`project_id` string, `project_name` string, `window_start` date, `window_end` date, `days_in_window` int64, `competitor` string, `is_tracked` bool, `mention_count` int64, `mention_share_pct` float64, `previous_mention_count` int64, `previous_mention_share_pct` float64, `changed_at` timestamp, `final_on` date, file_name string);
create or replace external table answerlake_files.competitor_mention_trend options (format = 'PARQUET', uris = ['gs://bucket/export/competitor_mention_trend/*.parquet']);
create table if not exists answerlake.crawler_page_trend (`project_id` string, `project_name` string, `window_start` date, `window_end` date, `days_in_window` int64, `request_path` string, `crawler_requests_count` int64, `listed_share_pct` float64, `unique_crawlers_count` int64, `previous_crawler_requests_count` int64, `previous_days_in_window` int64, `crawler_requests_change` int64, `crawler_requests_per_day_change` float64, `changed_at` timestamp, `final_on` date, file_name string);
create or replace external table answerlake_files.crawler_page_trend options (format = 'PARQUET', uris = ['gs://bucket/export/crawler_page_trend/*.parquet']);
create table if not exists answerlake.crawler_pages (`project_id` string, `project_name` string, `window_start` date, `window_end` date, `request_path` string, `crawler_requests_count` int64, `requests_rank` int64, `unique_crawlers_count` int64, `crawlers` string, `changed_at` timestamp, `final_on` date, file_name string);
create or replace external table answerlake_files.crawler_pages options (format = 'PARQUET', uris = ['gs://bucket/export/crawler_pages/*.parquet']);
create table if not exists answerlake.crawler_visitor_funnel (`project_id` string, `project_name` string, `date` date, `vendor` string, `is_known_vendor` bool, `training_requests_count` int64, `search_requests_count` int64, `user_requests_count` int64, `other_requests_count` int64, `crawler_requests_count` int64, `ai_visits_count` int64, `is_final` bool, `changed_at` timestamp, `final_on` date, file_name string);
create or replace external table answerlake_files.crawler_visitor_funnel options (format = 'PARQUET', uris = ['gs://bucket/export/crawler_visitor_funnel/*.parquet']);
create table if not exists answerlake.daily_kpis (`project_id` string, `project_name` string, `date` date, `visibility` float64, `sentiment` float64, `share_of_voice_pct` float64, `organic_responses` int64, `organic_brand_mentions` int64, `positive_count` int64, `negative_count` int64, `neutral_count` int64, `unknown_count` int64, `known_count` int64, `net_sentiment_pct` float64, `net_sentiment_known_pct` float64, `citations_count` int64, `average_citation_rank` float64, `crawler_requests_count` int64, `ai_visits_count` int64, `actions_completed` int64, `prompts_created` int64, `prompts_deleted` int64, `event_titles` string, `traffic_timezone` string, `is_final` bool, `changed_at` timestamp, `final_on` date, file_name string);
create or replace external table answerlake_files.daily_kpis options (format = 'PARQUET', uris = ['gs://bucket/export/daily_kpis/*.parquet']);
create table if not exists answerlake.deleted_rows (`schema_name` string, `view_name` string, `key` string, `project_id` string, `date` date, `deleted_at` timestamp, file_name string);
create or replace external table answerlake_files.deleted_rows options (format = 'PARQUET', uris = ['gs://bucket/export/deleted_rows/*.parquet']);
create table if not exists answerlake.domain_citation_trend (`project_id` string, `project_name` string, `date` date, `domain` string, `is_own_domain` bool, `citations_count` int64, `listed_citations_count` int64, `listed_citations_share_pct` float64, `own_citations_count` int64, `own_citations_share_pct` float64, `previous_date` date, `previous_citations_count` int64, `citations_change` int64, `last_told_on` date, `is_final` bool, `changed_at` timestamp, `final_on` date, file_name string);
create or replace external table answerlake_files.domain_citation_trend options (format = 'PARQUET', uris = ['gs://bucket/export/domain_citation_trend/*.parquet']);
create table if not exists answerlake.event_annotations (`project_id` string, `project_name` string, `event_id` string, `time` timestamp, `date` date, `title` string, `text` string, `tags` string, `type` string, `action_id` string, `action_type` string, `monitor_id` string, `monitor_name` string, `prompt_count` int64, file_name string);
create or replace external table answerlake_files.event_annotations options (format = 'PARQUET', uris = ['gs://bucket/export/event_annotations/*.parquet']);
create table if not exists answerlake.kpi_changes (`project_id` string, `project_name` string, `measure` string, `window_days` int64, `last_date` date, `value` float64, `previous_value` float64, `change` float64, `change_low` float64, `change_high` float64, `typical_change` float64, `is_clear` bool, `is_trend` bool, `setup_changes` string, `days_with_value` int64, `previous_days_with_value` int64, file_name string);
create or replace external table answerlake_files.kpi_changes options (format = 'PARQUET', uris = ['gs://bucket/export/kpi_changes/*.parquet']);
create table if not exists answerlake.landing_page_days (`project_id` string, `project_name` string, `landing_page` string, `date` date, `source` string, `ai_visits_count` int64, `is_final` bool, `changed_at` timestamp, `final_on` date, file_name string);
create or replace external table answerlake_files.landing_page_days options (format = 'PARQUET', uris = ['gs://bucket/export/landing_page_days/*.parquet']);
create table if not exists answerlake.model_kpis (`project_id` string, `project_name` string, `model_id` string, `model_name` string, `is_deprecated_model` bool, `date` date, `visibility` float64, `sentiment` float64, `share_of_voice_pct` float64, `organic_responses` int64, `organic_brand_mentions` int64, `is_final` bool, `changed_at` timestamp, `final_on` date, file_name string);
create or replace external table answerlake_files.model_kpis options (format = 'PARQUET', uris = ['gs://bucket/export/model_kpis/*.parquet']);
create table if not exists answerlake.model_sources (`project_id` string, `project_name` string, `window_start` date, `window_end` date, `days_in_window` int64, `model_id` string, `model_name` string, `provider_name` string, `is_known_model` bool, `is_deprecated_model` bool, `citations_count` int64, `citations_share_pct` float64, `unique_domains_count` int64, `unique_prompts_count` int64, `changed_at` timestamp, `final_on` date, file_name string);
create or replace external table answerlake_files.model_sources options (format = 'PARQUET', uris = ['gs://bucket/export/model_sources/*.parquet']);
create table if not exists answerlake.models (`model_id` string, `model_name` string, `provider_id` string, `provider_name` string, `provider_model_name` string, `api_identifier` string, `description` string, `is_search_enabled` bool, `is_live_search` bool, `is_known_model` bool, `is_deprecated_model` bool, file_name string);
create or replace external table answerlake_files.models options (format = 'PARQUET', uris = ['gs://bucket/export/models/*.parquet']);
create table if not exists answerlake.monitor_kpis (`project_id` string, `project_name` string, `monitor_id` string, `monitor_name` string, `date` date, `visibility` float64, `sentiment` float64, `share_of_voice_pct` float64, `organic_responses` int64, `organic_brand_mentions` int64, `is_final` bool, `changed_at` timestamp, `final_on` date, file_name string);
create or replace external table answerlake_files.monitor_kpis options (format = 'PARQUET', uris = ['gs://bucket/export/monitor_kpis/*.parquet']);
create table if not exists answerlake.monitors (`project_id` string, `project_name` string, `monitor_id` string, `monitor_name` string, `prompts_count` int64, `active_prompts_count` int64, file_name string);
create or replace external table answerlake_files.monitors options (format = 'PARQUET', uris = ['gs://bucket/export/monitors/*.parquet']);
create table if not exists answerlake.portfolio_changes (`organization_id` string, `organization_name` string, `level` string, `model_id` string, `model_name` string, `measure` string, `window_days` int64, `projects_count` int64, `up_count` int64, `down_count` int64, `median_change` float64, `change_low` float64, `change_high` float64, `is_portfolio_wide` bool, file_name string);
create or replace external table answerlake_files.portfolio_changes options (format = 'PARQUET', uris = ['gs://bucket/export/portfolio_changes/*.parquet']);
create table if not exists answerlake.projects (`project_id` string, `project_name` string, `slug` string, `organization_id` string, `organization_name` string, `first_date` date, `last_date` date, `last_whole_date` date, file_name string);
create or replace external table answerlake_files.projects options (format = 'PARQUET', uris = ['gs://bucket/export/projects/*.parquet']);
create table if not exists answerlake.prompt_catalog (`project_id` string, `project_name` string, `prompt_id` string, `prompt` string, `prompt_type` string, `intent` string, `language_code` string, `is_active` bool, `monitor_id` string, `monitor_name` string, `responses_count` int64, `search_volume` float64, `average_visibility` float64, `difficulty` float64, `created_at` timestamp, `updated_at` timestamp, `first_seen_on` date, `last_seen_on` date, file_name string);
create or replace external table answerlake_files.prompt_catalog options (format = 'PARQUET', uris = ['gs://bucket/export/prompt_catalog/*.parquet']);
create table if not exists answerlake.prompt_days (`project_id` string, `project_name` string, `prompt_id` string, `prompt` string, `prompt_type` string, `monitor_id` string, `monitor_name` string, `date` date, `visibility` float64, `sentiment` float64, `organic_responses` int64, `organic_brand_mentions` int64, `share_of_voice_pct` float64, `is_final` bool, `changed_at` timestamp, `final_on` date, file_name string);
create or replace external table answerlake_files.prompt_days options (format = 'PARQUET', uris = ['gs://bucket/export/prompt_days/*.parquet']);
create table if not exists answerlake.prompt_moves (`project_id` string, `project_name` string, `window_days` int64, `prompt_id` string, `prompt` string, `prompt_type` string, `monitor_id` string, `monitor_name` string, `before_from` date, `before_to` date, `after_from` date, `after_to` date, `responses_before` int64, `responses_after` int64, `visibility_before` float64, `visibility_after` float64, `change` float64, `contribution` float64, `rounding_error` float64, file_name string);
create or replace external table answerlake_files.prompt_moves options (format = 'PARQUET', uris = ['gs://bucket/export/prompt_moves/*.parquet']);
create table if not exists answerlake.prompt_trend (`project_id` string, `project_name` string, `prompt_id` string, `prompt` string, `prompt_type` string, `monitor_id` string, `monitor_name` string, `date` date, `is_active` bool, `average_visibility` float64, `responses_count` int64, `search_volume` float64, `difficulty` float64, `previous_date` date, `previous_average_visibility` float64, `average_visibility_change` float64, `new_responses_count` int64, `changed_at` timestamp, `final_on` date, file_name string);
create or replace external table answerlake_files.prompt_trend options (format = 'PARQUET', uris = ['gs://bucket/export/prompt_trend/*.parquet']);
create table if not exists answerlake.restated_values (`project_id` string, `project_name` string, `table_name` string, `column_name` string, `change` string, `date` date, `row_key` string, `old_value` string, `new_value` string, `old_number` float64, `new_number` float64, `change_number` float64, `was_final` bool, `run_id` string, `changed_at` timestamp, file_name string);
create or replace external table answerlake_files.restated_values options (format = 'PARQUET', uris = ['gs://bucket/export/restated_values/*.parquet']);
create table if not exists answerlake.sentiment_split (`project_id` string, `project_name` string, `date` date, `positive_count` int64, `negative_count` int64, `neutral_count` int64, `unknown_count` int64, `known_count` int64, `total_count` int64, `positive_pct` float64, `negative_pct` float64, `neutral_pct` float64, `unknown_pct` float64, `positive_pct_low` float64, `positive_pct_high` float64, `negative_pct_low` float64, `negative_pct_high` float64, `neutral_pct_low` float64, `neutral_pct_high` float64, `net_sentiment_pct` float64, `net_sentiment_pct_low` float64, `net_sentiment_pct_high` float64, `net_sentiment_known_pct` float64, `net_sentiment_known_pct_low` float64, `net_sentiment_known_pct_high` float64, `is_final` bool, `changed_at` timestamp, `final_on` date, file_name string);
create or replace external table answerlake_files.sentiment_split options (format = 'PARQUET', uris = ['gs://bucket/export/sentiment_split/*.parquet']);
create table if not exists answerlake.sentiment_with_events (`project_id` string, `project_name` string, `date` date, `sentiment` float64, `sentiment_7_day_mean` float64, `sentiment_previous_7_day_mean` float64, `sentiment_7_day_change` float64, `events_count` int64, `actions_completed` int64, `prompts_created` int64, `prompts_deleted` int64, `event_titles` string, `event_types` string, `is_final` bool, `changed_at` timestamp, `final_on` date, file_name string);
create or replace external table answerlake_files.sentiment_with_events options (format = 'PARQUET', uris = ['gs://bucket/export/sentiment_with_events/*.parquet']);
create table if not exists answerlake.setup_changes (`project_id` string, `project_name` string, `date` date, `what` string, `names` string, `count` int64, `share_of_answers` float64, `judged_by` string, `title` string, `moves_figures` bool, file_name string);
create or replace external table answerlake_files.setup_changes options (format = 'PARQUET', uris = ['gs://bucket/export/setup_changes/*.parquet']);
create table if not exists answerlake.share_of_voice_trend (`project_id` string, `project_name` string, `date` date, `organic_responses` int64, `organic_brand_mentions` int64, `share_of_voice_pct` float64, `share_of_voice_pct_low` float64, `share_of_voice_pct_high` float64, `previous_date` date, `previous_share_of_voice_pct` float64, `change_points` float64, `reported_previous_share_of_voice_pct` float64, `reported_change_points` float64, `is_final` bool, `changed_at` timestamp, `final_on` date, file_name string);
create or replace external table answerlake_files.share_of_voice_trend options (format = 'PARQUET', uris = ['gs://bucket/export/share_of_voice_trend/*.parquet']);
create table if not exists answerlake.sync_coverage (`project_id` string, `project_name` string, `endpoint` string, `date` date, `series_expected_count` int64, `series_covered_count` int64, `series_settled_count` int64, `is_covered` bool, `is_settled` bool, `status` string, `known_reason` string, `known_first_on` date, `asked_on` date, file_name string);
create or replace external table answerlake_files.sync_coverage options (format = 'PARQUET', uris = ['gs://bucket/export/sync_coverage/*.parquet']);
create table if not exists answerlake.sync_freshness (`project_id` string, `project_name` string, `endpoint` string, `status` string, `last_asked_at` timestamp, `last_success_at` timestamp, `last_covered_date` date, `lag_days` int64, `age_hours` float64, `max_age_hours` float64, `is_stale` bool, `slices_done_count` int64, `slices_failed_count` int64, `slices_suspicious_count` int64, `last_error` string, file_name string);
create or replace external table answerlake_files.sync_freshness options (format = 'PARQUET', uris = ['gs://bucket/export/sync_freshness/*.parquet']);
create table if not exists answerlake.sync_gaps (`project_id` string, `project_name` string, `endpoint` string, `date` date, `status` string, `last_status` string, `known_reason` string, `known_first_on` date, file_name string);
create or replace external table answerlake_files.sync_gaps options (format = 'PARQUET', uris = ['gs://bucket/export/sync_gaps/*.parquet']);
create table if not exists answerlake.sync_settings (`sync_day` date, `clock_day` date, `start_date` date, `lookback_days` int64, `timezone` string, `base_url` string, `timezone_lag_days` int64, file_name string);
create or replace external table answerlake_files.sync_settings options (format = 'PARQUET', uris = ['gs://bucket/export/sync_settings/*.parquet']);
create table if not exists answerlake.targets (`project_id` string, `project_name` string, `measure` string, `goal` float64, `due_date` date, `last_date` date, `value` float64, `distance` float64, `projected_value` float64, `projected_low` float64, `projected_high` float64, `is_reached` bool, `is_on_course` bool, `is_sure` bool, file_name string);
create or replace external table answerlake_files.targets options (format = 'PARQUET', uris = ['gs://bucket/export/targets/*.parquet']);
create table if not exists answerlake.turning_points (`project_id` string, `project_name` string, `measure` string, `date` date, `value_before` float64, `value_after` float64, `change` float64, `typical_change` float64, `drift` float64, `candidates_count` int64, `candidate_ids` string, `candidate_titles` string, `is_final` bool, file_name string);
create or replace external table answerlake_files.turning_points options (format = 'PARQUET', uris = ['gs://bucket/export/turning_points/*.parquet']);
create table if not exists answerlake.visibility_with_events (`project_id` string, `project_name` string, `date` date, `visibility` float64, `visibility_7_day_mean` float64, `visibility_previous_7_day_mean` float64, `visibility_7_day_change` float64, `events_count` int64, `actions_completed` int64, `prompts_created` int64, `prompts_deleted` int64, `event_titles` string, `event_types` string, `is_final` bool, `changed_at` timestamp, `final_on` date, file_name string);
create or replace external table answerlake_files.visibility_with_events options (format = 'PARQUET', uris = ['gs://bucket/export/visibility_with_events/*.parquet']);
create table if not exists answerlake.why_visibility_moved (`project_id` string, `project_name` string, `window_days` int64, `before_from` date, `before_to` date, `after_from` date, `after_to` date, `visibility_before` float64, `visibility_after` float64, `before_as_reported` float64, `change` float64, `part` string, `points` float64, `typical_change` float64, `judged_by` string, `not_told` string, file_name string);
create or replace external table answerlake_files.why_visibility_moved options (format = 'PARQUET', uris = ['gs://bucket/export/why_visibility_moved/*.parquet']);
create table if not exists answerlake.window_summary (`project_id` string, `project_name` string, `window_start` date, `window_end` date, `days_in_window` int64, `all_responses` int64, `all_brand_mentions` int64, `brand_mention_rate` float64, `positive_count` int64, `negative_count` int64, `neutral_count` int64, `unknown_count` int64, `current_share_of_voice_pct` float64, `previous_share_of_voice_pct` float64, `changed_at` timestamp, `final_on` date, file_name string);
create or replace external table answerlake_files.window_summary options (format = 'PARQUET', uris = ['gs://bucket/export/window_summary/*.parquet']);

begin transaction;

delete from answerlake.action_group_impact where file_name not in (select file_name from answerlake.manifest where table_name = 'action_group_impact');
insert into answerlake.action_group_impact (`project_id`, `project_name`, `overlap_group_id`, `first_date`, `last_date`, `actions`, `titles`, `visibility_before`, `visibility_after`, `visibility_change`, `visibility_typical_change`, `visibility_effect`, `visibility_effect_low`, `visibility_effect_high`, `visibility_is_clear`, `visibility_effect_15_28`, `visibility_effect_15_28_low`, `visibility_effect_15_28_high`, `visibility_effect_15_28_is_clear`, `visibility_effect_29_56`, `visibility_effect_29_56_low`, `visibility_effect_29_56_high`, `visibility_effect_29_56_is_clear`, `sentiment_before`, `sentiment_after`, `sentiment_change`, `sentiment_typical_change`, `sentiment_effect`, `sentiment_effect_low`, `sentiment_effect_high`, `sentiment_is_clear`, `sentiment_effect_15_28`, `sentiment_effect_15_28_low`, `sentiment_effect_15_28_high`, `sentiment_effect_15_28_is_clear`, `sentiment_effect_29_56`, `sentiment_effect_29_56_low`, `sentiment_effect_29_56_high`, `sentiment_effect_29_56_is_clear`, `share_of_voice_before`, `share_of_voice_after`, `share_of_voice_change`, `share_of_voice_typical_change`, `share_of_voice_effect`, `share_of_voice_effect_low`, `share_of_voice_effect_high`, `share_of_voice_is_clear`, `share_of_voice_effect_15_28`, `share_of_voice_effect_15_28_low`, `share_of_voice_effect_15_28_high`, `share_of_voice_effect_15_28_is_clear`, `share_of_voice_effect_29_56`, `share_of_voice_effect_29_56_low`, `share_of_voice_effect_29_56_high`, `share_of_voice_effect_29_56_is_clear`, `not_judged`, `days_before`, `days_after`, `other_actions_count`, `setup_change_titles`, `is_final`, file_name)
select cast(`project_id` as string), cast(`project_name` as string), cast(`overlap_group_id` as string), cast(`first_date` as date), cast(`last_date` as date), cast(`actions` as int64), cast(`titles` as string), cast(`visibility_before` as float64), cast(`visibility_after` as float64), cast(`visibility_change` as float64), cast(`visibility_typical_change` as float64), cast(`visibility_effect` as float64), cast(`visibility_effect_low` as float64), cast(`visibility_effect_high` as float64), cast(`visibility_is_clear` as bool), cast(`visibility_effect_15_28` as float64), cast(`visibility_effect_15_28_low` as float64), cast(`visibility_effect_15_28_high` as float64), cast(`visibility_effect_15_28_is_clear` as bool), cast(`visibility_effect_29_56` as float64), cast(`visibility_effect_29_56_low` as float64), cast(`visibility_effect_29_56_high` as float64), cast(`visibility_effect_29_56_is_clear` as bool), cast(`sentiment_before` as float64), cast(`sentiment_after` as float64), cast(`sentiment_change` as float64), cast(`sentiment_typical_change` as float64), cast(`sentiment_effect` as float64), cast(`sentiment_effect_low` as float64), cast(`sentiment_effect_high` as float64), cast(`sentiment_is_clear` as bool), cast(`sentiment_effect_15_28` as float64), cast(`sentiment_effect_15_28_low` as float64), cast(`sentiment_effect_15_28_high` as float64), cast(`sentiment_effect_15_28_is_clear` as bool), cast(`sentiment_effect_29_56` as float64), cast(`sentiment_effect_29_56_low` as float64), cast(`sentiment_effect_29_56_high` as float64), cast(`sentiment_effect_29_56_is_clear` as bool), cast(`share_of_voice_before` as float64), cast(`share_of_voice_after` as float64), cast(`share_of_voice_change` as float64), cast(`share_of_voice_typical_change` as float64), cast(`share_of_voice_effect` as float64), cast(`share_of_voice_effect_low` as float64), cast(`share_of_voice_effect_high` as float64), cast(`share_of_voice_is_clear` as bool), cast(`share_of_voice_effect_15_28` as float64), cast(`share_of_voice_effect_15_28_low` as float64), cast(`share_of_voice_effect_15_28_high` as float64), cast(`share_of_voice_effect_15_28_is_clear` as bool), cast(`share_of_voice_effect_29_56` as float64), cast(`share_of_voice_effect_29_56_low` as float64), cast(`share_of_voice_effect_29_56_high` as float64), cast(`share_of_voice_effect_29_56_is_clear` as bool), cast(`not_judged` as string), cast(`days_before` as int64), cast(`days_after` as int64), cast(`other_actions_count` as int64), cast(`setup_change_titles` as string), cast(`is_final` as bool), regexp_extract(_FILE_NAME, r'[^/]+$')
from answerlake_files.action_group_impact
where regexp_extract(_FILE_NAME, r'[^/]+$') in (select file_name from answerlake.manifest where table_name = 'action_group_impact')
  and regexp_extract(_FILE_NAME, r'[^/]+$') not in (select file_name from answerlake.action_group_impact);

delete from answerlake.action_impact where file_name not in (select file_name from answerlake.manifest where table_name = 'action_impact');
insert into answerlake.action_impact (`project_id`, `project_name`, `event_id`, `action_id`, `action_type`, `action_title`, `date`, `occurred_at`, `overlap_group_id`, `visibility_before`, `visibility_after`, `visibility_change`, `visibility_typical_change`, `visibility_effect`, `visibility_effect_low`, `visibility_effect_high`, `visibility_is_clear`, `sentiment_before`, `sentiment_after`, `sentiment_change`, `sentiment_typical_change`, `sentiment_effect`, `sentiment_effect_low`, `sentiment_effect_high`, `sentiment_is_clear`, `share_of_voice_before_pct`, `share_of_voice_after_pct`, `share_of_voice_change_points`, `share_of_voice_typical_change`, `share_of_voice_effect`, `share_of_voice_effect_low`, `share_of_voice_effect_high`, `share_of_voice_is_clear`, `not_judged`, `days_before`, `days_after`, `sentiment_days_before`, `sentiment_days_after`, `share_of_voice_days_before`, `share_of_voice_days_after`, `other_events_count`, `other_actions_count`, `setup_change_titles`, `is_comparable`, `is_final`, file_name)
select cast(`project_id` as string), cast(`project_name` as string), cast(`event_id` as string), cast(`action_id` as string), cast(`action_type` as string), cast(`action_title` as string), cast(`date` as date), cast(`occurred_at` as timestamp), cast(`overlap_group_id` as string), cast(`visibility_before` as float64), cast(`visibility_after` as float64), cast(`visibility_change` as float64), cast(`visibility_typical_change` as float64), cast(`visibility_effect` as float64), cast(`visibility_effect_low` as float64), cast(`visibility_effect_high` as float64), cast(`visibility_is_clear` as bool), cast(`sentiment_before` as float64), cast(`sentiment_after` as float64), cast(`sentiment_change` as float64), cast(`sentiment_typical_change` as float64), cast(`sentiment_effect` as float64), cast(`sentiment_effect_low` as float64), cast(`sentiment_effect_high` as float64), cast(`sentiment_is_clear` as bool), cast(`share_of_voice_before_pct` as float64), cast(`share_of_voice_after_pct` as float64), cast(`share_of_voice_change_points` as float64), cast(`share_of_voice_typical_change` as float64), cast(`share_of_voice_effect` as float64), cast(`share_of_voice_effect_low` as float64), cast(`share_of_voice_effect_high` as float64), cast(`share_of_voice_is_clear` as bool), cast(`not_judged` as string), cast(`days_before` as int64), cast(`days_after` as int64), cast(`sentiment_days_before` as int64), cast(`sentiment_days_after` as int64), cast(`share_of_voice_days_before` as int64), cast(`share_of_voice_days_after` as int64), cast(`other_events_count` as int64), cast(`other_actions_count` as int64), cast(`setup_change_titles` as string), cast(`is_comparable` as bool), cast(`is_final` as bool), regexp_extract(_FILE_NAME, r'[^/]+$')
from answerlake_files.action_impact
where regexp_extract(_FILE_NAME, r'[^/]+$') in (select file_name from answerlake.manifest where table_name = 'action_impact')
  and regexp_extract(_FILE_NAME, r'[^/]+$') not in (select file_name from answerlake.action_impact);

delete from answerlake.action_type_impact where file_name not in (select file_name from answerlake.manifest where table_name = 'action_type_impact');
insert into answerlake.action_type_impact (`project_id`, `project_name`, `organization_id`, `action_type`, `measure`, `actions_count`, `judged_count`, `weeks_count`, `mean_effect`, `effect_low`, `effect_high`, `is_clear`, file_name)
select cast(`project_id` as string), cast(`project_name` as string), cast(`organization_id` as string), cast(`action_type` as string), cast(`measure` as string), cast(`actions_count` as int64), cast(`judged_count` as int64), cast(`weeks_count` as int64), cast(`mean_effect` as float64), cast(`effect_low` as float64), cast(`effect_high` as float64), cast(`is_clear` as bool), regexp_extract(_FILE_NAME, r'[^/]+$')
from answerlake_files.action_type_impact
where regexp_extract(_FILE_NAME, r'[^/]+$') in (select file_name from answerlake.manifest where table_name = 'action_type_impact')
  and regexp_extract(_FILE_NAME, r'[^/]+$') not in (select file_name from answerlake.action_type_impact);

delete from answerlake.ai_traffic where file_name not in (select file_name from answerlake.manifest where table_name = 'ai_traffic');
insert into answerlake.ai_traffic (`project_id`, `project_name`, `date`, `source_kind`, `source`, `crawler_requests_count`, `ai_visits_count`, `is_final`, `changed_at`, `final_on`, file_name)
select cast(`project_id` as string), cast(`project_name` as string), cast(`date` as date), cast(`source_kind` as string), cast(`source` as string), cast(`crawler_requests_count` as int64), cast(`ai_visits_count` as int64), cast(`is_final` as bool), cast(`changed_at` as timestamp), cast(`final_on` as date), regexp_extract(_FILE_NAME, r'[^/]+$')
from answerlake_files.ai_traffic
where regexp_extract(_FILE_NAME, r'[^/]+$') in (select file_name from answerlake.manifest where table_name = 'ai_traffic')
  and regexp_extract(_FILE_NAME, r'[^/]+$') not in (select file_name from answerlake.ai_traffic);

delete from answerlake.ai_vendors where file_name not in (select file_name from answerlake.manifest where table_name = 'ai_vendors');
insert into answerlake.ai_vendors (`source_kind`, `source`, `source_key`, `vendor`, `purpose`, file_name)
select cast(`source_kind` as string), cast(`source` as string), cast(`source_key` as string), cast(`vendor` as string), cast(`purpose` as string), regexp_extract(_FILE_NAME, r'[^/]+$')
from answerlake_files.ai_vendors
where regexp_extract(_FILE_NAME, r'[^/]+$') in (select file_name from answerlake.manifest where table_name = 'ai_vendors')
  and regexp_extract(_FILE_NAME, r'[^/]+$') not in (select file_name from answerlake.ai_vendors);

delete from answerlake.anomalies where file_name not in (select file_name from answerlake.manifest where table_name = 'anomalies');
insert into answerlake.anomalies (`project_id`, `project_name`, `measure`, `date`, `value`, `expected_value`, `deviations`, `is_final`, file_name)
select cast(`project_id` as string), cast(`project_name` as string), cast(`measure` as string), cast(`date` as date), cast(`value` as float64), cast(`expected_value` as float64), cast(`deviations` as float64), cast(`is_final` as bool), regexp_extract(_FILE_NAME, r'[^/]+$')
from answerlake_files.anomalies
where regexp_extract(_FILE_NAME, r'[^/]+$') in (select file_name from answerlake.manifest where table_name = 'anomalies')
  and regexp_extract(_FILE_NAME, r'[^/]+$') not in (select file_name from answerlake.anomalies);

delete from answerlake.brand_mention_share where file_name not in (select file_name from answerlake.manifest where table_name = 'brand_mention_share');
insert into answerlake.brand_mention_share (`project_id`, `project_name`, `date`, `brand_id`, `brand_name`, `relation`, `is_own_brand`, `mention_count`, `all_mention_count`, `mention_share_pct`, `mention_share_pct_low`, `mention_share_pct_high`, `own_mention_share_pct`, `mention_rank`, `is_final`, `changed_at`, `final_on`, file_name)
select cast(`project_id` as string), cast(`project_name` as string), cast(`date` as date), cast(`brand_id` as string), cast(`brand_name` as string), cast(`relation` as string), cast(`is_own_brand` as bool), cast(`mention_count` as int64), cast(`all_mention_count` as int64), cast(`mention_share_pct` as float64), cast(`mention_share_pct_low` as float64), cast(`mention_share_pct_high` as float64), cast(`own_mention_share_pct` as float64), cast(`mention_rank` as int64), cast(`is_final` as bool), cast(`changed_at` as timestamp), cast(`final_on` as date), regexp_extract(_FILE_NAME, r'[^/]+$')
from answerlake_files.brand_mention_share
where regexp_extract(_FILE_NAME, r'[^/]+$') in (select file_name from answerlake.manifest where table_name = 'brand_mention_share')
  and regexp_extract(_FILE_NAME, r'[^/]+$') not in (select file_name from answerlake.brand_mention_share);

delete from answerlake.brand_visibility_trend where file_name not in (select file_name from answerlake.manifest where table_name = 'brand_visibility_trend');
insert into answerlake.brand_visibility_trend (`project_id`, `project_name`, `date`, `brand_id`, `brand_name`, `brand_domain`, `relation`, `is_own_brand`, `visibility_pct`, `average_visibility`, `mention_count`, `all_responses`, `own_visibility_pct`, `own_average_visibility`, `own_mention_count`, `gap_points`, `is_final`, `changed_at`, `final_on`, file_name)
select cast(`project_id` as string), cast(`project_name` as string), cast(`date` as date), cast(`brand_id` as string), cast(`brand_name` as string), cast(`brand_domain` as string), cast(`relation` as string), cast(`is_own_brand` as bool), cast(`visibility_pct` as float64), cast(`average_visibility` as float64), cast(`mention_count` as int64), cast(`all_responses` as int64), cast(`own_visibility_pct` as float64), cast(`own_average_visibility` as float64), cast(`own_mention_count` as int64), cast(`gap_points` as float64), cast(`is_final` as bool), cast(`changed_at` as timestamp), cast(`final_on` as date), regexp_extract(_FILE_NAME, r'[^/]+$')
from answerlake_files.brand_visibility_trend
where regexp_extract(_FILE_NAME, r'[^/]+$') in (select file_name from answerlake.manifest where table_name = 'brand_visibility_trend')
  and regexp_extract(_FILE_NAME, r'[^/]+$') not in (select file_name from answerlake.brand_visibility_trend);

delete from answerlake.brands where file_name not in (select file_name from answerlake.manifest where table_name = 'brands');
insert into answerlake.brands (`project_id`, `project_name`, `brand_id`, `brand_name`, `brand_domain`, `relation`, `is_own_brand`, file_name)
select cast(`project_id` as string), cast(`project_name` as string), cast(`brand_id` as string), cast(`brand_name` as string), cast(`brand_domain` as string), cast(`relation` as string), cast(`is_own_brand` as bool), regexp_extract(_FILE_NAME, r'[^/]+$')
from answerlake_files.brands
where regexp_extract(_FILE_NAME, r'[^/]+$') in (select file_name from answerlake.manifest where table_name = 'brands')
  and regexp_extract(_FILE_NAME, r'[^/]+$') not in (select file_name from answerlake.brands);

delete from answerlake.calendar where file_name not in (select file_name from answerlake.manifest where table_name = 'calendar');
insert into answerlake.calendar (`date`, `iso_year`, `iso_week`, `iso_day_of_week`, `day_name`, `week_start`, `month_start`, `quarter_start`, `year`, `month`, `is_weekend`, `is_whole_day`, file_name)
select cast(`date` as date), cast(`iso_year` as int64), cast(`iso_week` as int64), cast(`iso_day_of_week` as int64), cast(`day_name` as string), cast(`week_start` as date), cast(`month_start` as date), cast(`quarter_start` as date), cast(`year` as int64), cast(`month` as int64), cast(`is_weekend` as bool), cast(`is_whole_day` as bool), regexp_extract(_FILE_NAME, r'[^/]+$')
from answerlake_files.calendar
where regexp_extract(_FILE_NAME, r'[^/]+$') in (select file_name from answerlake.manifest where table_name = 'calendar')
  and regexp_extract(_FILE_NAME, r'[^/]+$') not in (select file_name from answerlake.calendar);

delete from answerlake.citation_rank_trend where file_name not in (select file_name from answerlake.manifest where table_name = 'citation_rank_trend');
insert into answerlake.citation_rank_trend (`project_id`, `project_name`, `date`, `citations_count`, `ranked_citations_count`, `ranked_citations_pct`, `average_citation_rank`, `best_citation_rank`, `worst_citation_rank`, `previous_date`, `previous_average_citation_rank`, `average_citation_rank_change`, `is_final`, `changed_at`, `final_on`, file_name)
select cast(`project_id` as string), cast(`project_name` as string), cast(`date` as date), cast(`citations_count` as int64), cast(`ranked_citations_count` as int64), cast(`ranked_citations_pct` as float64), cast(`average_citation_rank` as float64), cast(`best_citation_rank` as float64), cast(`worst_citation_rank` as float64), cast(`previous_date` as date), cast(`previous_average_citation_rank` as float64), cast(`average_citation_rank_change` as float64), cast(`is_final` as bool), cast(`changed_at` as timestamp), cast(`final_on` as date), regexp_extract(_FILE_NAME, r'[^/]+$')
from answerlake_files.citation_rank_trend
where regexp_extract(_FILE_NAME, r'[^/]+$') in (select file_name from answerlake.manifest where table_name = 'citation_rank_trend')
  and regexp_extract(_FILE_NAME, r'[^/]+$') not in (select file_name from answerlake.citation_rank_trend);

delete from answerlake.cited_domains where file_name not in (select file_name from answerlake.manifest where table_name = 'cited_domains');
insert into answerlake.cited_domains (`project_id`, `project_name`, `window_start`, `window_end`, `days_in_window`, `domain`, `is_own_domain`, `domain_status`, `citations_count`, `citations_share_pct`, `average_citation_rank`, `previous_citations_count`, `previous_days_in_window`, `citations_change`, `citations_per_day_change`, `previous_average_citation_rank`, `window_citations_count`, `changed_at`, `final_on`, file_name)
select cast(`project_id` as string), cast(`project_name` as string), cast(`window_start` as date), cast(`window_end` as date), cast(`days_in_window` as int64), cast(`domain` as string), cast(`is_own_domain` as bool), cast(`domain_status` as string), cast(`citations_count` as int64), cast(`citations_share_pct` as float64), cast(`average_citation_rank` as float64), cast(`previous_citations_count` as int64), cast(`previous_days_in_window` as int64), cast(`citations_change` as int64), cast(`citations_per_day_change` as float64), cast(`previous_average_citation_rank` as float64), cast(`window_citations_count` as int64), cast(`changed_at` as timestamp), cast(`final_on` as date), regexp_extract(_FILE_NAME, r'[^/]+$')
from answerlake_files.cited_domains
where regexp_extract(_FILE_NAME, r'[^/]+$') in (select file_name from answerlake.manifest where table_name = 'cited_domains')
  and regexp_extract(_FILE_NAME, r'[^/]+$') not in (select file_name from answerlake.cited_domains);

delete from answerlake.competitor_gap where file_name not in (select file_name from answerlake.manifest where table_name = 'competitor_gap');
insert into answerlake.competitor_gap (`project_id`, `project_name`, `date`, `competitor_brand_id`, `competitor_name`, `competitor_domain`, `relation`, `competitor_visibility_pct`, `own_visibility_pct`, `gap_points`, `competitor_average_visibility`, `own_average_visibility`, `score_gap`, `competitor_mention_count`, `own_mention_count`, `is_own_brand_ahead`, `is_final`, `changed_at`, `final_on`, file_name)
select cast(`project_id` as string), cast(`project_name` as string), cast(`date` as date), cast(`competitor_brand_id` as string), cast(`competitor_name` as string), cast(`competitor_domain` as string), cast(`relation` as string), cast(`competitor_visibility_pct` as float64), cast(`own_visibility_pct` as float64), cast(`gap_points` as float64), cast(`competitor_average_visibility` as float64), cast(`own_average_visibility` as float64), cast(`score_gap` as float64), cast(`competitor_mention_count` as int64), cast(`own_mention_count` as int64), cast(`is_own_brand_ahead` as bool), cast(`is_final` as bool), cast(`changed_at` as timestamp), cast(`final_on` as date), regexp_extract(_FILE_NAME, r'[^/]+$')
from answerlake_files.competitor_gap
where regexp_extract(_FILE_NAME, r'[^/]+$') in (select file_name from answerlake.manifest where table_name = 'competitor_gap')
  and regexp_extract(_FILE_NAME, r'[^/]+$') not in (select file_name from answerlake.competitor_gap);

delete from answerlake.competitor_heatmap_latest where file_name not in (select file_name from answerlake.manifest where table_name = 'competitor_heatmap_latest');
insert into answerlake.competitor_heatmap_latest (`project_id`, `project_name`, `window_start`, `window_end`, `competitor_name`, `competitor_domain`, `relation`, `is_own_brand`, `competitor_rank`, `model_id`, `model_name`, `is_deprecated_model`, `visibility_pct`, `own_visibility_pct`, `gap_points`, `changed_at`, `final_on`, file_name)
select cast(`project_id` as string), cast(`project_name` as string), cast(`window_start` as date), cast(`window_end` as date), cast(`competitor_name` as string), cast(`competitor_domain` as string), cast(`relation` as string), cast(`is_own_brand` as bool), cast(`competitor_rank` as int64), cast(`model_id` as string), cast(`model_name` as string), cast(`is_deprecated_model` as bool), cast(`visibility_pct` as float64), cast(`own_visibility_pct` as float64), cast(`gap_points` as float64), cast(`changed_at` as timestamp), cast(`final_on` as date), regexp_extract(_FILE_NAME, r'[^/]+$')
from answerlake_files.competitor_heatmap_latest
where regexp_extract(_FILE_NAME, r'[^/]+$') in (select file_name from answerlake.manifest where table_name = 'competitor_heatmap_latest')
  and regexp_extract(_FILE_NAME, r'[^/]+$') not in (select file_name from answerlake.competitor_heatmap_latest);

delete from answerlake.competitor_heatmap_trend where file_name not in (select file_name from answerlake.manifest where table_name = 'competitor_heatmap_trend');
insert into answerlake.competitor_heatmap_trend (`project_id`, `project_name`, `window_start`, `window_end`, `days_in_window`, `competitor_name`, `competitor_domain`, `relation`, `is_own_brand`, `competitor_rank`, `model_id`, `model_name`, `is_deprecated_model`, `visibility_pct`, `own_visibility_pct`, `gap_points`, `previous_visibility_pct`, `change_points`, `changed_at`, `final_on`, file_name)
select cast(`project_id` as string), cast(`project_name` as string), cast(`window_start` as date), cast(`window_end` as date), cast(`days_in_window` as int64), cast(`competitor_name` as string), cast(`competitor_domain` as string), cast(`relation` as string), cast(`is_own_brand` as bool), cast(`competitor_rank` as int64), cast(`model_id` as string), cast(`model_name` as string), cast(`is_deprecated_model` as bool), cast(`visibility_pct` as float64), cast(`own_visibility_pct` as float64), cast(`gap_points` as float64), cast(`previous_visibility_pct` as float64), cast(`change_points` as float64), cast(`changed_at` as timestamp), cast(`final_on` as date), regexp_extract(_FILE_NAME, r'[^/]+$')
from answerlake_files.competitor_heatmap_trend
where regexp_extract(_FILE_NAME, r'[^/]+$') in (select file_name from answerlake.manifest where table_name = 'competitor_heatmap_trend')
  and regexp_extract(_FILE_NAME, r'[^/]+$') not in (select file_name from answerlake.competitor_heatmap_trend);

delete from answerlake.competitor_mention_trend where file_name not in (select file_name from answerlake.manifest where table_name = 'competitor_mention_trend');
insert into answerlake.competitor_mention_trend (`project_id`, `project_name`, `window_start`, `window_end`, `days_in_window`, `competitor`, `is_tracked`, `mention_count`, `mention_share_pct`, `previous_mention_count`, `previous_mention_share_pct`, `changed_at`, `final_on`, file_name)
select cast(`project_id` as string), cast(`project_name` as string), cast(`window_start` as date), cast(`window_end` as date), cast(`days_in_window` as int64), cast(`competitor` as string), cast(`is_tracked` as bool), cast(`mention_count` as int64), cast(`mention_share_pct` as float64), cast(`previous_mention_count` as int64), cast(`previous_mention_share_pct` as float64), cast(`changed_at` as timestamp), cast(`final_on` as date), regexp_extract(_FILE_NAME, r'[^/]+$')
from answerlake_files.competitor_mention_trend
where regexp_extract(_FILE_NAME, r'[^/]+$') in (select file_name from answerlake.manifest where table_name = 'competitor_mention_trend')
  and regexp_extract(_FILE_NAME, r'[^/]+$') not in (select file_name from answerlake.competitor_mention_trend);

delete from answerlake.crawler_page_trend where file_name not in (select file_name from answerlake.manifest where table_name = 'crawler_page_trend');
insert into answerlake.crawler_page_trend (`project_id`, `project_name`, `window_start`, `window_end`, `days_in_window`, `request_path`, `crawler_requests_count`, `listed_share_pct`, `unique_crawlers_count`, `previous_crawler_requests_count`, `previous_days_in_window`, `crawler_requests_change`, `crawler_requests_per_day_change`, `changed_at`, `final_on`, file_name)
select cast(`project_id` as string), cast(`project_name` as string), cast(`window_start` as date), cast(`window_end` as date), cast(`days_in_window` as int64), cast(`request_path` as string), cast(`crawler_requests_count` as int64), cast(`listed_share_pct` as float64), cast(`unique_crawlers_count` as int64), cast(`previous_crawler_requests_count` as int64), cast(`previous_days_in_window` as int64), cast(`crawler_requests_change` as int64), cast(`crawler_requests_per_day_change` as float64), cast(`changed_at` as timestamp), cast(`final_on` as date), regexp_extract(_FILE_NAME, r'[^/]+$')
from answerlake_files.crawler_page_trend
where regexp_extract(_FILE_NAME, r'[^/]+$') in (select file_name from answerlake.manifest where table_name = 'crawler_page_trend')
  and regexp_extract(_FILE_NAME, r'[^/]+$') not in (select file_name from answerlake.crawler_page_trend);

delete from answerlake.crawler_pages where file_name not in (select file_name from answerlake.manifest where table_name = 'crawler_pages');
insert into answerlake.crawler_pages (`project_id`, `project_name`, `window_start`, `window_end`, `request_path`, `crawler_requests_count`, `requests_rank`, `unique_crawlers_count`, `crawlers`, `changed_at`, `final_on`, file_name)
select cast(`project_id` as string), cast(`project_name` as string), cast(`window_start` as date), cast(`window_end` as date), cast(`request_path` as string), cast(`crawler_requests_count` as int64), cast(`requests_rank` as int64), cast(`unique_crawlers_count` as int64), cast(`crawlers` as string), cast(`changed_at` as timestamp), cast(`final_on` as date), regexp_extract(_FILE_NAME, r'[^/]+$')
from answerlake_files.crawler_pages
where regexp_extract(_FILE_NAME, r'[^/]+$') in (select file_name from answerlake.manifest where table_name = 'crawler_pages')
  and regexp_extract(_FILE_NAME, r'[^/]+$') not in (select file_name from answerlake.crawler_pages);

delete from answerlake.crawler_visitor_funnel where file_name not in (select file_name from answerlake.manifest where table_name = 'crawler_visitor_funnel');
insert into answerlake.crawler_visitor_funnel (`project_id`, `project_name`, `date`, `vendor`, `is_known_vendor`, `training_requests_count`, `search_requests_count`, `user_requests_count`, `other_requests_count`, `crawler_requests_count`, `ai_visits_count`, `is_final`, `changed_at`, `final_on`, file_name)
select cast(`project_id` as string), cast(`project_name` as string), cast(`date` as date), cast(`vendor` as string), cast(`is_known_vendor` as bool), cast(`training_requests_count` as int64), cast(`search_requests_count` as int64), cast(`user_requests_count` as int64), cast(`other_requests_count` as int64), cast(`crawler_requests_count` as int64), cast(`ai_visits_count` as int64), cast(`is_final` as bool), cast(`changed_at` as timestamp), cast(`final_on` as date), regexp_extract(_FILE_NAME, r'[^/]+$')
from answerlake_files.crawler_visitor_funnel
where regexp_extract(_FILE_NAME, r'[^/]+$') in (select file_name from answerlake.manifest where table_name = 'crawler_visitor_funnel')
  and regexp_extract(_FILE_NAME, r'[^/]+$') not in (select file_name from answerlake.crawler_visitor_funnel);

delete from answerlake.daily_kpis where file_name not in (select file_name from answerlake.manifest where table_name = 'daily_kpis');
insert into answerlake.daily_kpis (`project_id`, `project_name`, `date`, `visibility`, `sentiment`, `share_of_voice_pct`, `organic_responses`, `organic_brand_mentions`, `positive_count`, `negative_count`, `neutral_count`, `unknown_count`, `known_count`, `net_sentiment_pct`, `net_sentiment_known_pct`, `citations_count`, `average_citation_rank`, `crawler_requests_count`, `ai_visits_count`, `actions_completed`, `prompts_created`, `prompts_deleted`, `event_titles`, `traffic_timezone`, `is_final`, `changed_at`, `final_on`, file_name)
select cast(`project_id` as string), cast(`project_name` as string), cast(`date` as date), cast(`visibility` as float64), cast(`sentiment` as float64), cast(`share_of_voice_pct` as float64), cast(`organic_responses` as int64), cast(`organic_brand_mentions` as int64), cast(`positive_count` as int64), cast(`negative_count` as int64), cast(`neutral_count` as int64), cast(`unknown_count` as int64), cast(`known_count` as int64), cast(`net_sentiment_pct` as float64), cast(`net_sentiment_known_pct` as float64), cast(`citations_count` as int64), cast(`average_citation_rank` as float64), cast(`crawler_requests_count` as int64), cast(`ai_visits_count` as int64), cast(`actions_completed` as int64), cast(`prompts_created` as int64), cast(`prompts_deleted` as int64), cast(`event_titles` as string), cast(`traffic_timezone` as string), cast(`is_final` as bool), cast(`changed_at` as timestamp), cast(`final_on` as date), regexp_extract(_FILE_NAME, r'[^/]+$')
from answerlake_files.daily_kpis
where regexp_extract(_FILE_NAME, r'[^/]+$') in (select file_name from answerlake.manifest where table_name = 'daily_kpis')
  and regexp_extract(_FILE_NAME, r'[^/]+$') not in (select file_name from answerlake.daily_kpis);

delete from answerlake.deleted_rows where file_name not in (select file_name from answerlake.manifest where table_name = 'deleted_rows');
insert into answerlake.deleted_rows (`schema_name`, `view_name`, `key`, `project_id`, `date`, `deleted_at`, file_name)
select cast(`schema_name` as string), cast(`view_name` as string), cast(`key` as string), cast(`project_id` as string), cast(`date` as date), cast(`deleted_at` as timestamp), regexp_extract(_FILE_NAME, r'[^/]+$')
from answerlake_files.deleted_rows
where regexp_extract(_FILE_NAME, r'[^/]+$') in (select file_name from answerlake.manifest where table_name = 'deleted_rows')
  and regexp_extract(_FILE_NAME, r'[^/]+$') not in (select file_name from answerlake.deleted_rows);

delete from answerlake.domain_citation_trend where file_name not in (select file_name from answerlake.manifest where table_name = 'domain_citation_trend');
insert into answerlake.domain_citation_trend (`project_id`, `project_name`, `date`, `domain`, `is_own_domain`, `citations_count`, `listed_citations_count`, `listed_citations_share_pct`, `own_citations_count`, `own_citations_share_pct`, `previous_date`, `previous_citations_count`, `citations_change`, `last_told_on`, `is_final`, `changed_at`, `final_on`, file_name)
select cast(`project_id` as string), cast(`project_name` as string), cast(`date` as date), cast(`domain` as string), cast(`is_own_domain` as bool), cast(`citations_count` as int64), cast(`listed_citations_count` as int64), cast(`listed_citations_share_pct` as float64), cast(`own_citations_count` as int64), cast(`own_citations_share_pct` as float64), cast(`previous_date` as date), cast(`previous_citations_count` as int64), cast(`citations_change` as int64), cast(`last_told_on` as date), cast(`is_final` as bool), cast(`changed_at` as timestamp), cast(`final_on` as date), regexp_extract(_FILE_NAME, r'[^/]+$')
from answerlake_files.domain_citation_trend
where regexp_extract(_FILE_NAME, r'[^/]+$') in (select file_name from answerlake.manifest where table_name = 'domain_citation_trend')
  and regexp_extract(_FILE_NAME, r'[^/]+$') not in (select file_name from answerlake.domain_citation_trend);

delete from answerlake.event_annotations where file_name not in (select file_name from answerlake.manifest where table_name = 'event_annotations');
insert into answerlake.event_annotations (`project_id`, `project_name`, `event_id`, `time`, `date`, `title`, `text`, `tags`, `type`, `action_id`, `action_type`, `monitor_id`, `monitor_name`, `prompt_count`, file_name)
select cast(`project_id` as string), cast(`project_name` as string), cast(`event_id` as string), cast(`time` as timestamp), cast(`date` as date), cast(`title` as string), cast(`text` as string), cast(`tags` as string), cast(`type` as string), cast(`action_id` as string), cast(`action_type` as string), cast(`monitor_id` as string), cast(`monitor_name` as string), cast(`prompt_count` as int64), regexp_extract(_FILE_NAME, r'[^/]+$')
from answerlake_files.event_annotations
where regexp_extract(_FILE_NAME, r'[^/]+$') in (select file_name from answerlake.manifest where table_name = 'event_annotations')
  and regexp_extract(_FILE_NAME, r'[^/]+$') not in (select file_name from answerlake.event_annotations);

delete from answerlake.kpi_changes where file_name not in (select file_name from answerlake.manifest where table_name = 'kpi_changes');
insert into answerlake.kpi_changes (`project_id`, `project_name`, `measure`, `window_days`, `last_date`, `value`, `previous_value`, `change`, `change_low`, `change_high`, `typical_change`, `is_clear`, `is_trend`, `setup_changes`, `days_with_value`, `previous_days_with_value`, file_name)
select cast(`project_id` as string), cast(`project_name` as string), cast(`measure` as string), cast(`window_days` as int64), cast(`last_date` as date), cast(`value` as float64), cast(`previous_value` as float64), cast(`change` as float64), cast(`change_low` as float64), cast(`change_high` as float64), cast(`typical_change` as float64), cast(`is_clear` as bool), cast(`is_trend` as bool), cast(`setup_changes` as string), cast(`days_with_value` as int64), cast(`previous_days_with_value` as int64), regexp_extract(_FILE_NAME, r'[^/]+$')
from answerlake_files.kpi_changes
where regexp_extract(_FILE_NAME, r'[^/]+$') in (select file_name from answerlake.manifest where table_name = 'kpi_changes')
  and regexp_extract(_FILE_NAME, r'[^/]+$') not in (select file_name from answerlake.kpi_changes);

delete from answerlake.landing_page_days where file_name not in (select file_name from answerlake.manifest where table_name = 'landing_page_days');
insert into answerlake.landing_page_days (`project_id`, `project_name`, `landing_page`, `date`, `source`, `ai_visits_count`, `is_final`, `changed_at`, `final_on`, file_name)
select cast(`project_id` as string), cast(`project_name` as string), cast(`landing_page` as string), cast(`date` as date), cast(`source` as string), cast(`ai_visits_count` as int64), cast(`is_final` as bool), cast(`changed_at` as timestamp), cast(`final_on` as date), regexp_extract(_FILE_NAME, r'[^/]+$')
from answerlake_files.landing_page_days
where regexp_extract(_FILE_NAME, r'[^/]+$') in (select file_name from answerlake.manifest where table_name = 'landing_page_days')
  and regexp_extract(_FILE_NAME, r'[^/]+$') not in (select file_name from answerlake.landing_page_days);

delete from answerlake.model_kpis where file_name not in (select file_name from answerlake.manifest where table_name = 'model_kpis');
insert into answerlake.model_kpis (`project_id`, `project_name`, `model_id`, `model_name`, `is_deprecated_model`, `date`, `visibility`, `sentiment`, `share_of_voice_pct`, `organic_responses`, `organic_brand_mentions`, `is_final`, `changed_at`, `final_on`, file_name)
select cast(`project_id` as string), cast(`project_name` as string), cast(`model_id` as string), cast(`model_name` as string), cast(`is_deprecated_model` as bool), cast(`date` as date), cast(`visibility` as float64), cast(`sentiment` as float64), cast(`share_of_voice_pct` as float64), cast(`organic_responses` as int64), cast(`organic_brand_mentions` as int64), cast(`is_final` as bool), cast(`changed_at` as timestamp), cast(`final_on` as date), regexp_extract(_FILE_NAME, r'[^/]+$')
from answerlake_files.model_kpis
where regexp_extract(_FILE_NAME, r'[^/]+$') in (select file_name from answerlake.manifest where table_name = 'model_kpis')
  and regexp_extract(_FILE_NAME, r'[^/]+$') not in (select file_name from answerlake.model_kpis);

delete from answerlake.model_sources where file_name not in (select file_name from answerlake.manifest where table_name = 'model_sources');
insert into answerlake.model_sources (`project_id`, `project_name`, `window_start`, `window_end`, `days_in_window`, `model_id`, `model_name`, `provider_name`, `is_known_model`, `is_deprecated_model`, `citations_count`, `citations_share_pct`, `unique_domains_count`, `unique_prompts_count`, `changed_at`, `final_on`, file_name)
select cast(`project_id` as string), cast(`project_name` as string), cast(`window_start` as date), cast(`window_end` as date), cast(`days_in_window` as int64), cast(`model_id` as string), cast(`model_name` as string), cast(`provider_name` as string), cast(`is_known_model` as bool), cast(`is_deprecated_model` as bool), cast(`citations_count` as int64), cast(`citations_share_pct` as float64), cast(`unique_domains_count` as int64), cast(`unique_prompts_count` as int64), cast(`changed_at` as timestamp), cast(`final_on` as date), regexp_extract(_FILE_NAME, r'[^/]+$')
from answerlake_files.model_sources
where regexp_extract(_FILE_NAME, r'[^/]+$') in (select file_name from answerlake.manifest where table_name = 'model_sources')
  and regexp_extract(_FILE_NAME, r'[^/]+$') not in (select file_name from answerlake.model_sources);

delete from answerlake.models where file_name not in (select file_name from answerlake.manifest where table_name = 'models');
insert into answerlake.models (`model_id`, `model_name`, `provider_id`, `provider_name`, `provider_model_name`, `api_identifier`, `description`, `is_search_enabled`, `is_live_search`, `is_known_model`, `is_deprecated_model`, file_name)
select cast(`model_id` as string), cast(`model_name` as string), cast(`provider_id` as string), cast(`provider_name` as string), cast(`provider_model_name` as string), cast(`api_identifier` as string), cast(`description` as string), cast(`is_search_enabled` as bool), cast(`is_live_search` as bool), cast(`is_known_model` as bool), cast(`is_deprecated_model` as bool), regexp_extract(_FILE_NAME, r'[^/]+$')
from answerlake_files.models
where regexp_extract(_FILE_NAME, r'[^/]+$') in (select file_name from answerlake.manifest where table_name = 'models')
  and regexp_extract(_FILE_NAME, r'[^/]+$') not in (select file_name from answerlake.models);

delete from answerlake.monitor_kpis where file_name not in (select file_name from answerlake.manifest where table_name = 'monitor_kpis');
insert into answerlake.monitor_kpis (`project_id`, `project_name`, `monitor_id`, `monitor_name`, `date`, `visibility`, `sentiment`, `share_of_voice_pct`, `organic_responses`, `organic_brand_mentions`, `is_final`, `changed_at`, `final_on`, file_name)
select cast(`project_id` as string), cast(`project_name` as string), cast(`monitor_id` as string), cast(`monitor_name` as string), cast(`date` as date), cast(`visibility` as float64), cast(`sentiment` as float64), cast(`share_of_voice_pct` as float64), cast(`organic_responses` as int64), cast(`organic_brand_mentions` as int64), cast(`is_final` as bool), cast(`changed_at` as timestamp), cast(`final_on` as date), regexp_extract(_FILE_NAME, r'[^/]+$')
from answerlake_files.monitor_kpis
where regexp_extract(_FILE_NAME, r'[^/]+$') in (select file_name from answerlake.manifest where table_name = 'monitor_kpis')
  and regexp_extract(_FILE_NAME, r'[^/]+$') not in (select file_name from answerlake.monitor_kpis);

delete from answerlake.monitors where file_name not in (select file_name from answerlake.manifest where table_name = 'monitors');
insert into answerlake.monitors (`project_id`, `project_name`, `monitor_id`, `monitor_name`, `prompts_count`, `active_prompts_count`, file_name)
select cast(`project_id` as string), cast(`project_name` as string), cast(`monitor_id` as string), cast(`monitor_name` as string), cast(`prompts_count` as int64), cast(`active_prompts_count` as int64), regexp_extract(_FILE_NAME, r'[^/]+$')
from answerlake_files.monitors
where regexp_extract(_FILE_NAME, r'[^/]+$') in (select file_name from answerlake.manifest where table_name = 'monitors')
  and regexp_extract(_FILE_NAME, r'[^/]+$') not in (select file_name from answerlake.monitors);

delete from answerlake.portfolio_changes where file_name not in (select file_name from answerlake.manifest where table_name = 'portfolio_changes');
insert into answerlake.portfolio_changes (`organization_id`, `organization_name`, `level`, `model_id`, `model_name`, `measure`, `window_days`, `projects_count`, `up_count`, `down_count`, `median_change`, `change_low`, `change_high`, `is_portfolio_wide`, file_name)
select cast(`organization_id` as string), cast(`organization_name` as string), cast(`level` as string), cast(`model_id` as string), cast(`model_name` as string), cast(`measure` as string), cast(`window_days` as int64), cast(`projects_count` as int64), cast(`up_count` as int64), cast(`down_count` as int64), cast(`median_change` as float64), cast(`change_low` as float64), cast(`change_high` as float64), cast(`is_portfolio_wide` as bool), regexp_extract(_FILE_NAME, r'[^/]+$')
from answerlake_files.portfolio_changes
where regexp_extract(_FILE_NAME, r'[^/]+$') in (select file_name from answerlake.manifest where table_name = 'portfolio_changes')
  and regexp_extract(_FILE_NAME, r'[^/]+$') not in (select file_name from answerlake.portfolio_changes);

delete from answerlake.projects where file_name not in (select file_name from answerlake.manifest where table_name = 'projects');
insert into answerlake.projects (`project_id`, `project_name`, `slug`, `organization_id`, `organization_name`, `first_date`, `last_date`, `last_whole_date`, file_name)
select cast(`project_id` as string), cast(`project_name` as string), cast(`slug` as string), cast(`organization_id` as string), cast(`organization_name` as string), cast(`first_date` as date), cast(`last_date` as date), cast(`last_whole_date` as date), regexp_extract(_FILE_NAME, r'[^/]+$')
from answerlake_files.projects
where regexp_extract(_FILE_NAME, r'[^/]+$') in (select file_name from answerlake.manifest where table_name = 'projects')
  and regexp_extract(_FILE_NAME, r'[^/]+$') not in (select file_name from answerlake.projects);

delete from answerlake.prompt_catalog where file_name not in (select file_name from answerlake.manifest where table_name = 'prompt_catalog');
insert into answerlake.prompt_catalog (`project_id`, `project_name`, `prompt_id`, `prompt`, `prompt_type`, `intent`, `language_code`, `is_active`, `monitor_id`, `monitor_name`, `responses_count`, `search_volume`, `average_visibility`, `difficulty`, `created_at`, `updated_at`, `first_seen_on`, `last_seen_on`, file_name)
select cast(`project_id` as string), cast(`project_name` as string), cast(`prompt_id` as string), cast(`prompt` as string), cast(`prompt_type` as string), cast(`intent` as string), cast(`language_code` as string), cast(`is_active` as bool), cast(`monitor_id` as string), cast(`monitor_name` as string), cast(`responses_count` as int64), cast(`search_volume` as float64), cast(`average_visibility` as float64), cast(`difficulty` as float64), cast(`created_at` as timestamp), cast(`updated_at` as timestamp), cast(`first_seen_on` as date), cast(`last_seen_on` as date), regexp_extract(_FILE_NAME, r'[^/]+$')
from answerlake_files.prompt_catalog
where regexp_extract(_FILE_NAME, r'[^/]+$') in (select file_name from answerlake.manifest where table_name = 'prompt_catalog')
  and regexp_extract(_FILE_NAME, r'[^/]+$') not in (select file_name from answerlake.prompt_catalog);

delete from answerlake.prompt_days where file_name not in (select file_name from answerlake.manifest where table_name = 'prompt_days');
insert into answerlake.prompt_days (`project_id`, `project_name`, `prompt_id`, `prompt`, `prompt_type`, `monitor_id`, `monitor_name`, `date`, `visibility`, `sentiment`, `organic_responses`, `organic_brand_mentions`, `share_of_voice_pct`, `is_final`, `changed_at`, `final_on`, file_name)
select cast(`project_id` as string), cast(`project_name` as string), cast(`prompt_id` as string), cast(`prompt` as string), cast(`prompt_type` as string), cast(`monitor_id` as string), cast(`monitor_name` as string), cast(`date` as date), cast(`visibility` as float64), cast(`sentiment` as float64), cast(`organic_responses` as int64), cast(`organic_brand_mentions` as int64), cast(`share_of_voice_pct` as float64), cast(`is_final` as bool), cast(`changed_at` as timestamp), cast(`final_on` as date), regexp_extract(_FILE_NAME, r'[^/]+$')
from answerlake_files.prompt_days
where regexp_extract(_FILE_NAME, r'[^/]+$') in (select file_name from answerlake.manifest where table_name = 'prompt_days')
  and regexp_extract(_FILE_NAME, r'[^/]+$') not in (select file_name from answerlake.prompt_days);

delete from answerlake.prompt_moves where file_name not in (select file_name from answerlake.manifest where table_name = 'prompt_moves');
insert into answerlake.prompt_moves (`project_id`, `project_name`, `window_days`, `prompt_id`, `prompt`, `prompt_type`, `monitor_id`, `monitor_name`, `before_from`, `before_to`, `after_from`, `after_to`, `responses_before`, `responses_after`, `visibility_before`, `visibility_after`, `change`, `contribution`, `rounding_error`, file_name)
select cast(`project_id` as string), cast(`project_name` as string), cast(`window_days` as int64), cast(`prompt_id` as string), cast(`prompt` as string), cast(`prompt_type` as string), cast(`monitor_id` as string), cast(`monitor_name` as string), cast(`before_from` as date), cast(`before_to` as date), cast(`after_from` as date), cast(`after_to` as date), cast(`responses_before` as int64), cast(`responses_after` as int64), cast(`visibility_before` as float64), cast(`visibility_after` as float64), cast(`change` as float64), cast(`contribution` as float64), cast(`rounding_error` as float64), regexp_extract(_FILE_NAME, r'[^/]+$')
from answerlake_files.prompt_moves
where regexp_extract(_FILE_NAME, r'[^/]+$') in (select file_name from answerlake.manifest where table_name = 'prompt_moves')
  and regexp_extract(_FILE_NAME, r'[^/]+$') not in (select file_name from answerlake.prompt_moves);

delete from answerlake.prompt_trend where file_name not in (select file_name from answerlake.manifest where table_name = 'prompt_trend');
insert into answerlake.prompt_trend (`project_id`, `project_name`, `prompt_id`, `prompt`, `prompt_type`, `monitor_id`, `monitor_name`, `date`, `is_active`, `average_visibility`, `responses_count`, `search_volume`, `difficulty`, `previous_date`, `previous_average_visibility`, `average_visibility_change`, `new_responses_count`, `changed_at`, `final_on`, file_name)
select cast(`project_id` as string), cast(`project_name` as string), cast(`prompt_id` as string), cast(`prompt` as string), cast(`prompt_type` as string), cast(`monitor_id` as string), cast(`monitor_name` as string), cast(`date` as date), cast(`is_active` as bool), cast(`average_visibility` as float64), cast(`responses_count` as int64), cast(`search_volume` as float64), cast(`difficulty` as float64), cast(`previous_date` as date), cast(`previous_average_visibility` as float64), cast(`average_visibility_change` as float64), cast(`new_responses_count` as int64), cast(`changed_at` as timestamp), cast(`final_on` as date), regexp_extract(_FILE_NAME, r'[^/]+$')
from answerlake_files.prompt_trend
where regexp_extract(_FILE_NAME, r'[^/]+$') in (select file_name from answerlake.manifest where table_name = 'prompt_trend')
  and regexp_extract(_FILE_NAME, r'[^/]+$') not in (select file_name from answerlake.prompt_trend);

delete from answerlake.restated_values where file_name not in (select file_name from answerlake.manifest where table_name = 'restated_values');
insert into answerlake.restated_values (`project_id`, `project_name`, `table_name`, `column_name`, `change`, `date`, `row_key`, `old_value`, `new_value`, `old_number`, `new_number`, `change_number`, `was_final`, `run_id`, `changed_at`, file_name)
select cast(`project_id` as string), cast(`project_name` as string), cast(`table_name` as string), cast(`column_name` as string), cast(`change` as string), cast(`date` as date), cast(`row_key` as string), cast(`old_value` as string), cast(`new_value` as string), cast(`old_number` as float64), cast(`new_number` as float64), cast(`change_number` as float64), cast(`was_final` as bool), cast(`run_id` as string), cast(`changed_at` as timestamp), regexp_extract(_FILE_NAME, r'[^/]+$')
from answerlake_files.restated_values
where regexp_extract(_FILE_NAME, r'[^/]+$') in (select file_name from answerlake.manifest where table_name = 'restated_values')
  and regexp_extract(_FILE_NAME, r'[^/]+$') not in (select file_name from answerlake.restated_values);

delete from answerlake.sentiment_split where file_name not in (select file_name from answerlake.manifest where table_name = 'sentiment_split');
insert into answerlake.sentiment_split (`project_id`, `project_name`, `date`, `positive_count`, `negative_count`, `neutral_count`, `unknown_count`, `known_count`, `total_count`, `positive_pct`, `negative_pct`, `neutral_pct`, `unknown_pct`, `positive_pct_low`, `positive_pct_high`, `negative_pct_low`, `negative_pct_high`, `neutral_pct_low`, `neutral_pct_high`, `net_sentiment_pct`, `net_sentiment_pct_low`, `net_sentiment_pct_high`, `net_sentiment_known_pct`, `net_sentiment_known_pct_low`, `net_sentiment_known_pct_high`, `is_final`, `changed_at`, `final_on`, file_name)
select cast(`project_id` as string), cast(`project_name` as string), cast(`date` as date), cast(`positive_count` as int64), cast(`negative_count` as int64), cast(`neutral_count` as int64), cast(`unknown_count` as int64), cast(`known_count` as int64), cast(`total_count` as int64), cast(`positive_pct` as float64), cast(`negative_pct` as float64), cast(`neutral_pct` as float64), cast(`unknown_pct` as float64), cast(`positive_pct_low` as float64), cast(`positive_pct_high` as float64), cast(`negative_pct_low` as float64), cast(`negative_pct_high` as float64), cast(`neutral_pct_low` as float64), cast(`neutral_pct_high` as float64), cast(`net_sentiment_pct` as float64), cast(`net_sentiment_pct_low` as float64), cast(`net_sentiment_pct_high` as float64), cast(`net_sentiment_known_pct` as float64), cast(`net_sentiment_known_pct_low` as float64), cast(`net_sentiment_known_pct_high` as float64), cast(`is_final` as bool), cast(`changed_at` as timestamp), cast(`final_on` as date), regexp_extract(_FILE_NAME, r'[^/]+$')
from answerlake_files.sentiment_split
where regexp_extract(_FILE_NAME, r'[^/]+$') in (select file_name from answerlake.manifest where table_name = 'sentiment_split')
  and regexp_extract(_FILE_NAME, r'[^/]+$') not in (select file_name from answerlake.sentiment_split);

delete from answerlake.sentiment_with_events where file_name not in (select file_name from answerlake.manifest where table_name = 'sentiment_with_events');
insert into answerlake.sentiment_with_events (`project_id`, `project_name`, `date`, `sentiment`, `sentiment_7_day_mean`, `sentiment_previous_7_day_mean`, `sentiment_7_day_change`, `events_count`, `actions_completed`, `prompts_created`, `prompts_deleted`, `event_titles`, `event_types`, `is_final`, `changed_at`, `final_on`, file_name)
select cast(`project_id` as string), cast(`project_name` as string), cast(`date` as date), cast(`sentiment` as float64), cast(`sentiment_7_day_mean` as float64), cast(`sentiment_previous_7_day_mean` as float64), cast(`sentiment_7_day_change` as float64), cast(`events_count` as int64), cast(`actions_completed` as int64), cast(`prompts_created` as int64), cast(`prompts_deleted` as int64), cast(`event_titles` as string), cast(`event_types` as string), cast(`is_final` as bool), cast(`changed_at` as timestamp), cast(`final_on` as date), regexp_extract(_FILE_NAME, r'[^/]+$')
from answerlake_files.sentiment_with_events
where regexp_extract(_FILE_NAME, r'[^/]+$') in (select file_name from answerlake.manifest where table_name = 'sentiment_with_events')
  and regexp_extract(_FILE_NAME, r'[^/]+$') not in (select file_name from answerlake.sentiment_with_events);

delete from answerlake.setup_changes where file_name not in (select file_name from answerlake.manifest where table_name = 'setup_changes');
insert into answerlake.setup_changes (`project_id`, `project_name`, `date`, `what`, `names`, `count`, `share_of_answers`, `judged_by`, `title`, `moves_figures`, file_name)
select cast(`project_id` as string), cast(`project_name` as string), cast(`date` as date), cast(`what` as string), cast(`names` as string), cast(`count` as int64), cast(`share_of_answers` as float64), cast(`judged_by` as string), cast(`title` as string), cast(`moves_figures` as bool), regexp_extract(_FILE_NAME, r'[^/]+$')
from answerlake_files.setup_changes
where regexp_extract(_FILE_NAME, r'[^/]+$') in (select file_name from answerlake.manifest where table_name = 'setup_changes')
  and regexp_extract(_FILE_NAME, r'[^/]+$') not in (select file_name from answerlake.setup_changes);

delete from answerlake.share_of_voice_trend where file_name not in (select file_name from answerlake.manifest where table_name = 'share_of_voice_trend');
insert into answerlake.share_of_voice_trend (`project_id`, `project_name`, `date`, `organic_responses`, `organic_brand_mentions`, `share_of_voice_pct`, `share_of_voice_pct_low`, `share_of_voice_pct_high`, `previous_date`, `previous_share_of_voice_pct`, `change_points`, `reported_previous_share_of_voice_pct`, `reported_change_points`, `is_final`, `changed_at`, `final_on`, file_name)
select cast(`project_id` as string), cast(`project_name` as string), cast(`date` as date), cast(`organic_responses` as int64), cast(`organic_brand_mentions` as int64), cast(`share_of_voice_pct` as float64), cast(`share_of_voice_pct_low` as float64), cast(`share_of_voice_pct_high` as float64), cast(`previous_date` as date), cast(`previous_share_of_voice_pct` as float64), cast(`change_points` as float64), cast(`reported_previous_share_of_voice_pct` as float64), cast(`reported_change_points` as float64), cast(`is_final` as bool), cast(`changed_at` as timestamp), cast(`final_on` as date), regexp_extract(_FILE_NAME, r'[^/]+$')
from answerlake_files.share_of_voice_trend
where regexp_extract(_FILE_NAME, r'[^/]+$') in (select file_name from answerlake.manifest where table_name = 'share_of_voice_trend')
  and regexp_extract(_FILE_NAME, r'[^/]+$') not in (select file_name from answerlake.share_of_voice_trend);

delete from answerlake.sync_coverage where file_name not in (select file_name from answerlake.manifest where table_name = 'sync_coverage');
insert into answerlake.sync_coverage (`project_id`, `project_name`, `endpoint`, `date`, `series_expected_count`, `series_covered_count`, `series_settled_count`, `is_covered`, `is_settled`, `status`, `known_reason`, `known_first_on`, `asked_on`, file_name)
select cast(`project_id` as string), cast(`project_name` as string), cast(`endpoint` as string), cast(`date` as date), cast(`series_expected_count` as int64), cast(`series_covered_count` as int64), cast(`series_settled_count` as int64), cast(`is_covered` as bool), cast(`is_settled` as bool), cast(`status` as string), cast(`known_reason` as string), cast(`known_first_on` as date), cast(`asked_on` as date), regexp_extract(_FILE_NAME, r'[^/]+$')
from answerlake_files.sync_coverage
where regexp_extract(_FILE_NAME, r'[^/]+$') in (select file_name from answerlake.manifest where table_name = 'sync_coverage')
  and regexp_extract(_FILE_NAME, r'[^/]+$') not in (select file_name from answerlake.sync_coverage);

delete from answerlake.sync_freshness where file_name not in (select file_name from answerlake.manifest where table_name = 'sync_freshness');
insert into answerlake.sync_freshness (`project_id`, `project_name`, `endpoint`, `status`, `last_asked_at`, `last_success_at`, `last_covered_date`, `lag_days`, `age_hours`, `max_age_hours`, `is_stale`, `slices_done_count`, `slices_failed_count`, `slices_suspicious_count`, `last_error`, file_name)
select cast(`project_id` as string), cast(`project_name` as string), cast(`endpoint` as string), cast(`status` as string), cast(`last_asked_at` as timestamp), cast(`last_success_at` as timestamp), cast(`last_covered_date` as date), cast(`lag_days` as int64), cast(`age_hours` as float64), cast(`max_age_hours` as float64), cast(`is_stale` as bool), cast(`slices_done_count` as int64), cast(`slices_failed_count` as int64), cast(`slices_suspicious_count` as int64), cast(`last_error` as string), regexp_extract(_FILE_NAME, r'[^/]+$')
from answerlake_files.sync_freshness
where regexp_extract(_FILE_NAME, r'[^/]+$') in (select file_name from answerlake.manifest where table_name = 'sync_freshness')
  and regexp_extract(_FILE_NAME, r'[^/]+$') not in (select file_name from answerlake.sync_freshness);

delete from answerlake.sync_gaps where file_name not in (select file_name from answerlake.manifest where table_name = 'sync_gaps');
insert into answerlake.sync_gaps (`project_id`, `project_name`, `endpoint`, `date`, `status`, `last_status`, `known_reason`, `known_first_on`, file_name)
select cast(`project_id` as string), cast(`project_name` as string), cast(`endpoint` as string), cast(`date` as date), cast(`status` as string), cast(`last_status` as string), cast(`known_reason` as string), cast(`known_first_on` as date), regexp_extract(_FILE_NAME, r'[^/]+$')
from answerlake_files.sync_gaps
where regexp_extract(_FILE_NAME, r'[^/]+$') in (select file_name from answerlake.manifest where table_name = 'sync_gaps')
  and regexp_extract(_FILE_NAME, r'[^/]+$') not in (select file_name from answerlake.sync_gaps);

delete from answerlake.sync_settings where file_name not in (select file_name from answerlake.manifest where table_name = 'sync_settings');
insert into answerlake.sync_settings (`sync_day`, `clock_day`, `start_date`, `lookback_days`, `timezone`, `base_url`, `timezone_lag_days`, file_name)
select cast(`sync_day` as date), cast(`clock_day` as date), cast(`start_date` as date), cast(`lookback_days` as int64), cast(`timezone` as string), cast(`base_url` as string), cast(`timezone_lag_days` as int64), regexp_extract(_FILE_NAME, r'[^/]+$')
from answerlake_files.sync_settings
where regexp_extract(_FILE_NAME, r'[^/]+$') in (select file_name from answerlake.manifest where table_name = 'sync_settings')
  and regexp_extract(_FILE_NAME, r'[^/]+$') not in (select file_name from answerlake.sync_settings);

delete from answerlake.targets where file_name not in (select file_name from answerlake.manifest where table_name = 'targets');
insert into answerlake.targets (`project_id`, `project_name`, `measure`, `goal`, `due_date`, `last_date`, `value`, `distance`, `projected_value`, `projected_low`, `projected_high`, `is_reached`, `is_on_course`, `is_sure`, file_name)
select cast(`project_id` as string), cast(`project_name` as string), cast(`measure` as string), cast(`goal` as float64), cast(`due_date` as date), cast(`last_date` as date), cast(`value` as float64), cast(`distance` as float64), cast(`projected_value` as float64), cast(`projected_low` as float64), cast(`projected_high` as float64), cast(`is_reached` as bool), cast(`is_on_course` as bool), cast(`is_sure` as bool), regexp_extract(_FILE_NAME, r'[^/]+$')
from answerlake_files.targets
where regexp_extract(_FILE_NAME, r'[^/]+$') in (select file_name from answerlake.manifest where table_name = 'targets')
  and regexp_extract(_FILE_NAME, r'[^/]+$') not in (select file_name from answerlake.targets);

delete from answerlake.turning_points where file_name not in (select file_name from answerlake.manifest where table_name = 'turning_points');
insert into answerlake.turning_points (`project_id`, `project_name`, `measure`, `date`, `value_before`, `value_after`, `change`, `typical_change`, `drift`, `candidates_count`, `candidate_ids`, `candidate_titles`, `is_final`, file_name)
select cast(`project_id` as string), cast(`project_name` as string), cast(`measure` as string), cast(`date` as date), cast(`value_before` as float64), cast(`value_after` as float64), cast(`change` as float64), cast(`typical_change` as float64), cast(`drift` as float64), cast(`candidates_count` as int64), cast(`candidate_ids` as string), cast(`candidate_titles` as string), cast(`is_final` as bool), regexp_extract(_FILE_NAME, r'[^/]+$')
from answerlake_files.turning_points
where regexp_extract(_FILE_NAME, r'[^/]+$') in (select file_name from answerlake.manifest where table_name = 'turning_points')
  and regexp_extract(_FILE_NAME, r'[^/]+$') not in (select file_name from answerlake.turning_points);

delete from answerlake.visibility_with_events where file_name not in (select file_name from answerlake.manifest where table_name = 'visibility_with_events');
insert into answerlake.visibility_with_events (`project_id`, `project_name`, `date`, `visibility`, `visibility_7_day_mean`, `visibility_previous_7_day_mean`, `visibility_7_day_change`, `events_count`, `actions_completed`, `prompts_created`, `prompts_deleted`, `event_titles`, `event_types`, `is_final`, `changed_at`, `final_on`, file_name)
select cast(`project_id` as string), cast(`project_name` as string), cast(`date` as date), cast(`visibility` as float64), cast(`visibility_7_day_mean` as float64), cast(`visibility_previous_7_day_mean` as float64), cast(`visibility_7_day_change` as float64), cast(`events_count` as int64), cast(`actions_completed` as int64), cast(`prompts_created` as int64), cast(`prompts_deleted` as int64), cast(`event_titles` as string), cast(`event_types` as string), cast(`is_final` as bool), cast(`changed_at` as timestamp), cast(`final_on` as date), regexp_extract(_FILE_NAME, r'[^/]+$')
from answerlake_files.visibility_with_events
where regexp_extract(_FILE_NAME, r'[^/]+$') in (select file_name from answerlake.manifest where table_name = 'visibility_with_events')
  and regexp_extract(_FILE_NAME, r'[^/]+$') not in (select file_name from answerlake.visibility_with_events);

delete from answerlake.why_visibility_moved where file_name not in (select file_name from answerlake.manifest where table_name = 'why_visibility_moved');
insert into answerlake.why_visibility_moved (`project_id`, `project_name`, `window_days`, `before_from`, `before_to`, `after_from`, `after_to`, `visibility_before`, `visibility_after`, `before_as_reported`, `change`, `part`, `points`, `typical_change`, `judged_by`, `not_told`, file_name)
select cast(`project_id` as string), cast(`project_name` as string), cast(`window_days` as int64), cast(`before_from` as date), cast(`before_to` as date), cast(`after_from` as date), cast(`after_to` as date), cast(`visibility_before` as float64), cast(`visibility_after` as float64), cast(`before_as_reported` as float64), cast(`change` as float64), cast(`part` as string), cast(`points` as float64), cast(`typical_change` as float64), cast(`judged_by` as string), cast(`not_told` as string), regexp_extract(_FILE_NAME, r'[^/]+$')
from answerlake_files.why_visibility_moved
where regexp_extract(_FILE_NAME, r'[^/]+$') in (select file_name from answerlake.manifest where table_name = 'why_visibility_moved')
  and regexp_extract(_FILE_NAME, r'[^/]+$') not in (select file_name from answerlake.why_visibility_moved);

delete from answerlake.window_summary where file_name not in (select file_name from answerlake.manifest where table_name = 'window_summary');
insert into answerlake.window_summary (`project_id`, `project_name`, `window_start`, `window_end`, `days_in_window`, `all_responses`, `all_brand_mentions`, `brand_mention_rate`, `positive_count`, `negative_count`, `neutral_count`, `unknown_count`, `current_share_of_voice_pct`, `previous_share_of_voice_pct`, `changed_at`, `final_on`, file_name)
select cast(`project_id` as string), cast(`project_name` as string), cast(`window_start` as date), cast(`window_end` as date), cast(`days_in_window` as int64), cast(`all_responses` as int64), cast(`all_brand_mentions` as int64), cast(`brand_mention_rate` as float64), cast(`positive_count` as int64), cast(`negative_count` as int64), cast(`neutral_count` as int64), cast(`unknown_count` as int64), cast(`current_share_of_voice_pct` as float64), cast(`previous_share_of_voice_pct` as float64), cast(`changed_at` as timestamp), cast(`final_on` as date), regexp_extract(_FILE_NAME, r'[^/]+$')
from answerlake_files.window_summary
where regexp_extract(_FILE_NAME, r'[^/]+$') in (select file_name from answerlake.manifest where table_name = 'window_summary')
  and regexp_extract(_FILE_NAME, r'[^/]+$') not in (select file_name from answerlake.window_summary);

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
select 'prompt_moves' as table_name, count(*) as row_count, (select coalesce(sum(row_count), 0) from answerlake.manifest where table_name = 'prompt_moves') as expected from answerlake.prompt_moves
union all
select 'prompt_trend' as table_name, count(*) as row_count, (select coalesce(sum(row_count), 0) from answerlake.manifest where table_name = 'prompt_trend') as expected from answerlake.prompt_trend
union all
select 'restated_values' as table_name, count(*) as row_count, (select coalesce(sum(row_count), 0) from answerlake.manifest where table_name = 'restated_values') as expected from answerlake.restated_values
union all
select 'sentiment_split' as table_name, count(*) as row_count, (select coalesce(sum(row_count), 0) from answerlake.manifest where table_name = 'sentiment_split') as expected from answerlake.sentiment_split
union all
select 'sentiment_with_events' as table_name, count(*) as row_count, (select coalesce(sum(row_count), 0) from answerlake.manifest where table_name = 'sentiment_with_events') as expected from answerlake.sentiment_with_events
union all
select 'setup_changes' as table_name, count(*) as row_count, (select coalesce(sum(row_count), 0) from answerlake.manifest where table_name = 'setup_changes') as expected from answerlake.setup_changes
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
select 'why_visibility_moved' as table_name, count(*) as row_count, (select coalesce(sum(row_count), 0) from answerlake.manifest where table_name = 'why_visibility_moved') as expected from answerlake.why_visibility_moved
union all
select 'window_summary' as table_name, count(*) as row_count, (select coalesce(sum(row_count), 0) from answerlake.manifest where table_name = 'window_summary') as expected from answerlake.window_summary
) as counts
where row_count <> expected;
