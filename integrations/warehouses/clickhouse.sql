-- Makes the tables of the schema answerlake equal to the last export (answerlake export --changed --output s3://bucket/export):
-- removes the rows of files that the manifest does not name any more, and adds those of new files. It can be repeated.
-- Before the first run, name the place of the export and the key that reads it:
-- create named collection answerlake as url = 'https://bucket.s3.amazonaws.com/export/', access_key_id = '…', secret_access_key = '…';
-- Generated from the catalogue; "npx vitest run test/bi/integrations.test.ts -u" writes it again.

create database if not exists answerlake;
create or replace table answerlake.manifest engine = MergeTree order by tuple() as
select `table` as table_name, extract(path, '[^/]+$') as file_name, `rows` as row_count
from s3(answerlake, filename = 'manifest.ndjson', format = 'JSONEachRow', structure = 'kind String, `table` String, path String, `rows` Int64')
where kind = 'file';

create table if not exists answerlake.action_group_impact (`project_id` Nullable(String), `project_name` Nullable(String), `overlap_group_id` Nullable(String), `first_date` Nullable(Date32), `last_date` Nullable(Date32), `actions` Nullable(Int64), `titles` Nullable(String), `visibility_before` Nullable(Float64), `visibility_after` Nullable(Float64), `visibility_change` Nullable(Float64), `visibility_typical_change` Nullable(Float64), `visibility_effect` Nullable(Float64), `visibility_effect_low` Nullable(Float64), `visibility_effect_high` Nullable(Float64), `visibility_is_clear` Nullable(Bool), `visibility_effect_15_28` Nullable(Float64), `visibility_effect_15_28_low` Nullable(Float64), `visibility_effect_15_28_high` Nullable(Float64), `visibility_effect_15_28_is_clear` Nullable(Bool), `visibility_effect_29_56` Nullable(Float64), `visibility_effect_29_56_low` Nullable(Float64), `visibility_effect_29_56_high` Nullable(Float64), `visibility_effect_29_56_is_clear` Nullable(Bool), `sentiment_before` Nullable(Float64), `sentiment_after` Nullable(Float64), `sentiment_change` Nullable(Float64), `sentiment_typical_change` Nullable(Float64), `sentiment_effect` Nullable(Float64), `sentiment_effect_low` Nullable(Float64), `sentiment_effect_high` Nullable(Float64), `sentiment_is_clear` Nullable(Bool), `sentiment_effect_15_28` Nullable(Float64), `sentiment_effect_15_28_low` Nullable(Float64), `sentiment_effect_15_28_high` Nullable(Float64), `sentiment_effect_15_28_is_clear` Nullable(Bool), `sentiment_effect_29_56` Nullable(Float64), `sentiment_effect_29_56_low` Nullable(Float64), `sentiment_effect_29_56_high` Nullable(Float64), `sentiment_effect_29_56_is_clear` Nullable(Bool), `share_of_voice_before` Nullable(Float64), `share_of_voice_after` Nullable(Float64), `share_of_voice_change` Nullable(Float64), `share_of_voice_typical_change` Nullable(Float64), `share_of_voice_effect` Nullable(Float64), `share_of_voice_effect_low` Nullable(Float64), `share_of_voice_effect_high` Nullable(Float64), `share_of_voice_is_clear` Nullable(Bool), `share_of_voice_effect_15_28` Nullable(Float64), `share_of_voice_effect_15_28_low` Nullable(Float64), `share_of_voice_effect_15_28_high` Nullable(Float64), `share_of_voice_effect_15_28_is_clear` Nullable(Bool), `share_of_voice_effect_29_56` Nullable(Float64), `share_of_voice_effect_29_56_low` Nullable(Float64), `share_of_voice_effect_29_56_high` Nullable(Float64), `share_of_voice_effect_29_56_is_clear` Nullable(Bool), `not_judged` Nullable(String), `days_before` Nullable(Int64), `days_after` Nullable(Int64), `other_actions_count` Nullable(Int64), `setup_change_titles` Nullable(String), `is_final` Nullable(Bool), file_name Nullable(String)) engine = MergeTree order by tuple();
create table if not exists answerlake.action_impact (`project_id` Nullable(String), `project_name` Nullable(String), `event_id` Nullable(String), `action_id` Nullable(String), `action_type` Nullable(String), `action_title` Nullable(String), `date` Nullable(Date32), `occurred_at` Nullable(DateTime64(6, 'UTC')), `overlap_group_id` Nullable(String), `visibility_before` Nullable(Float64), `visibility_after` Nullable(Float64), `visibility_change` Nullable(Float64), `visibility_typical_change` Nullable(Float64), `visibility_effect` Nullable(Float64), `visibility_effect_low` Nullable(Float64), `visibility_effect_high` Nullable(Float64), `visibility_is_clear` Nullable(Bool), `sentiment_before` Nullable(Float64), `sentiment_after` Nullable(Float64), `sentiment_change` Nullable(Float64), `sentiment_typical_change` Nullable(Float64), `sentiment_effect` Nullable(Float64), `sentiment_effect_low` Nullable(Float64), `sentiment_effect_high` Nullable(Float64), `sentiment_is_clear` Nullable(Bool), `share_of_voice_before_pct` Nullable(Float64), `share_of_voice_after_pct` Nullable(Float64), `share_of_voice_change_points` Nullable(Float64), `share_of_voice_typical_change` Nullable(Float64), `share_of_voice_effect` Nullable(Float64), `share_of_voice_effect_low` Nullable(Float64), `share_of_voice_effect_high` Nullable(Float64), `share_of_voice_is_clear` Nullable(Bool), `not_judged` Nullable(String), `days_before` Nullable(Int64), `days_after` Nullable(Int64), `sentiment_days_before` Nullable(Int64), `sentiment_days_after` Nullable(Int64), `share_of_voice_days_before` Nullable(Int64), `share_of_voice_days_after` Nullable(Int64), `other_events_count` Nullable(Int64), `other_actions_count` Nullable(Int64), `setup_change_titles` Nullable(String), `is_comparable` Nullable(Bool), `is_final` Nullable(Bool), file_name Nullable(String)) engine = MergeTree order by tuple();
create table if not exists answerlake.action_type_impact (`project_id` Nullable(String), `project_name` Nullable(String), `organization_id` Nullable(String), `action_type` Nullable(String), `measure` Nullable(String), `actions_count` Nullable(Int64), `judged_count` Nullable(Int64), `weeks_count` Nullable(Int64), `mean_effect` Nullable(Float64), `effect_low` Nullable(Float64), `effect_high` Nullable(Float64), `is_clear` Nullable(Bool), file_name Nullable(String)) engine = MergeTree order by tuple();
create table if not exists answerlake.ai_traffic (`project_id` Nullable(String), `project_name` Nullable(String), `date` Nullable(Date32), `source_kind` Nullable(String), `source` Nullable(String), `crawler_requests_count` Nullable(Int64), `ai_visits_count` Nullable(Int64), `is_final` Nullable(Bool), `changed_at` Nullable(DateTime64(6, 'UTC')), `final_on` Nullable(Date32), file_name Nullable(String)) engine = MergeTree order by tuple();
create table if not exists answerlake.ai_vendors (`source_kind` Nullable(String), `source` Nullable(String), `source_key` Nullable(String), `vendor` Nullable(String), `purpose` Nullable(String), file_name Nullable(String)) engine = MergeTree order by tuple();
create table if not exists answerlake.anomalies (`project_id` Nullable(String), `project_name` Nullable(String), `measure` Nullable(String), `date` Nullable(Date32), `value` Nullable(Float64), `expected_value` Nullable(Float64), `deviations` Nullable(Float64), `is_final` Nullable(Bool), file_name Nullable(String)) engine = MergeTree order by tuple();
create table if not exists answerlake.brand_mention_share (`project_id` Nullable(String), `project_name` Nullable(String), `date` Nullable(Date32), `brand_id` Nullable(String), `brand_name` Nullable(String), `relation` Nullable(String), `is_own_brand` Nullable(Bool), `mention_count` Nullable(Int64), `all_mention_count` Nullable(Int64), `mention_share_pct` Nullable(Float64), `mention_share_pct_low` Nullable(Float64), `mention_share_pct_high` Nullable(Float64), `own_mention_share_pct` Nullable(Float64), `mention_rank` Nullable(Int64), `is_final` Nullable(Bool), `changed_at` Nullable(DateTime64(6, 'UTC')), `final_on` Nullable(Date32), file_name Nullable(String)) engine = MergeTree order by tuple();
create table if not exists answerlake.brand_visibility_trend (`project_id` Nullable(String), `project_name` Nullable(String), `date` Nullable(Date32), `brand_id` Nullable(String), `brand_name` Nullable(String), `brand_domain` Nullable(String), `relation` Nullable(String), `is_own_brand` Nullable(Bool), `visibility_pct` Nullable(Float64), `average_visibility` Nullable(Float64), `mention_count` Nullable(Int64), `all_responses` Nullable(Int64), `own_visibility_pct` Nullable(Float64), `own_average_visibility` Nullable(Float64), `own_mention_count` Nullable(Int64), `gap_points` Nullable(Float64), `is_final` Nullable(Bool), `changed_at` Nullable(DateTime64(6, 'UTC')), `final_on` Nullable(Date32), file_name Nullable(String)) engine = MergeTree order by tuple();
create table if not exists answerlake.brands (`project_id` Nullable(String), `project_name` Nullable(String), `brand_id` Nullable(String), `brand_name` Nullable(String), `brand_domain` Nullable(String), `relation` Nullable(String), `is_own_brand` Nullable(Bool), file_name Nullable(String)) engine = MergeTree order by tuple();
create table if not exists answerlake.calendar (`date` Nullable(Date32), `iso_year` Nullable(Int32), `iso_week` Nullable(Int32), `iso_day_of_week` Nullable(Int32), `day_name` Nullable(String), `week_start` Nullable(Date32), `month_start` Nullable(Date32), `quarter_start` Nullable(Date32), `year` Nullable(Int32), `month` Nullable(Int32), `is_weekend` Nullable(Bool), `is_whole_day` Nullable(Bool), file_name Nullable(String)) engine = MergeTree order by tuple();
create table if not exists answerlake.citation_rank_trend (`project_id` Nullable(String), `project_name` Nullable(String), `date` Nullable(Date32), `citations_count` Nullable(Int64), `ranked_citations_count` Nullable(Int64), `ranked_citations_pct` Nullable(Float64), `average_citation_rank` Nullable(Float64), `best_citation_rank` Nullable(Float64), `worst_citation_rank` Nullable(Float64), `previous_date` Nullable(Date32), `previous_average_citation_rank` Nullable(Float64), `average_citation_rank_change` Nullable(Float64), `is_final` Nullable(Bool), `changed_at` Nullable(DateTime64(6, 'UTC')), `final_on` Nullable(Date32), file_name Nullable(String)) engine = MergeTree order by tuple();
create table if not exists answerlake.cited_domains (`project_id` Nullable(String), `project_name` Nullable(String), `window_start` Nullable(Date32), `window_end` Nullable(Date32), `days_in_window` Nullable(Int32), `domain` Nullable(String), `is_own_domain` Nullable(Bool), `domain_status` Nullable(String), `citations_count` Nullable(Int64), `citations_share_pct` Nullable(Float64), `average_citation_rank` Nullable(Float64), `previous_citations_count` Nullable(Int64), `previous_days_in_window` Nullable(Int32), `citations_change` Nullable(Int64), `citations_per_day_change` Nullable(Float64), `previous_average_citation_rank` Nullable(Float64), `window_citations_count` Nullable(Int64), `changed_at` Nullable(DateTime64(6, 'UTC')), `final_on` Nullable(Date32), file_name Nullable(String)) engine = MergeTree order by tuple();
create table if not exists answerlake.competitor_gap (`project_id` Nullable(String), `project_name` Nullable(String), `date` Nullable(Date32), `competitor_brand_id` Nullable(String), `competitor_name` Nullable(String), `competitor_domain` Nullable(String), `relation` Nullable(String), `competitor_visibility_pct` Nullable(Float64), `own_visibility_pct` Nullable(Float64), `gap_points` Nullable(Float64), `competitor_average_visibility` Nullable(Float64), `own_average_visibility` Nullable(Float64), `score_gap` Nullable(Float64), `competitor_mention_count` Nullable(Int64), `own_mention_count` Nullable(Int64), `is_own_brand_ahead` Nullable(Bool), `is_final` Nullable(Bool), `changed_at` Nullable(DateTime64(6, 'UTC')), `final_on` Nullable(Date32), file_name Nullable(String)) engine = MergeTree order by tuple();
create table if not exists answerlake.competitor_heatmap_latest (`project_id` Nullable(String), `project_name` Nullable(String), `window_start` Nullable(Date32), `window_end` Nullable(Date32), `competitor_name` Nullable(String), `competitor_domain` Nullable(String), `relation` Nullable(String), `is_own_brand` Nullable(Bool), `competitor_rank` Nullable(Int64), `model_id` Nullable(String), `model_name` Nullable(String), `is_deprecated_model` Nullable(Bool), `visibility_pct` Nullable(Float64), `own_visibility_pct` Nullable(Float64), `gap_points` Nullable(Float64), `changed_at` Nullable(DateTime64(6, 'UTC')), `final_on` Nullable(Date32), file_name Nullable(String)) engine = MergeTree order by tuple();
create table if not exists answerlake.competitor_heatmap_trend (`project_id` Nullable(String), `project_name` Nullable(String), `window_start` Nullable(Date32), `window_end` Nullable(Date32), `days_in_window` Nullable(Int32), `competitor_name` Nullable(String), `competitor_domain` Nullable(String), `relation` Nullable(String), `is_own_brand` Nullable(Bool), `competitor_rank` Nullable(Int64), `model_id` Nullable(String), `model_name` Nullable(String), `is_deprecated_model` Nullable(Bool), `visibility_pct` Nullable(Float64), `own_visibility_pct` Nullable(Float64), `gap_points` Nullable(Float64), `previous_visibility_pct` Nullable(Float64), `change_points` Nullable(Float64), `changed_at` Nullable(DateTime64(6, 'UTC')), `final_on` Nullable(Date32), file_name Nullable(String)) engine = MergeTree order by tuple();
create table if not exists answerlake.competitor_mention_trend (`project_id` Nullable(String), `project_name` Nullable(String), `window_start` Nullable(Date32), `window_end` Nullable(Date32), `days_in_window` Nullable(Int32), `competitor` Nullable(String), `is_tracked` Nullable(Bool), `mention_count` Nullable(Int64), `mention_share_pct` Nullable(Float64), `previous_mention_count` Nullable(Int64), `previous_mention_share_pct` Nullable(Float64), `changed_at` Nullable(DateTime64(6, 'UTC')), `final_on` Nullable(Date32), file_name Nullable(String)) engine = MergeTree order by tuple();
create table if not exists answerlake.crawler_page_trend (`project_id` Nullable(String), `project_name` Nullable(String), `window_start` Nullable(Date32), `window_end` Nullable(Date32), `days_in_window` Nullable(Int32), `request_path` Nullable(String), `crawler_requests_count` Nullable(Int64), `listed_share_pct` Nullable(Float64), `unique_crawlers_count` Nullable(Int64), `previous_crawler_requests_count` Nullable(Int64), `previous_days_in_window` Nullable(Int32), `crawler_requests_change` Nullable(Int64), `crawler_requests_per_day_change` Nullable(Float64), `changed_at` Nullable(DateTime64(6, 'UTC')), `final_on` Nullable(Date32), file_name Nullable(String)) engine = MergeTree order by tuple();
create table if not exists answerlake.crawler_pages (`project_id` Nullable(String), `project_name` Nullable(String), `window_start` Nullable(Date32), `window_end` Nullable(Date32), `request_path` Nullable(String), `crawler_requests_count` Nullable(Int64), `requests_rank` Nullable(Int64), `unique_crawlers_count` Nullable(Int64), `crawlers` Nullable(String), `changed_at` Nullable(DateTime64(6, 'UTC')), `final_on` Nullable(Date32), file_name Nullable(String)) engine = MergeTree order by tuple();
create table if not exists answerlake.crawler_visitor_funnel (`project_id` Nullable(String), `project_name` Nullable(String), `date` Nullable(Date32), `vendor` Nullable(String), `is_known_vendor` Nullable(Bool), `training_requests_count` Nullable(Int64), `search_requests_count` Nullable(Int64), `user_requests_count` Nullable(Int64), `other_requests_count` Nullable(Int64), `crawler_requests_count` Nullable(Int64), `ai_visits_count` Nullable(Int64), `is_final` Nullable(Bool), `changed_at` Nullable(DateTime64(6, 'UTC')), `final_on` Nullable(Date32), file_name Nullable(String)) engine = MergeTree order by tuple();
create table if not exists answerlake.daily_kpis (`project_id` Nullable(String), `project_name` Nullable(String), `date` Nullable(Date32), `visibility` Nullable(Float64), `sentiment` Nullable(Float64), `share_of_voice_pct` Nullable(Float64), `organic_responses` Nullable(Int64), `organic_brand_mentions` Nullable(Int64), `positive_count` Nullable(Int64), `negative_count` Nullable(Int64), `neutral_count` Nullable(Int64), `unknown_count` Nullable(Int64), `known_count` Nullable(Int64), `net_sentiment_pct` Nullable(Float64), `net_sentiment_known_pct` Nullable(Float64), `citations_count` Nullable(Int64), `average_citation_rank` Nullable(Float64), `crawler_requests_count` Nullable(Int64), `ai_visits_count` Nullable(Int64), `actions_completed` Nullable(Int64), `prompts_created` Nullable(Int64), `prompts_deleted` Nullable(Int64), `event_titles` Nullable(String), `traffic_timezone` Nullable(String), `is_final` Nullable(Bool), `changed_at` Nullable(DateTime64(6, 'UTC')), `final_on` Nullable(Date32), file_name Nullable(String)) engine = MergeTree order by tuple();
create table if not exists answerlake.deleted_rows (`schema_name` Nullable(String), `view_name` Nullable(String), `key` Nullable(String), `project_id` Nullable(String), `date` Nullable(Date32), `deleted_at` Nullable(DateTime64(6, 'UTC')), file_name Nullable(String)) engine = MergeTree order by tuple();
create table if not exists answerlake.domain_citation_trend (`project_id` Nullable(String), `project_name` Nullable(String), `date` Nullable(Date32), `domain` Nullable(String), `is_own_domain` Nullable(Bool), `citations_count` Nullable(Int64), `listed_citations_count` Nullable(Int64), `listed_citations_share_pct` Nullable(Float64), `own_citations_count` Nullable(Int64), `own_citations_share_pct` Nullable(Float64), `previous_date` Nullable(Date32), `previous_citations_count` Nullable(Int64), `citations_change` Nullable(Int64), `last_told_on` Nullable(Date32), `is_final` Nullable(Bool), `changed_at` Nullable(DateTime64(6, 'UTC')), `final_on` Nullable(Date32), file_name Nullable(String)) engine = MergeTree order by tuple();
create table if not exists answerlake.event_annotations (`project_id` Nullable(String), `project_name` Nullable(String), `event_id` Nullable(String), `time` Nullable(DateTime64(6, 'UTC')), `date` Nullable(Date32), `title` Nullable(String), `text` Nullable(String), `tags` Nullable(String), `type` Nullable(String), `action_id` Nullable(String), `action_type` Nullable(String), `monitor_id` Nullable(String), `monitor_name` Nullable(String), `prompt_count` Nullable(Int64), file_name Nullable(String)) engine = MergeTree order by tuple();
create table if not exists answerlake.kpi_changes (`project_id` Nullable(String), `project_name` Nullable(String), `measure` Nullable(String), `window_days` Nullable(Int32), `last_date` Nullable(Date32), `value` Nullable(Float64), `previous_value` Nullable(Float64), `change` Nullable(Float64), `change_low` Nullable(Float64), `change_high` Nullable(Float64), `typical_change` Nullable(Float64), `is_clear` Nullable(Bool), `is_trend` Nullable(Bool), `setup_changes` Nullable(String), `days_with_value` Nullable(Int64), `previous_days_with_value` Nullable(Int64), file_name Nullable(String)) engine = MergeTree order by tuple();
create table if not exists answerlake.landing_page_days (`project_id` Nullable(String), `project_name` Nullable(String), `landing_page` Nullable(String), `date` Nullable(Date32), `source` Nullable(String), `ai_visits_count` Nullable(Int64), `is_final` Nullable(Bool), `changed_at` Nullable(DateTime64(6, 'UTC')), `final_on` Nullable(Date32), file_name Nullable(String)) engine = MergeTree order by tuple();
create table if not exists answerlake.model_kpis (`project_id` Nullable(String), `project_name` Nullable(String), `model_id` Nullable(String), `model_name` Nullable(String), `is_deprecated_model` Nullable(Bool), `date` Nullable(Date32), `visibility` Nullable(Float64), `sentiment` Nullable(Float64), `share_of_voice_pct` Nullable(Float64), `organic_responses` Nullable(Int64), `organic_brand_mentions` Nullable(Int64), `is_final` Nullable(Bool), `changed_at` Nullable(DateTime64(6, 'UTC')), `final_on` Nullable(Date32), file_name Nullable(String)) engine = MergeTree order by tuple();
create table if not exists answerlake.model_sources (`project_id` Nullable(String), `project_name` Nullable(String), `window_start` Nullable(Date32), `window_end` Nullable(Date32), `days_in_window` Nullable(Int32), `model_id` Nullable(String), `model_name` Nullable(String), `provider_name` Nullable(String), `is_known_model` Nullable(Bool), `is_deprecated_model` Nullable(Bool), `citations_count` Nullable(Int64), `citations_share_pct` Nullable(Float64), `unique_domains_count` Nullable(Int64), `unique_prompts_count` Nullable(Int64), `changed_at` Nullable(DateTime64(6, 'UTC')), `final_on` Nullable(Date32), file_name Nullable(String)) engine = MergeTree order by tuple();
create table if not exists answerlake.models (`model_id` Nullable(String), `model_name` Nullable(String), `provider_id` Nullable(String), `provider_name` Nullable(String), `provider_model_name` Nullable(String), `api_identifier` Nullable(String), `description` Nullable(String), `is_search_enabled` Nullable(Bool), `is_live_search` Nullable(Bool), `is_known_model` Nullable(Bool), `is_deprecated_model` Nullable(Bool), file_name Nullable(String)) engine = MergeTree order by tuple();
create table if not exists answerlake.monitor_kpis (`project_id` Nullable(String), `project_name` Nullable(String), `monitor_id` Nullable(String), `monitor_name` Nullable(String), `date` Nullable(Date32), `visibility` Nullable(Float64), `sentiment` Nullable(Float64), `share_of_voice_pct` Nullable(Float64), `organic_responses` Nullable(Int64), `organic_brand_mentions` Nullable(Int64), `is_final` Nullable(Bool), `changed_at` Nullable(DateTime64(6, 'UTC')), `final_on` Nullable(Date32), file_name Nullable(String)) engine = MergeTree order by tuple();
create table if not exists answerlake.monitors (`project_id` Nullable(String), `project_name` Nullable(String), `monitor_id` Nullable(String), `monitor_name` Nullable(String), `prompts_count` Nullable(Int64), `active_prompts_count` Nullable(Int64), file_name Nullable(String)) engine = MergeTree order by tuple();
create table if not exists answerlake.portfolio_changes (`organization_id` Nullable(String), `organization_name` Nullable(String), `level` Nullable(String), `model_id` Nullable(String), `model_name` Nullable(String), `measure` Nullable(String), `window_days` Nullable(Int32), `projects_count` Nullable(Int64), `up_count` Nullable(Int64), `down_count` Nullable(Int64), `median_change` Nullable(Float64), `change_low` Nullable(Float64), `change_high` Nullable(Float64), `is_portfolio_wide` Nullable(Bool), file_name Nullable(String)) engine = MergeTree order by tuple();
create table if not exists answerlake.projects (`project_id` Nullable(String), `project_name` Nullable(String), `slug` Nullable(String), `organization_id` Nullable(String), `organization_name` Nullable(String), `first_date` Nullable(Date32), `last_date` Nullable(Date32), `last_whole_date` Nullable(Date32), file_name Nullable(String)) engine = MergeTree order by tuple();
create table if not exists answerlake.prompt_catalog (`project_id` Nullable(String), `project_name` Nullable(String), `prompt_id` Nullable(String), `prompt` Nullable(String), `prompt_type` Nullable(String), `intent` Nullable(String), `language_code` Nullable(String), `is_active` Nullable(Bool), `monitor_id` Nullable(String), `monitor_name` Nullable(String), `responses_count` Nullable(Int64), `search_volume` Nullable(Float64), `average_visibility` Nullable(Float64), `difficulty` Nullable(Float64), `created_at` Nullable(DateTime64(6, 'UTC')), `updated_at` Nullable(DateTime64(6, 'UTC')), `first_seen_on` Nullable(Date32), `last_seen_on` Nullable(Date32), file_name Nullable(String)) engine = MergeTree order by tuple();
create table if not exists answerlake.prompt_days (`project_id` Nullable(String), `project_name` Nullable(String), `prompt_id` Nullable(String), `prompt` Nullable(String), `prompt_type` Nullable(String), `monitor_id` Nullable(String), `monitor_name` Nullable(String), `date` Nullable(Date32), `visibility` Nullable(Float64), `sentiment` Nullable(Float64), `organic_responses` Nullable(Int64), `organic_brand_mentions` Nullable(Int64), `share_of_voice_pct` Nullable(Float64), `is_final` Nullable(Bool), `changed_at` Nullable(DateTime64(6, 'UTC')), `final_on` Nullable(Date32), file_name Nullable(String)) engine = MergeTree order by tuple();
create table if not exists answerlake.prompt_moves (`project_id` Nullable(String), `project_name` Nullable(String), `window_days` Nullable(Int32), `prompt_id` Nullable(String), `prompt` Nullable(String), `prompt_type` Nullable(String), `monitor_id` Nullable(String), `monitor_name` Nullable(String), `before_from` Nullable(Date32), `before_to` Nullable(Date32), `after_from` Nullable(Date32), `after_to` Nullable(Date32), `responses_before` Nullable(Int64), `responses_after` Nullable(Int64), `visibility_before` Nullable(Float64), `visibility_after` Nullable(Float64), `change` Nullable(Float64), `contribution` Nullable(Float64), `rounding_error` Nullable(Float64), file_name Nullable(String)) engine = MergeTree order by tuple();
create table if not exists answerlake.prompt_trend (`project_id` Nullable(String), `project_name` Nullable(String), `prompt_id` Nullable(String), `prompt` Nullable(String), `prompt_type` Nullable(String), `monitor_id` Nullable(String), `monitor_name` Nullable(String), `date` Nullable(Date32), `is_active` Nullable(Bool), `average_visibility` Nullable(Float64), `responses_count` Nullable(Int64), `search_volume` Nullable(Float64), `difficulty` Nullable(Float64), `previous_date` Nullable(Date32), `previous_average_visibility` Nullable(Float64), `average_visibility_change` Nullable(Float64), `new_responses_count` Nullable(Int64), `changed_at` Nullable(DateTime64(6, 'UTC')), `final_on` Nullable(Date32), file_name Nullable(String)) engine = MergeTree order by tuple();
create table if not exists answerlake.restated_values (`project_id` Nullable(String), `project_name` Nullable(String), `table_name` Nullable(String), `column_name` Nullable(String), `change` Nullable(String), `date` Nullable(Date32), `row_key` Nullable(String), `old_value` Nullable(String), `new_value` Nullable(String), `old_number` Nullable(Float64), `new_number` Nullable(Float64), `change_number` Nullable(Float64), `was_final` Nullable(Bool), `run_id` Nullable(String), `changed_at` Nullable(DateTime64(6, 'UTC')), file_name Nullable(String)) engine = MergeTree order by tuple();
create table if not exists answerlake.sentiment_split (`project_id` Nullable(String), `project_name` Nullable(String), `date` Nullable(Date32), `positive_count` Nullable(Int64), `negative_count` Nullable(Int64), `neutral_count` Nullable(Int64), `unknown_count` Nullable(Int64), `known_count` Nullable(Int64), `total_count` Nullable(Int64), `positive_pct` Nullable(Float64), `negative_pct` Nullable(Float64), `neutral_pct` Nullable(Float64), `unknown_pct` Nullable(Float64), `positive_pct_low` Nullable(Float64), `positive_pct_high` Nullable(Float64), `negative_pct_low` Nullable(Float64), `negative_pct_high` Nullable(Float64), `neutral_pct_low` Nullable(Float64), `neutral_pct_high` Nullable(Float64), `net_sentiment_pct` Nullable(Float64), `net_sentiment_pct_low` Nullable(Float64), `net_sentiment_pct_high` Nullable(Float64), `net_sentiment_known_pct` Nullable(Float64), `net_sentiment_known_pct_low` Nullable(Float64), `net_sentiment_known_pct_high` Nullable(Float64), `is_final` Nullable(Bool), `changed_at` Nullable(DateTime64(6, 'UTC')), `final_on` Nullable(Date32), file_name Nullable(String)) engine = MergeTree order by tuple();
create table if not exists answerlake.sentiment_with_events (`project_id` Nullable(String), `project_name` Nullable(String), `date` Nullable(Date32), `sentiment` Nullable(Float64), `sentiment_7_day_mean` Nullable(Float64), `sentiment_previous_7_day_mean` Nullable(Float64), `sentiment_7_day_change` Nullable(Float64), `events_count` Nullable(Int64), `actions_completed` Nullable(Int64), `prompts_created` Nullable(Int64), `prompts_deleted` Nullable(Int64), `event_titles` Nullable(String), `event_types` Nullable(String), `is_final` Nullable(Bool), `changed_at` Nullable(DateTime64(6, 'UTC')), `final_on` Nullable(Date32), file_name Nullable(String)) engine = MergeTree order by tuple();
create table if not exists answerlake.setup_changes (`project_id` Nullable(String), `project_name` Nullable(String), `date` Nullable(Date32), `what` Nullable(String), `names` Nullable(String), `count` Nullable(Int64), `share_of_answers` Nullable(Float64), `judged_by` Nullable(String), `title` Nullable(String), `moves_figures` Nullable(Bool), file_name Nullable(String)) engine = MergeTree order by tuple();
create table if not exists answerlake.share_of_voice_trend (`project_id` Nullable(String), `project_name` Nullable(String), `date` Nullable(Date32), `organic_responses` Nullable(Int64), `organic_brand_mentions` Nullable(Int64), `share_of_voice_pct` Nullable(Float64), `share_of_voice_pct_low` Nullable(Float64), `share_of_voice_pct_high` Nullable(Float64), `previous_date` Nullable(Date32), `previous_share_of_voice_pct` Nullable(Float64), `change_points` Nullable(Float64), `reported_previous_share_of_voice_pct` Nullable(Float64), `reported_change_points` Nullable(Float64), `is_final` Nullable(Bool), `changed_at` Nullable(DateTime64(6, 'UTC')), `final_on` Nullable(Date32), file_name Nullable(String)) engine = MergeTree order by tuple();
create table if not exists answerlake.sync_coverage (`project_id` Nullable(String), `project_name` Nullable(String), `endpoint` Nullable(String), `date` Nullable(Date32), `series_expected_count` Nullable(Int64), `series_covered_count` Nullable(Int64), `series_settled_count` Nullable(Int64), `is_covered` Nullable(Bool), `is_settled` Nullable(Bool), `status` Nullable(String), `known_reason` Nullable(String), `known_first_on` Nullable(Date32), `asked_on` Nullable(Date32), file_name Nullable(String)) engine = MergeTree order by tuple();
create table if not exists answerlake.sync_freshness (`project_id` Nullable(String), `project_name` Nullable(String), `endpoint` Nullable(String), `status` Nullable(String), `last_asked_at` Nullable(DateTime64(6, 'UTC')), `last_success_at` Nullable(DateTime64(6, 'UTC')), `last_covered_date` Nullable(Date32), `lag_days` Nullable(Int64), `age_hours` Nullable(Float64), `max_age_hours` Nullable(Float64), `is_stale` Nullable(Bool), `slices_done_count` Nullable(Int64), `slices_failed_count` Nullable(Int64), `slices_suspicious_count` Nullable(Int64), `last_error` Nullable(String), file_name Nullable(String)) engine = MergeTree order by tuple();
create table if not exists answerlake.sync_gaps (`project_id` Nullable(String), `project_name` Nullable(String), `endpoint` Nullable(String), `date` Nullable(Date32), `status` Nullable(String), `last_status` Nullable(String), `known_reason` Nullable(String), `known_first_on` Nullable(Date32), file_name Nullable(String)) engine = MergeTree order by tuple();
create table if not exists answerlake.sync_settings (`sync_day` Nullable(Date32), `clock_day` Nullable(Date32), `start_date` Nullable(Date32), `lookback_days` Nullable(Int32), `timezone` Nullable(String), `base_url` Nullable(String), `timezone_lag_days` Nullable(Int32), file_name Nullable(String)) engine = MergeTree order by tuple();
create table if not exists answerlake.targets (`project_id` Nullable(String), `project_name` Nullable(String), `measure` Nullable(String), `goal` Nullable(Float64), `due_date` Nullable(Date32), `last_date` Nullable(Date32), `value` Nullable(Float64), `distance` Nullable(Float64), `projected_value` Nullable(Float64), `projected_low` Nullable(Float64), `projected_high` Nullable(Float64), `is_reached` Nullable(Bool), `is_on_course` Nullable(Bool), `is_sure` Nullable(Bool), file_name Nullable(String)) engine = MergeTree order by tuple();
create table if not exists answerlake.turning_points (`project_id` Nullable(String), `project_name` Nullable(String), `measure` Nullable(String), `date` Nullable(Date32), `value_before` Nullable(Float64), `value_after` Nullable(Float64), `change` Nullable(Float64), `typical_change` Nullable(Float64), `drift` Nullable(Float64), `candidates_count` Nullable(Int64), `candidate_ids` Nullable(String), `candidate_titles` Nullable(String), `is_final` Nullable(Bool), file_name Nullable(String)) engine = MergeTree order by tuple();
create table if not exists answerlake.visibility_with_events (`project_id` Nullable(String), `project_name` Nullable(String), `date` Nullable(Date32), `visibility` Nullable(Float64), `visibility_7_day_mean` Nullable(Float64), `visibility_previous_7_day_mean` Nullable(Float64), `visibility_7_day_change` Nullable(Float64), `events_count` Nullable(Int64), `actions_completed` Nullable(Int64), `prompts_created` Nullable(Int64), `prompts_deleted` Nullable(Int64), `event_titles` Nullable(String), `event_types` Nullable(String), `is_final` Nullable(Bool), `changed_at` Nullable(DateTime64(6, 'UTC')), `final_on` Nullable(Date32), file_name Nullable(String)) engine = MergeTree order by tuple();
create table if not exists answerlake.why_visibility_moved (`project_id` Nullable(String), `project_name` Nullable(String), `window_days` Nullable(Int32), `before_from` Nullable(Date32), `before_to` Nullable(Date32), `after_from` Nullable(Date32), `after_to` Nullable(Date32), `visibility_before` Nullable(Float64), `visibility_after` Nullable(Float64), `before_as_reported` Nullable(Float64), `change` Nullable(Float64), `part` Nullable(String), `points` Nullable(Float64), `typical_change` Nullable(Float64), `judged_by` Nullable(String), `not_told` Nullable(String), file_name Nullable(String)) engine = MergeTree order by tuple();
create table if not exists answerlake.window_summary (`project_id` Nullable(String), `project_name` Nullable(String), `window_start` Nullable(Date32), `window_end` Nullable(Date32), `days_in_window` Nullable(Int32), `all_responses` Nullable(Int64), `all_brand_mentions` Nullable(Int64), `brand_mention_rate` Nullable(Float64), `positive_count` Nullable(Int64), `negative_count` Nullable(Int64), `neutral_count` Nullable(Int64), `unknown_count` Nullable(Int64), `current_share_of_voice_pct` Nullable(Float64), `previous_share_of_voice_pct` Nullable(Float64), `changed_at` Nullable(DateTime64(6, 'UTC')), `final_on` Nullable(Date32), file_name Nullable(String)) engine = MergeTree order by tuple();


delete from answerlake.action_group_impact where file_name not in (select file_name from answerlake.manifest where table_name = 'action_group_impact')
  or file_name in (select loaded.file_name
    from (select file_name, count(*) as row_count from answerlake.action_group_impact group by file_name) as loaded
    join answerlake.manifest as listed on listed.file_name = loaded.file_name
    where listed.table_name = 'action_group_impact' and listed.row_count <> loaded.row_count);
insert into answerlake.action_group_impact (`project_id`, `project_name`, `overlap_group_id`, `first_date`, `last_date`, `actions`, `titles`, `visibility_before`, `visibility_after`, `visibility_change`, `visibility_typical_change`, `visibility_effect`, `visibility_effect_low`, `visibility_effect_high`, `visibility_is_clear`, `visibility_effect_15_28`, `visibility_effect_15_28_low`, `visibility_effect_15_28_high`, `visibility_effect_15_28_is_clear`, `visibility_effect_29_56`, `visibility_effect_29_56_low`, `visibility_effect_29_56_high`, `visibility_effect_29_56_is_clear`, `sentiment_before`, `sentiment_after`, `sentiment_change`, `sentiment_typical_change`, `sentiment_effect`, `sentiment_effect_low`, `sentiment_effect_high`, `sentiment_is_clear`, `sentiment_effect_15_28`, `sentiment_effect_15_28_low`, `sentiment_effect_15_28_high`, `sentiment_effect_15_28_is_clear`, `sentiment_effect_29_56`, `sentiment_effect_29_56_low`, `sentiment_effect_29_56_high`, `sentiment_effect_29_56_is_clear`, `share_of_voice_before`, `share_of_voice_after`, `share_of_voice_change`, `share_of_voice_typical_change`, `share_of_voice_effect`, `share_of_voice_effect_low`, `share_of_voice_effect_high`, `share_of_voice_is_clear`, `share_of_voice_effect_15_28`, `share_of_voice_effect_15_28_low`, `share_of_voice_effect_15_28_high`, `share_of_voice_effect_15_28_is_clear`, `share_of_voice_effect_29_56`, `share_of_voice_effect_29_56_low`, `share_of_voice_effect_29_56_high`, `share_of_voice_effect_29_56_is_clear`, `not_judged`, `days_before`, `days_after`, `other_actions_count`, `setup_change_titles`, `is_final`, file_name)
select cast(`project_id` as Nullable(String)), cast(`project_name` as Nullable(String)), cast(`overlap_group_id` as Nullable(String)), cast(`first_date` as Nullable(Date32)), cast(`last_date` as Nullable(Date32)), cast(`actions` as Nullable(Int64)), cast(`titles` as Nullable(String)), cast(`visibility_before` as Nullable(Float64)), cast(`visibility_after` as Nullable(Float64)), cast(`visibility_change` as Nullable(Float64)), cast(`visibility_typical_change` as Nullable(Float64)), cast(`visibility_effect` as Nullable(Float64)), cast(`visibility_effect_low` as Nullable(Float64)), cast(`visibility_effect_high` as Nullable(Float64)), cast(`visibility_is_clear` as Nullable(Bool)), cast(`visibility_effect_15_28` as Nullable(Float64)), cast(`visibility_effect_15_28_low` as Nullable(Float64)), cast(`visibility_effect_15_28_high` as Nullable(Float64)), cast(`visibility_effect_15_28_is_clear` as Nullable(Bool)), cast(`visibility_effect_29_56` as Nullable(Float64)), cast(`visibility_effect_29_56_low` as Nullable(Float64)), cast(`visibility_effect_29_56_high` as Nullable(Float64)), cast(`visibility_effect_29_56_is_clear` as Nullable(Bool)), cast(`sentiment_before` as Nullable(Float64)), cast(`sentiment_after` as Nullable(Float64)), cast(`sentiment_change` as Nullable(Float64)), cast(`sentiment_typical_change` as Nullable(Float64)), cast(`sentiment_effect` as Nullable(Float64)), cast(`sentiment_effect_low` as Nullable(Float64)), cast(`sentiment_effect_high` as Nullable(Float64)), cast(`sentiment_is_clear` as Nullable(Bool)), cast(`sentiment_effect_15_28` as Nullable(Float64)), cast(`sentiment_effect_15_28_low` as Nullable(Float64)), cast(`sentiment_effect_15_28_high` as Nullable(Float64)), cast(`sentiment_effect_15_28_is_clear` as Nullable(Bool)), cast(`sentiment_effect_29_56` as Nullable(Float64)), cast(`sentiment_effect_29_56_low` as Nullable(Float64)), cast(`sentiment_effect_29_56_high` as Nullable(Float64)), cast(`sentiment_effect_29_56_is_clear` as Nullable(Bool)), cast(`share_of_voice_before` as Nullable(Float64)), cast(`share_of_voice_after` as Nullable(Float64)), cast(`share_of_voice_change` as Nullable(Float64)), cast(`share_of_voice_typical_change` as Nullable(Float64)), cast(`share_of_voice_effect` as Nullable(Float64)), cast(`share_of_voice_effect_low` as Nullable(Float64)), cast(`share_of_voice_effect_high` as Nullable(Float64)), cast(`share_of_voice_is_clear` as Nullable(Bool)), cast(`share_of_voice_effect_15_28` as Nullable(Float64)), cast(`share_of_voice_effect_15_28_low` as Nullable(Float64)), cast(`share_of_voice_effect_15_28_high` as Nullable(Float64)), cast(`share_of_voice_effect_15_28_is_clear` as Nullable(Bool)), cast(`share_of_voice_effect_29_56` as Nullable(Float64)), cast(`share_of_voice_effect_29_56_low` as Nullable(Float64)), cast(`share_of_voice_effect_29_56_high` as Nullable(Float64)), cast(`share_of_voice_effect_29_56_is_clear` as Nullable(Bool)), cast(`not_judged` as Nullable(String)), cast(`days_before` as Nullable(Int64)), cast(`days_after` as Nullable(Int64)), cast(`other_actions_count` as Nullable(Int64)), cast(`setup_change_titles` as Nullable(String)), cast(`is_final` as Nullable(Bool)), _file
from s3(answerlake, filename = 'action_group_impact/**.parquet', format = 'Parquet')
where _file in (select file_name from answerlake.manifest where table_name = 'action_group_impact')
  and _file not in (select file_name from answerlake.action_group_impact);

delete from answerlake.action_impact where file_name not in (select file_name from answerlake.manifest where table_name = 'action_impact')
  or file_name in (select loaded.file_name
    from (select file_name, count(*) as row_count from answerlake.action_impact group by file_name) as loaded
    join answerlake.manifest as listed on listed.file_name = loaded.file_name
    where listed.table_name = 'action_impact' and listed.row_count <> loaded.row_count);
insert into answerlake.action_impact (`project_id`, `project_name`, `event_id`, `action_id`, `action_type`, `action_title`, `date`, `occurred_at`, `overlap_group_id`, `visibility_before`, `visibility_after`, `visibility_change`, `visibility_typical_change`, `visibility_effect`, `visibility_effect_low`, `visibility_effect_high`, `visibility_is_clear`, `sentiment_before`, `sentiment_after`, `sentiment_change`, `sentiment_typical_change`, `sentiment_effect`, `sentiment_effect_low`, `sentiment_effect_high`, `sentiment_is_clear`, `share_of_voice_before_pct`, `share_of_voice_after_pct`, `share_of_voice_change_points`, `share_of_voice_typical_change`, `share_of_voice_effect`, `share_of_voice_effect_low`, `share_of_voice_effect_high`, `share_of_voice_is_clear`, `not_judged`, `days_before`, `days_after`, `sentiment_days_before`, `sentiment_days_after`, `share_of_voice_days_before`, `share_of_voice_days_after`, `other_events_count`, `other_actions_count`, `setup_change_titles`, `is_comparable`, `is_final`, file_name)
select cast(`project_id` as Nullable(String)), cast(`project_name` as Nullable(String)), cast(`event_id` as Nullable(String)), cast(`action_id` as Nullable(String)), cast(`action_type` as Nullable(String)), cast(`action_title` as Nullable(String)), cast(`date` as Nullable(Date32)), cast(`occurred_at` as Nullable(DateTime64(6, 'UTC'))), cast(`overlap_group_id` as Nullable(String)), cast(`visibility_before` as Nullable(Float64)), cast(`visibility_after` as Nullable(Float64)), cast(`visibility_change` as Nullable(Float64)), cast(`visibility_typical_change` as Nullable(Float64)), cast(`visibility_effect` as Nullable(Float64)), cast(`visibility_effect_low` as Nullable(Float64)), cast(`visibility_effect_high` as Nullable(Float64)), cast(`visibility_is_clear` as Nullable(Bool)), cast(`sentiment_before` as Nullable(Float64)), cast(`sentiment_after` as Nullable(Float64)), cast(`sentiment_change` as Nullable(Float64)), cast(`sentiment_typical_change` as Nullable(Float64)), cast(`sentiment_effect` as Nullable(Float64)), cast(`sentiment_effect_low` as Nullable(Float64)), cast(`sentiment_effect_high` as Nullable(Float64)), cast(`sentiment_is_clear` as Nullable(Bool)), cast(`share_of_voice_before_pct` as Nullable(Float64)), cast(`share_of_voice_after_pct` as Nullable(Float64)), cast(`share_of_voice_change_points` as Nullable(Float64)), cast(`share_of_voice_typical_change` as Nullable(Float64)), cast(`share_of_voice_effect` as Nullable(Float64)), cast(`share_of_voice_effect_low` as Nullable(Float64)), cast(`share_of_voice_effect_high` as Nullable(Float64)), cast(`share_of_voice_is_clear` as Nullable(Bool)), cast(`not_judged` as Nullable(String)), cast(`days_before` as Nullable(Int64)), cast(`days_after` as Nullable(Int64)), cast(`sentiment_days_before` as Nullable(Int64)), cast(`sentiment_days_after` as Nullable(Int64)), cast(`share_of_voice_days_before` as Nullable(Int64)), cast(`share_of_voice_days_after` as Nullable(Int64)), cast(`other_events_count` as Nullable(Int64)), cast(`other_actions_count` as Nullable(Int64)), cast(`setup_change_titles` as Nullable(String)), cast(`is_comparable` as Nullable(Bool)), cast(`is_final` as Nullable(Bool)), _file
from s3(answerlake, filename = 'action_impact/**.parquet', format = 'Parquet')
where _file in (select file_name from answerlake.manifest where table_name = 'action_impact')
  and _file not in (select file_name from answerlake.action_impact);

delete from answerlake.action_type_impact where file_name not in (select file_name from answerlake.manifest where table_name = 'action_type_impact')
  or file_name in (select loaded.file_name
    from (select file_name, count(*) as row_count from answerlake.action_type_impact group by file_name) as loaded
    join answerlake.manifest as listed on listed.file_name = loaded.file_name
    where listed.table_name = 'action_type_impact' and listed.row_count <> loaded.row_count);
insert into answerlake.action_type_impact (`project_id`, `project_name`, `organization_id`, `action_type`, `measure`, `actions_count`, `judged_count`, `weeks_count`, `mean_effect`, `effect_low`, `effect_high`, `is_clear`, file_name)
select cast(`project_id` as Nullable(String)), cast(`project_name` as Nullable(String)), cast(`organization_id` as Nullable(String)), cast(`action_type` as Nullable(String)), cast(`measure` as Nullable(String)), cast(`actions_count` as Nullable(Int64)), cast(`judged_count` as Nullable(Int64)), cast(`weeks_count` as Nullable(Int64)), cast(`mean_effect` as Nullable(Float64)), cast(`effect_low` as Nullable(Float64)), cast(`effect_high` as Nullable(Float64)), cast(`is_clear` as Nullable(Bool)), _file
from s3(answerlake, filename = 'action_type_impact/**.parquet', format = 'Parquet')
where _file in (select file_name from answerlake.manifest where table_name = 'action_type_impact')
  and _file not in (select file_name from answerlake.action_type_impact);

delete from answerlake.ai_traffic where file_name not in (select file_name from answerlake.manifest where table_name = 'ai_traffic')
  or file_name in (select loaded.file_name
    from (select file_name, count(*) as row_count from answerlake.ai_traffic group by file_name) as loaded
    join answerlake.manifest as listed on listed.file_name = loaded.file_name
    where listed.table_name = 'ai_traffic' and listed.row_count <> loaded.row_count);
insert into answerlake.ai_traffic (`project_id`, `project_name`, `date`, `source_kind`, `source`, `crawler_requests_count`, `ai_visits_count`, `is_final`, `changed_at`, `final_on`, file_name)
select cast(`project_id` as Nullable(String)), cast(`project_name` as Nullable(String)), cast(`date` as Nullable(Date32)), cast(`source_kind` as Nullable(String)), cast(`source` as Nullable(String)), cast(`crawler_requests_count` as Nullable(Int64)), cast(`ai_visits_count` as Nullable(Int64)), cast(`is_final` as Nullable(Bool)), cast(`changed_at` as Nullable(DateTime64(6, 'UTC'))), cast(`final_on` as Nullable(Date32)), _file
from s3(answerlake, filename = 'ai_traffic/**.parquet', format = 'Parquet')
where _file in (select file_name from answerlake.manifest where table_name = 'ai_traffic')
  and _file not in (select file_name from answerlake.ai_traffic);

delete from answerlake.ai_vendors where file_name not in (select file_name from answerlake.manifest where table_name = 'ai_vendors')
  or file_name in (select loaded.file_name
    from (select file_name, count(*) as row_count from answerlake.ai_vendors group by file_name) as loaded
    join answerlake.manifest as listed on listed.file_name = loaded.file_name
    where listed.table_name = 'ai_vendors' and listed.row_count <> loaded.row_count);
insert into answerlake.ai_vendors (`source_kind`, `source`, `source_key`, `vendor`, `purpose`, file_name)
select cast(`source_kind` as Nullable(String)), cast(`source` as Nullable(String)), cast(`source_key` as Nullable(String)), cast(`vendor` as Nullable(String)), cast(`purpose` as Nullable(String)), _file
from s3(answerlake, filename = 'ai_vendors/**.parquet', format = 'Parquet')
where _file in (select file_name from answerlake.manifest where table_name = 'ai_vendors')
  and _file not in (select file_name from answerlake.ai_vendors);

delete from answerlake.anomalies where file_name not in (select file_name from answerlake.manifest where table_name = 'anomalies')
  or file_name in (select loaded.file_name
    from (select file_name, count(*) as row_count from answerlake.anomalies group by file_name) as loaded
    join answerlake.manifest as listed on listed.file_name = loaded.file_name
    where listed.table_name = 'anomalies' and listed.row_count <> loaded.row_count);
insert into answerlake.anomalies (`project_id`, `project_name`, `measure`, `date`, `value`, `expected_value`, `deviations`, `is_final`, file_name)
select cast(`project_id` as Nullable(String)), cast(`project_name` as Nullable(String)), cast(`measure` as Nullable(String)), cast(`date` as Nullable(Date32)), cast(`value` as Nullable(Float64)), cast(`expected_value` as Nullable(Float64)), cast(`deviations` as Nullable(Float64)), cast(`is_final` as Nullable(Bool)), _file
from s3(answerlake, filename = 'anomalies/**.parquet', format = 'Parquet')
where _file in (select file_name from answerlake.manifest where table_name = 'anomalies')
  and _file not in (select file_name from answerlake.anomalies);

delete from answerlake.brand_mention_share where file_name not in (select file_name from answerlake.manifest where table_name = 'brand_mention_share')
  or file_name in (select loaded.file_name
    from (select file_name, count(*) as row_count from answerlake.brand_mention_share group by file_name) as loaded
    join answerlake.manifest as listed on listed.file_name = loaded.file_name
    where listed.table_name = 'brand_mention_share' and listed.row_count <> loaded.row_count);
insert into answerlake.brand_mention_share (`project_id`, `project_name`, `date`, `brand_id`, `brand_name`, `relation`, `is_own_brand`, `mention_count`, `all_mention_count`, `mention_share_pct`, `mention_share_pct_low`, `mention_share_pct_high`, `own_mention_share_pct`, `mention_rank`, `is_final`, `changed_at`, `final_on`, file_name)
select cast(`project_id` as Nullable(String)), cast(`project_name` as Nullable(String)), cast(`date` as Nullable(Date32)), cast(`brand_id` as Nullable(String)), cast(`brand_name` as Nullable(String)), cast(`relation` as Nullable(String)), cast(`is_own_brand` as Nullable(Bool)), cast(`mention_count` as Nullable(Int64)), cast(`all_mention_count` as Nullable(Int64)), cast(`mention_share_pct` as Nullable(Float64)), cast(`mention_share_pct_low` as Nullable(Float64)), cast(`mention_share_pct_high` as Nullable(Float64)), cast(`own_mention_share_pct` as Nullable(Float64)), cast(`mention_rank` as Nullable(Int64)), cast(`is_final` as Nullable(Bool)), cast(`changed_at` as Nullable(DateTime64(6, 'UTC'))), cast(`final_on` as Nullable(Date32)), _file
from s3(answerlake, filename = 'brand_mention_share/**.parquet', format = 'Parquet')
where _file in (select file_name from answerlake.manifest where table_name = 'brand_mention_share')
  and _file not in (select file_name from answerlake.brand_mention_share);

delete from answerlake.brand_visibility_trend where file_name not in (select file_name from answerlake.manifest where table_name = 'brand_visibility_trend')
  or file_name in (select loaded.file_name
    from (select file_name, count(*) as row_count from answerlake.brand_visibility_trend group by file_name) as loaded
    join answerlake.manifest as listed on listed.file_name = loaded.file_name
    where listed.table_name = 'brand_visibility_trend' and listed.row_count <> loaded.row_count);
insert into answerlake.brand_visibility_trend (`project_id`, `project_name`, `date`, `brand_id`, `brand_name`, `brand_domain`, `relation`, `is_own_brand`, `visibility_pct`, `average_visibility`, `mention_count`, `all_responses`, `own_visibility_pct`, `own_average_visibility`, `own_mention_count`, `gap_points`, `is_final`, `changed_at`, `final_on`, file_name)
select cast(`project_id` as Nullable(String)), cast(`project_name` as Nullable(String)), cast(`date` as Nullable(Date32)), cast(`brand_id` as Nullable(String)), cast(`brand_name` as Nullable(String)), cast(`brand_domain` as Nullable(String)), cast(`relation` as Nullable(String)), cast(`is_own_brand` as Nullable(Bool)), cast(`visibility_pct` as Nullable(Float64)), cast(`average_visibility` as Nullable(Float64)), cast(`mention_count` as Nullable(Int64)), cast(`all_responses` as Nullable(Int64)), cast(`own_visibility_pct` as Nullable(Float64)), cast(`own_average_visibility` as Nullable(Float64)), cast(`own_mention_count` as Nullable(Int64)), cast(`gap_points` as Nullable(Float64)), cast(`is_final` as Nullable(Bool)), cast(`changed_at` as Nullable(DateTime64(6, 'UTC'))), cast(`final_on` as Nullable(Date32)), _file
from s3(answerlake, filename = 'brand_visibility_trend/**.parquet', format = 'Parquet')
where _file in (select file_name from answerlake.manifest where table_name = 'brand_visibility_trend')
  and _file not in (select file_name from answerlake.brand_visibility_trend);

delete from answerlake.brands where file_name not in (select file_name from answerlake.manifest where table_name = 'brands')
  or file_name in (select loaded.file_name
    from (select file_name, count(*) as row_count from answerlake.brands group by file_name) as loaded
    join answerlake.manifest as listed on listed.file_name = loaded.file_name
    where listed.table_name = 'brands' and listed.row_count <> loaded.row_count);
insert into answerlake.brands (`project_id`, `project_name`, `brand_id`, `brand_name`, `brand_domain`, `relation`, `is_own_brand`, file_name)
select cast(`project_id` as Nullable(String)), cast(`project_name` as Nullable(String)), cast(`brand_id` as Nullable(String)), cast(`brand_name` as Nullable(String)), cast(`brand_domain` as Nullable(String)), cast(`relation` as Nullable(String)), cast(`is_own_brand` as Nullable(Bool)), _file
from s3(answerlake, filename = 'brands/**.parquet', format = 'Parquet')
where _file in (select file_name from answerlake.manifest where table_name = 'brands')
  and _file not in (select file_name from answerlake.brands);

delete from answerlake.calendar where file_name not in (select file_name from answerlake.manifest where table_name = 'calendar')
  or file_name in (select loaded.file_name
    from (select file_name, count(*) as row_count from answerlake.calendar group by file_name) as loaded
    join answerlake.manifest as listed on listed.file_name = loaded.file_name
    where listed.table_name = 'calendar' and listed.row_count <> loaded.row_count);
insert into answerlake.calendar (`date`, `iso_year`, `iso_week`, `iso_day_of_week`, `day_name`, `week_start`, `month_start`, `quarter_start`, `year`, `month`, `is_weekend`, `is_whole_day`, file_name)
select cast(`date` as Nullable(Date32)), cast(`iso_year` as Nullable(Int32)), cast(`iso_week` as Nullable(Int32)), cast(`iso_day_of_week` as Nullable(Int32)), cast(`day_name` as Nullable(String)), cast(`week_start` as Nullable(Date32)), cast(`month_start` as Nullable(Date32)), cast(`quarter_start` as Nullable(Date32)), cast(`year` as Nullable(Int32)), cast(`month` as Nullable(Int32)), cast(`is_weekend` as Nullable(Bool)), cast(`is_whole_day` as Nullable(Bool)), _file
from s3(answerlake, filename = 'calendar/**.parquet', format = 'Parquet')
where _file in (select file_name from answerlake.manifest where table_name = 'calendar')
  and _file not in (select file_name from answerlake.calendar);

delete from answerlake.citation_rank_trend where file_name not in (select file_name from answerlake.manifest where table_name = 'citation_rank_trend')
  or file_name in (select loaded.file_name
    from (select file_name, count(*) as row_count from answerlake.citation_rank_trend group by file_name) as loaded
    join answerlake.manifest as listed on listed.file_name = loaded.file_name
    where listed.table_name = 'citation_rank_trend' and listed.row_count <> loaded.row_count);
insert into answerlake.citation_rank_trend (`project_id`, `project_name`, `date`, `citations_count`, `ranked_citations_count`, `ranked_citations_pct`, `average_citation_rank`, `best_citation_rank`, `worst_citation_rank`, `previous_date`, `previous_average_citation_rank`, `average_citation_rank_change`, `is_final`, `changed_at`, `final_on`, file_name)
select cast(`project_id` as Nullable(String)), cast(`project_name` as Nullable(String)), cast(`date` as Nullable(Date32)), cast(`citations_count` as Nullable(Int64)), cast(`ranked_citations_count` as Nullable(Int64)), cast(`ranked_citations_pct` as Nullable(Float64)), cast(`average_citation_rank` as Nullable(Float64)), cast(`best_citation_rank` as Nullable(Float64)), cast(`worst_citation_rank` as Nullable(Float64)), cast(`previous_date` as Nullable(Date32)), cast(`previous_average_citation_rank` as Nullable(Float64)), cast(`average_citation_rank_change` as Nullable(Float64)), cast(`is_final` as Nullable(Bool)), cast(`changed_at` as Nullable(DateTime64(6, 'UTC'))), cast(`final_on` as Nullable(Date32)), _file
from s3(answerlake, filename = 'citation_rank_trend/**.parquet', format = 'Parquet')
where _file in (select file_name from answerlake.manifest where table_name = 'citation_rank_trend')
  and _file not in (select file_name from answerlake.citation_rank_trend);

delete from answerlake.cited_domains where file_name not in (select file_name from answerlake.manifest where table_name = 'cited_domains')
  or file_name in (select loaded.file_name
    from (select file_name, count(*) as row_count from answerlake.cited_domains group by file_name) as loaded
    join answerlake.manifest as listed on listed.file_name = loaded.file_name
    where listed.table_name = 'cited_domains' and listed.row_count <> loaded.row_count);
insert into answerlake.cited_domains (`project_id`, `project_name`, `window_start`, `window_end`, `days_in_window`, `domain`, `is_own_domain`, `domain_status`, `citations_count`, `citations_share_pct`, `average_citation_rank`, `previous_citations_count`, `previous_days_in_window`, `citations_change`, `citations_per_day_change`, `previous_average_citation_rank`, `window_citations_count`, `changed_at`, `final_on`, file_name)
select cast(`project_id` as Nullable(String)), cast(`project_name` as Nullable(String)), cast(`window_start` as Nullable(Date32)), cast(`window_end` as Nullable(Date32)), cast(`days_in_window` as Nullable(Int32)), cast(`domain` as Nullable(String)), cast(`is_own_domain` as Nullable(Bool)), cast(`domain_status` as Nullable(String)), cast(`citations_count` as Nullable(Int64)), cast(`citations_share_pct` as Nullable(Float64)), cast(`average_citation_rank` as Nullable(Float64)), cast(`previous_citations_count` as Nullable(Int64)), cast(`previous_days_in_window` as Nullable(Int32)), cast(`citations_change` as Nullable(Int64)), cast(`citations_per_day_change` as Nullable(Float64)), cast(`previous_average_citation_rank` as Nullable(Float64)), cast(`window_citations_count` as Nullable(Int64)), cast(`changed_at` as Nullable(DateTime64(6, 'UTC'))), cast(`final_on` as Nullable(Date32)), _file
from s3(answerlake, filename = 'cited_domains/**.parquet', format = 'Parquet')
where _file in (select file_name from answerlake.manifest where table_name = 'cited_domains')
  and _file not in (select file_name from answerlake.cited_domains);

delete from answerlake.competitor_gap where file_name not in (select file_name from answerlake.manifest where table_name = 'competitor_gap')
  or file_name in (select loaded.file_name
    from (select file_name, count(*) as row_count from answerlake.competitor_gap group by file_name) as loaded
    join answerlake.manifest as listed on listed.file_name = loaded.file_name
    where listed.table_name = 'competitor_gap' and listed.row_count <> loaded.row_count);
insert into answerlake.competitor_gap (`project_id`, `project_name`, `date`, `competitor_brand_id`, `competitor_name`, `competitor_domain`, `relation`, `competitor_visibility_pct`, `own_visibility_pct`, `gap_points`, `competitor_average_visibility`, `own_average_visibility`, `score_gap`, `competitor_mention_count`, `own_mention_count`, `is_own_brand_ahead`, `is_final`, `changed_at`, `final_on`, file_name)
select cast(`project_id` as Nullable(String)), cast(`project_name` as Nullable(String)), cast(`date` as Nullable(Date32)), cast(`competitor_brand_id` as Nullable(String)), cast(`competitor_name` as Nullable(String)), cast(`competitor_domain` as Nullable(String)), cast(`relation` as Nullable(String)), cast(`competitor_visibility_pct` as Nullable(Float64)), cast(`own_visibility_pct` as Nullable(Float64)), cast(`gap_points` as Nullable(Float64)), cast(`competitor_average_visibility` as Nullable(Float64)), cast(`own_average_visibility` as Nullable(Float64)), cast(`score_gap` as Nullable(Float64)), cast(`competitor_mention_count` as Nullable(Int64)), cast(`own_mention_count` as Nullable(Int64)), cast(`is_own_brand_ahead` as Nullable(Bool)), cast(`is_final` as Nullable(Bool)), cast(`changed_at` as Nullable(DateTime64(6, 'UTC'))), cast(`final_on` as Nullable(Date32)), _file
from s3(answerlake, filename = 'competitor_gap/**.parquet', format = 'Parquet')
where _file in (select file_name from answerlake.manifest where table_name = 'competitor_gap')
  and _file not in (select file_name from answerlake.competitor_gap);

delete from answerlake.competitor_heatmap_latest where file_name not in (select file_name from answerlake.manifest where table_name = 'competitor_heatmap_latest')
  or file_name in (select loaded.file_name
    from (select file_name, count(*) as row_count from answerlake.competitor_heatmap_latest group by file_name) as loaded
    join answerlake.manifest as listed on listed.file_name = loaded.file_name
    where listed.table_name = 'competitor_heatmap_latest' and listed.row_count <> loaded.row_count);
insert into answerlake.competitor_heatmap_latest (`project_id`, `project_name`, `window_start`, `window_end`, `competitor_name`, `competitor_domain`, `relation`, `is_own_brand`, `competitor_rank`, `model_id`, `model_name`, `is_deprecated_model`, `visibility_pct`, `own_visibility_pct`, `gap_points`, `changed_at`, `final_on`, file_name)
select cast(`project_id` as Nullable(String)), cast(`project_name` as Nullable(String)), cast(`window_start` as Nullable(Date32)), cast(`window_end` as Nullable(Date32)), cast(`competitor_name` as Nullable(String)), cast(`competitor_domain` as Nullable(String)), cast(`relation` as Nullable(String)), cast(`is_own_brand` as Nullable(Bool)), cast(`competitor_rank` as Nullable(Int64)), cast(`model_id` as Nullable(String)), cast(`model_name` as Nullable(String)), cast(`is_deprecated_model` as Nullable(Bool)), cast(`visibility_pct` as Nullable(Float64)), cast(`own_visibility_pct` as Nullable(Float64)), cast(`gap_points` as Nullable(Float64)), cast(`changed_at` as Nullable(DateTime64(6, 'UTC'))), cast(`final_on` as Nullable(Date32)), _file
from s3(answerlake, filename = 'competitor_heatmap_latest/**.parquet', format = 'Parquet')
where _file in (select file_name from answerlake.manifest where table_name = 'competitor_heatmap_latest')
  and _file not in (select file_name from answerlake.competitor_heatmap_latest);

delete from answerlake.competitor_heatmap_trend where file_name not in (select file_name from answerlake.manifest where table_name = 'competitor_heatmap_trend')
  or file_name in (select loaded.file_name
    from (select file_name, count(*) as row_count from answerlake.competitor_heatmap_trend group by file_name) as loaded
    join answerlake.manifest as listed on listed.file_name = loaded.file_name
    where listed.table_name = 'competitor_heatmap_trend' and listed.row_count <> loaded.row_count);
insert into answerlake.competitor_heatmap_trend (`project_id`, `project_name`, `window_start`, `window_end`, `days_in_window`, `competitor_name`, `competitor_domain`, `relation`, `is_own_brand`, `competitor_rank`, `model_id`, `model_name`, `is_deprecated_model`, `visibility_pct`, `own_visibility_pct`, `gap_points`, `previous_visibility_pct`, `change_points`, `changed_at`, `final_on`, file_name)
select cast(`project_id` as Nullable(String)), cast(`project_name` as Nullable(String)), cast(`window_start` as Nullable(Date32)), cast(`window_end` as Nullable(Date32)), cast(`days_in_window` as Nullable(Int32)), cast(`competitor_name` as Nullable(String)), cast(`competitor_domain` as Nullable(String)), cast(`relation` as Nullable(String)), cast(`is_own_brand` as Nullable(Bool)), cast(`competitor_rank` as Nullable(Int64)), cast(`model_id` as Nullable(String)), cast(`model_name` as Nullable(String)), cast(`is_deprecated_model` as Nullable(Bool)), cast(`visibility_pct` as Nullable(Float64)), cast(`own_visibility_pct` as Nullable(Float64)), cast(`gap_points` as Nullable(Float64)), cast(`previous_visibility_pct` as Nullable(Float64)), cast(`change_points` as Nullable(Float64)), cast(`changed_at` as Nullable(DateTime64(6, 'UTC'))), cast(`final_on` as Nullable(Date32)), _file
from s3(answerlake, filename = 'competitor_heatmap_trend/**.parquet', format = 'Parquet')
where _file in (select file_name from answerlake.manifest where table_name = 'competitor_heatmap_trend')
  and _file not in (select file_name from answerlake.competitor_heatmap_trend);

delete from answerlake.competitor_mention_trend where file_name not in (select file_name from answerlake.manifest where table_name = 'competitor_mention_trend')
  or file_name in (select loaded.file_name
    from (select file_name, count(*) as row_count from answerlake.competitor_mention_trend group by file_name) as loaded
    join answerlake.manifest as listed on listed.file_name = loaded.file_name
    where listed.table_name = 'competitor_mention_trend' and listed.row_count <> loaded.row_count);
insert into answerlake.competitor_mention_trend (`project_id`, `project_name`, `window_start`, `window_end`, `days_in_window`, `competitor`, `is_tracked`, `mention_count`, `mention_share_pct`, `previous_mention_count`, `previous_mention_share_pct`, `changed_at`, `final_on`, file_name)
select cast(`project_id` as Nullable(String)), cast(`project_name` as Nullable(String)), cast(`window_start` as Nullable(Date32)), cast(`window_end` as Nullable(Date32)), cast(`days_in_window` as Nullable(Int32)), cast(`competitor` as Nullable(String)), cast(`is_tracked` as Nullable(Bool)), cast(`mention_count` as Nullable(Int64)), cast(`mention_share_pct` as Nullable(Float64)), cast(`previous_mention_count` as Nullable(Int64)), cast(`previous_mention_share_pct` as Nullable(Float64)), cast(`changed_at` as Nullable(DateTime64(6, 'UTC'))), cast(`final_on` as Nullable(Date32)), _file
from s3(answerlake, filename = 'competitor_mention_trend/**.parquet', format = 'Parquet')
where _file in (select file_name from answerlake.manifest where table_name = 'competitor_mention_trend')
  and _file not in (select file_name from answerlake.competitor_mention_trend);

delete from answerlake.crawler_page_trend where file_name not in (select file_name from answerlake.manifest where table_name = 'crawler_page_trend')
  or file_name in (select loaded.file_name
    from (select file_name, count(*) as row_count from answerlake.crawler_page_trend group by file_name) as loaded
    join answerlake.manifest as listed on listed.file_name = loaded.file_name
    where listed.table_name = 'crawler_page_trend' and listed.row_count <> loaded.row_count);
insert into answerlake.crawler_page_trend (`project_id`, `project_name`, `window_start`, `window_end`, `days_in_window`, `request_path`, `crawler_requests_count`, `listed_share_pct`, `unique_crawlers_count`, `previous_crawler_requests_count`, `previous_days_in_window`, `crawler_requests_change`, `crawler_requests_per_day_change`, `changed_at`, `final_on`, file_name)
select cast(`project_id` as Nullable(String)), cast(`project_name` as Nullable(String)), cast(`window_start` as Nullable(Date32)), cast(`window_end` as Nullable(Date32)), cast(`days_in_window` as Nullable(Int32)), cast(`request_path` as Nullable(String)), cast(`crawler_requests_count` as Nullable(Int64)), cast(`listed_share_pct` as Nullable(Float64)), cast(`unique_crawlers_count` as Nullable(Int64)), cast(`previous_crawler_requests_count` as Nullable(Int64)), cast(`previous_days_in_window` as Nullable(Int32)), cast(`crawler_requests_change` as Nullable(Int64)), cast(`crawler_requests_per_day_change` as Nullable(Float64)), cast(`changed_at` as Nullable(DateTime64(6, 'UTC'))), cast(`final_on` as Nullable(Date32)), _file
from s3(answerlake, filename = 'crawler_page_trend/**.parquet', format = 'Parquet')
where _file in (select file_name from answerlake.manifest where table_name = 'crawler_page_trend')
  and _file not in (select file_name from answerlake.crawler_page_trend);

delete from answerlake.crawler_pages where file_name not in (select file_name from answerlake.manifest where table_name = 'crawler_pages')
  or file_name in (select loaded.file_name
    from (select file_name, count(*) as row_count from answerlake.crawler_pages group by file_name) as loaded
    join answerlake.manifest as listed on listed.file_name = loaded.file_name
    where listed.table_name = 'crawler_pages' and listed.row_count <> loaded.row_count);
insert into answerlake.crawler_pages (`project_id`, `project_name`, `window_start`, `window_end`, `request_path`, `crawler_requests_count`, `requests_rank`, `unique_crawlers_count`, `crawlers`, `changed_at`, `final_on`, file_name)
select cast(`project_id` as Nullable(String)), cast(`project_name` as Nullable(String)), cast(`window_start` as Nullable(Date32)), cast(`window_end` as Nullable(Date32)), cast(`request_path` as Nullable(String)), cast(`crawler_requests_count` as Nullable(Int64)), cast(`requests_rank` as Nullable(Int64)), cast(`unique_crawlers_count` as Nullable(Int64)), cast(`crawlers` as Nullable(String)), cast(`changed_at` as Nullable(DateTime64(6, 'UTC'))), cast(`final_on` as Nullable(Date32)), _file
from s3(answerlake, filename = 'crawler_pages/**.parquet', format = 'Parquet')
where _file in (select file_name from answerlake.manifest where table_name = 'crawler_pages')
  and _file not in (select file_name from answerlake.crawler_pages);

delete from answerlake.crawler_visitor_funnel where file_name not in (select file_name from answerlake.manifest where table_name = 'crawler_visitor_funnel')
  or file_name in (select loaded.file_name
    from (select file_name, count(*) as row_count from answerlake.crawler_visitor_funnel group by file_name) as loaded
    join answerlake.manifest as listed on listed.file_name = loaded.file_name
    where listed.table_name = 'crawler_visitor_funnel' and listed.row_count <> loaded.row_count);
insert into answerlake.crawler_visitor_funnel (`project_id`, `project_name`, `date`, `vendor`, `is_known_vendor`, `training_requests_count`, `search_requests_count`, `user_requests_count`, `other_requests_count`, `crawler_requests_count`, `ai_visits_count`, `is_final`, `changed_at`, `final_on`, file_name)
select cast(`project_id` as Nullable(String)), cast(`project_name` as Nullable(String)), cast(`date` as Nullable(Date32)), cast(`vendor` as Nullable(String)), cast(`is_known_vendor` as Nullable(Bool)), cast(`training_requests_count` as Nullable(Int64)), cast(`search_requests_count` as Nullable(Int64)), cast(`user_requests_count` as Nullable(Int64)), cast(`other_requests_count` as Nullable(Int64)), cast(`crawler_requests_count` as Nullable(Int64)), cast(`ai_visits_count` as Nullable(Int64)), cast(`is_final` as Nullable(Bool)), cast(`changed_at` as Nullable(DateTime64(6, 'UTC'))), cast(`final_on` as Nullable(Date32)), _file
from s3(answerlake, filename = 'crawler_visitor_funnel/**.parquet', format = 'Parquet')
where _file in (select file_name from answerlake.manifest where table_name = 'crawler_visitor_funnel')
  and _file not in (select file_name from answerlake.crawler_visitor_funnel);

delete from answerlake.daily_kpis where file_name not in (select file_name from answerlake.manifest where table_name = 'daily_kpis')
  or file_name in (select loaded.file_name
    from (select file_name, count(*) as row_count from answerlake.daily_kpis group by file_name) as loaded
    join answerlake.manifest as listed on listed.file_name = loaded.file_name
    where listed.table_name = 'daily_kpis' and listed.row_count <> loaded.row_count);
insert into answerlake.daily_kpis (`project_id`, `project_name`, `date`, `visibility`, `sentiment`, `share_of_voice_pct`, `organic_responses`, `organic_brand_mentions`, `positive_count`, `negative_count`, `neutral_count`, `unknown_count`, `known_count`, `net_sentiment_pct`, `net_sentiment_known_pct`, `citations_count`, `average_citation_rank`, `crawler_requests_count`, `ai_visits_count`, `actions_completed`, `prompts_created`, `prompts_deleted`, `event_titles`, `traffic_timezone`, `is_final`, `changed_at`, `final_on`, file_name)
select cast(`project_id` as Nullable(String)), cast(`project_name` as Nullable(String)), cast(`date` as Nullable(Date32)), cast(`visibility` as Nullable(Float64)), cast(`sentiment` as Nullable(Float64)), cast(`share_of_voice_pct` as Nullable(Float64)), cast(`organic_responses` as Nullable(Int64)), cast(`organic_brand_mentions` as Nullable(Int64)), cast(`positive_count` as Nullable(Int64)), cast(`negative_count` as Nullable(Int64)), cast(`neutral_count` as Nullable(Int64)), cast(`unknown_count` as Nullable(Int64)), cast(`known_count` as Nullable(Int64)), cast(`net_sentiment_pct` as Nullable(Float64)), cast(`net_sentiment_known_pct` as Nullable(Float64)), cast(`citations_count` as Nullable(Int64)), cast(`average_citation_rank` as Nullable(Float64)), cast(`crawler_requests_count` as Nullable(Int64)), cast(`ai_visits_count` as Nullable(Int64)), cast(`actions_completed` as Nullable(Int64)), cast(`prompts_created` as Nullable(Int64)), cast(`prompts_deleted` as Nullable(Int64)), cast(`event_titles` as Nullable(String)), cast(`traffic_timezone` as Nullable(String)), cast(`is_final` as Nullable(Bool)), cast(`changed_at` as Nullable(DateTime64(6, 'UTC'))), cast(`final_on` as Nullable(Date32)), _file
from s3(answerlake, filename = 'daily_kpis/**.parquet', format = 'Parquet')
where _file in (select file_name from answerlake.manifest where table_name = 'daily_kpis')
  and _file not in (select file_name from answerlake.daily_kpis);

delete from answerlake.deleted_rows where file_name not in (select file_name from answerlake.manifest where table_name = 'deleted_rows')
  or file_name in (select loaded.file_name
    from (select file_name, count(*) as row_count from answerlake.deleted_rows group by file_name) as loaded
    join answerlake.manifest as listed on listed.file_name = loaded.file_name
    where listed.table_name = 'deleted_rows' and listed.row_count <> loaded.row_count);
insert into answerlake.deleted_rows (`schema_name`, `view_name`, `key`, `project_id`, `date`, `deleted_at`, file_name)
select cast(`schema_name` as Nullable(String)), cast(`view_name` as Nullable(String)), cast(`key` as Nullable(String)), cast(`project_id` as Nullable(String)), cast(`date` as Nullable(Date32)), cast(`deleted_at` as Nullable(DateTime64(6, 'UTC'))), _file
from s3(answerlake, filename = 'deleted_rows/**.parquet', format = 'Parquet')
where _file in (select file_name from answerlake.manifest where table_name = 'deleted_rows')
  and _file not in (select file_name from answerlake.deleted_rows);

delete from answerlake.domain_citation_trend where file_name not in (select file_name from answerlake.manifest where table_name = 'domain_citation_trend')
  or file_name in (select loaded.file_name
    from (select file_name, count(*) as row_count from answerlake.domain_citation_trend group by file_name) as loaded
    join answerlake.manifest as listed on listed.file_name = loaded.file_name
    where listed.table_name = 'domain_citation_trend' and listed.row_count <> loaded.row_count);
insert into answerlake.domain_citation_trend (`project_id`, `project_name`, `date`, `domain`, `is_own_domain`, `citations_count`, `listed_citations_count`, `listed_citations_share_pct`, `own_citations_count`, `own_citations_share_pct`, `previous_date`, `previous_citations_count`, `citations_change`, `last_told_on`, `is_final`, `changed_at`, `final_on`, file_name)
select cast(`project_id` as Nullable(String)), cast(`project_name` as Nullable(String)), cast(`date` as Nullable(Date32)), cast(`domain` as Nullable(String)), cast(`is_own_domain` as Nullable(Bool)), cast(`citations_count` as Nullable(Int64)), cast(`listed_citations_count` as Nullable(Int64)), cast(`listed_citations_share_pct` as Nullable(Float64)), cast(`own_citations_count` as Nullable(Int64)), cast(`own_citations_share_pct` as Nullable(Float64)), cast(`previous_date` as Nullable(Date32)), cast(`previous_citations_count` as Nullable(Int64)), cast(`citations_change` as Nullable(Int64)), cast(`last_told_on` as Nullable(Date32)), cast(`is_final` as Nullable(Bool)), cast(`changed_at` as Nullable(DateTime64(6, 'UTC'))), cast(`final_on` as Nullable(Date32)), _file
from s3(answerlake, filename = 'domain_citation_trend/**.parquet', format = 'Parquet')
where _file in (select file_name from answerlake.manifest where table_name = 'domain_citation_trend')
  and _file not in (select file_name from answerlake.domain_citation_trend);

delete from answerlake.event_annotations where file_name not in (select file_name from answerlake.manifest where table_name = 'event_annotations')
  or file_name in (select loaded.file_name
    from (select file_name, count(*) as row_count from answerlake.event_annotations group by file_name) as loaded
    join answerlake.manifest as listed on listed.file_name = loaded.file_name
    where listed.table_name = 'event_annotations' and listed.row_count <> loaded.row_count);
insert into answerlake.event_annotations (`project_id`, `project_name`, `event_id`, `time`, `date`, `title`, `text`, `tags`, `type`, `action_id`, `action_type`, `monitor_id`, `monitor_name`, `prompt_count`, file_name)
select cast(`project_id` as Nullable(String)), cast(`project_name` as Nullable(String)), cast(`event_id` as Nullable(String)), cast(`time` as Nullable(DateTime64(6, 'UTC'))), cast(`date` as Nullable(Date32)), cast(`title` as Nullable(String)), cast(`text` as Nullable(String)), cast(`tags` as Nullable(String)), cast(`type` as Nullable(String)), cast(`action_id` as Nullable(String)), cast(`action_type` as Nullable(String)), cast(`monitor_id` as Nullable(String)), cast(`monitor_name` as Nullable(String)), cast(`prompt_count` as Nullable(Int64)), _file
from s3(answerlake, filename = 'event_annotations/**.parquet', format = 'Parquet')
where _file in (select file_name from answerlake.manifest where table_name = 'event_annotations')
  and _file not in (select file_name from answerlake.event_annotations);

delete from answerlake.kpi_changes where file_name not in (select file_name from answerlake.manifest where table_name = 'kpi_changes')
  or file_name in (select loaded.file_name
    from (select file_name, count(*) as row_count from answerlake.kpi_changes group by file_name) as loaded
    join answerlake.manifest as listed on listed.file_name = loaded.file_name
    where listed.table_name = 'kpi_changes' and listed.row_count <> loaded.row_count);
insert into answerlake.kpi_changes (`project_id`, `project_name`, `measure`, `window_days`, `last_date`, `value`, `previous_value`, `change`, `change_low`, `change_high`, `typical_change`, `is_clear`, `is_trend`, `setup_changes`, `days_with_value`, `previous_days_with_value`, file_name)
select cast(`project_id` as Nullable(String)), cast(`project_name` as Nullable(String)), cast(`measure` as Nullable(String)), cast(`window_days` as Nullable(Int32)), cast(`last_date` as Nullable(Date32)), cast(`value` as Nullable(Float64)), cast(`previous_value` as Nullable(Float64)), cast(`change` as Nullable(Float64)), cast(`change_low` as Nullable(Float64)), cast(`change_high` as Nullable(Float64)), cast(`typical_change` as Nullable(Float64)), cast(`is_clear` as Nullable(Bool)), cast(`is_trend` as Nullable(Bool)), cast(`setup_changes` as Nullable(String)), cast(`days_with_value` as Nullable(Int64)), cast(`previous_days_with_value` as Nullable(Int64)), _file
from s3(answerlake, filename = 'kpi_changes/**.parquet', format = 'Parquet')
where _file in (select file_name from answerlake.manifest where table_name = 'kpi_changes')
  and _file not in (select file_name from answerlake.kpi_changes);

delete from answerlake.landing_page_days where file_name not in (select file_name from answerlake.manifest where table_name = 'landing_page_days')
  or file_name in (select loaded.file_name
    from (select file_name, count(*) as row_count from answerlake.landing_page_days group by file_name) as loaded
    join answerlake.manifest as listed on listed.file_name = loaded.file_name
    where listed.table_name = 'landing_page_days' and listed.row_count <> loaded.row_count);
insert into answerlake.landing_page_days (`project_id`, `project_name`, `landing_page`, `date`, `source`, `ai_visits_count`, `is_final`, `changed_at`, `final_on`, file_name)
select cast(`project_id` as Nullable(String)), cast(`project_name` as Nullable(String)), cast(`landing_page` as Nullable(String)), cast(`date` as Nullable(Date32)), cast(`source` as Nullable(String)), cast(`ai_visits_count` as Nullable(Int64)), cast(`is_final` as Nullable(Bool)), cast(`changed_at` as Nullable(DateTime64(6, 'UTC'))), cast(`final_on` as Nullable(Date32)), _file
from s3(answerlake, filename = 'landing_page_days/**.parquet', format = 'Parquet')
where _file in (select file_name from answerlake.manifest where table_name = 'landing_page_days')
  and _file not in (select file_name from answerlake.landing_page_days);

delete from answerlake.model_kpis where file_name not in (select file_name from answerlake.manifest where table_name = 'model_kpis')
  or file_name in (select loaded.file_name
    from (select file_name, count(*) as row_count from answerlake.model_kpis group by file_name) as loaded
    join answerlake.manifest as listed on listed.file_name = loaded.file_name
    where listed.table_name = 'model_kpis' and listed.row_count <> loaded.row_count);
insert into answerlake.model_kpis (`project_id`, `project_name`, `model_id`, `model_name`, `is_deprecated_model`, `date`, `visibility`, `sentiment`, `share_of_voice_pct`, `organic_responses`, `organic_brand_mentions`, `is_final`, `changed_at`, `final_on`, file_name)
select cast(`project_id` as Nullable(String)), cast(`project_name` as Nullable(String)), cast(`model_id` as Nullable(String)), cast(`model_name` as Nullable(String)), cast(`is_deprecated_model` as Nullable(Bool)), cast(`date` as Nullable(Date32)), cast(`visibility` as Nullable(Float64)), cast(`sentiment` as Nullable(Float64)), cast(`share_of_voice_pct` as Nullable(Float64)), cast(`organic_responses` as Nullable(Int64)), cast(`organic_brand_mentions` as Nullable(Int64)), cast(`is_final` as Nullable(Bool)), cast(`changed_at` as Nullable(DateTime64(6, 'UTC'))), cast(`final_on` as Nullable(Date32)), _file
from s3(answerlake, filename = 'model_kpis/**.parquet', format = 'Parquet')
where _file in (select file_name from answerlake.manifest where table_name = 'model_kpis')
  and _file not in (select file_name from answerlake.model_kpis);

delete from answerlake.model_sources where file_name not in (select file_name from answerlake.manifest where table_name = 'model_sources')
  or file_name in (select loaded.file_name
    from (select file_name, count(*) as row_count from answerlake.model_sources group by file_name) as loaded
    join answerlake.manifest as listed on listed.file_name = loaded.file_name
    where listed.table_name = 'model_sources' and listed.row_count <> loaded.row_count);
insert into answerlake.model_sources (`project_id`, `project_name`, `window_start`, `window_end`, `days_in_window`, `model_id`, `model_name`, `provider_name`, `is_known_model`, `is_deprecated_model`, `citations_count`, `citations_share_pct`, `unique_domains_count`, `unique_prompts_count`, `changed_at`, `final_on`, file_name)
select cast(`project_id` as Nullable(String)), cast(`project_name` as Nullable(String)), cast(`window_start` as Nullable(Date32)), cast(`window_end` as Nullable(Date32)), cast(`days_in_window` as Nullable(Int32)), cast(`model_id` as Nullable(String)), cast(`model_name` as Nullable(String)), cast(`provider_name` as Nullable(String)), cast(`is_known_model` as Nullable(Bool)), cast(`is_deprecated_model` as Nullable(Bool)), cast(`citations_count` as Nullable(Int64)), cast(`citations_share_pct` as Nullable(Float64)), cast(`unique_domains_count` as Nullable(Int64)), cast(`unique_prompts_count` as Nullable(Int64)), cast(`changed_at` as Nullable(DateTime64(6, 'UTC'))), cast(`final_on` as Nullable(Date32)), _file
from s3(answerlake, filename = 'model_sources/**.parquet', format = 'Parquet')
where _file in (select file_name from answerlake.manifest where table_name = 'model_sources')
  and _file not in (select file_name from answerlake.model_sources);

delete from answerlake.models where file_name not in (select file_name from answerlake.manifest where table_name = 'models')
  or file_name in (select loaded.file_name
    from (select file_name, count(*) as row_count from answerlake.models group by file_name) as loaded
    join answerlake.manifest as listed on listed.file_name = loaded.file_name
    where listed.table_name = 'models' and listed.row_count <> loaded.row_count);
insert into answerlake.models (`model_id`, `model_name`, `provider_id`, `provider_name`, `provider_model_name`, `api_identifier`, `description`, `is_search_enabled`, `is_live_search`, `is_known_model`, `is_deprecated_model`, file_name)
select cast(`model_id` as Nullable(String)), cast(`model_name` as Nullable(String)), cast(`provider_id` as Nullable(String)), cast(`provider_name` as Nullable(String)), cast(`provider_model_name` as Nullable(String)), cast(`api_identifier` as Nullable(String)), cast(`description` as Nullable(String)), cast(`is_search_enabled` as Nullable(Bool)), cast(`is_live_search` as Nullable(Bool)), cast(`is_known_model` as Nullable(Bool)), cast(`is_deprecated_model` as Nullable(Bool)), _file
from s3(answerlake, filename = 'models/**.parquet', format = 'Parquet')
where _file in (select file_name from answerlake.manifest where table_name = 'models')
  and _file not in (select file_name from answerlake.models);

delete from answerlake.monitor_kpis where file_name not in (select file_name from answerlake.manifest where table_name = 'monitor_kpis')
  or file_name in (select loaded.file_name
    from (select file_name, count(*) as row_count from answerlake.monitor_kpis group by file_name) as loaded
    join answerlake.manifest as listed on listed.file_name = loaded.file_name
    where listed.table_name = 'monitor_kpis' and listed.row_count <> loaded.row_count);
insert into answerlake.monitor_kpis (`project_id`, `project_name`, `monitor_id`, `monitor_name`, `date`, `visibility`, `sentiment`, `share_of_voice_pct`, `organic_responses`, `organic_brand_mentions`, `is_final`, `changed_at`, `final_on`, file_name)
select cast(`project_id` as Nullable(String)), cast(`project_name` as Nullable(String)), cast(`monitor_id` as Nullable(String)), cast(`monitor_name` as Nullable(String)), cast(`date` as Nullable(Date32)), cast(`visibility` as Nullable(Float64)), cast(`sentiment` as Nullable(Float64)), cast(`share_of_voice_pct` as Nullable(Float64)), cast(`organic_responses` as Nullable(Int64)), cast(`organic_brand_mentions` as Nullable(Int64)), cast(`is_final` as Nullable(Bool)), cast(`changed_at` as Nullable(DateTime64(6, 'UTC'))), cast(`final_on` as Nullable(Date32)), _file
from s3(answerlake, filename = 'monitor_kpis/**.parquet', format = 'Parquet')
where _file in (select file_name from answerlake.manifest where table_name = 'monitor_kpis')
  and _file not in (select file_name from answerlake.monitor_kpis);

delete from answerlake.monitors where file_name not in (select file_name from answerlake.manifest where table_name = 'monitors')
  or file_name in (select loaded.file_name
    from (select file_name, count(*) as row_count from answerlake.monitors group by file_name) as loaded
    join answerlake.manifest as listed on listed.file_name = loaded.file_name
    where listed.table_name = 'monitors' and listed.row_count <> loaded.row_count);
insert into answerlake.monitors (`project_id`, `project_name`, `monitor_id`, `monitor_name`, `prompts_count`, `active_prompts_count`, file_name)
select cast(`project_id` as Nullable(String)), cast(`project_name` as Nullable(String)), cast(`monitor_id` as Nullable(String)), cast(`monitor_name` as Nullable(String)), cast(`prompts_count` as Nullable(Int64)), cast(`active_prompts_count` as Nullable(Int64)), _file
from s3(answerlake, filename = 'monitors/**.parquet', format = 'Parquet')
where _file in (select file_name from answerlake.manifest where table_name = 'monitors')
  and _file not in (select file_name from answerlake.monitors);

delete from answerlake.portfolio_changes where file_name not in (select file_name from answerlake.manifest where table_name = 'portfolio_changes')
  or file_name in (select loaded.file_name
    from (select file_name, count(*) as row_count from answerlake.portfolio_changes group by file_name) as loaded
    join answerlake.manifest as listed on listed.file_name = loaded.file_name
    where listed.table_name = 'portfolio_changes' and listed.row_count <> loaded.row_count);
insert into answerlake.portfolio_changes (`organization_id`, `organization_name`, `level`, `model_id`, `model_name`, `measure`, `window_days`, `projects_count`, `up_count`, `down_count`, `median_change`, `change_low`, `change_high`, `is_portfolio_wide`, file_name)
select cast(`organization_id` as Nullable(String)), cast(`organization_name` as Nullable(String)), cast(`level` as Nullable(String)), cast(`model_id` as Nullable(String)), cast(`model_name` as Nullable(String)), cast(`measure` as Nullable(String)), cast(`window_days` as Nullable(Int32)), cast(`projects_count` as Nullable(Int64)), cast(`up_count` as Nullable(Int64)), cast(`down_count` as Nullable(Int64)), cast(`median_change` as Nullable(Float64)), cast(`change_low` as Nullable(Float64)), cast(`change_high` as Nullable(Float64)), cast(`is_portfolio_wide` as Nullable(Bool)), _file
from s3(answerlake, filename = 'portfolio_changes/**.parquet', format = 'Parquet')
where _file in (select file_name from answerlake.manifest where table_name = 'portfolio_changes')
  and _file not in (select file_name from answerlake.portfolio_changes);

delete from answerlake.projects where file_name not in (select file_name from answerlake.manifest where table_name = 'projects')
  or file_name in (select loaded.file_name
    from (select file_name, count(*) as row_count from answerlake.projects group by file_name) as loaded
    join answerlake.manifest as listed on listed.file_name = loaded.file_name
    where listed.table_name = 'projects' and listed.row_count <> loaded.row_count);
insert into answerlake.projects (`project_id`, `project_name`, `slug`, `organization_id`, `organization_name`, `first_date`, `last_date`, `last_whole_date`, file_name)
select cast(`project_id` as Nullable(String)), cast(`project_name` as Nullable(String)), cast(`slug` as Nullable(String)), cast(`organization_id` as Nullable(String)), cast(`organization_name` as Nullable(String)), cast(`first_date` as Nullable(Date32)), cast(`last_date` as Nullable(Date32)), cast(`last_whole_date` as Nullable(Date32)), _file
from s3(answerlake, filename = 'projects/**.parquet', format = 'Parquet')
where _file in (select file_name from answerlake.manifest where table_name = 'projects')
  and _file not in (select file_name from answerlake.projects);

delete from answerlake.prompt_catalog where file_name not in (select file_name from answerlake.manifest where table_name = 'prompt_catalog')
  or file_name in (select loaded.file_name
    from (select file_name, count(*) as row_count from answerlake.prompt_catalog group by file_name) as loaded
    join answerlake.manifest as listed on listed.file_name = loaded.file_name
    where listed.table_name = 'prompt_catalog' and listed.row_count <> loaded.row_count);
insert into answerlake.prompt_catalog (`project_id`, `project_name`, `prompt_id`, `prompt`, `prompt_type`, `intent`, `language_code`, `is_active`, `monitor_id`, `monitor_name`, `responses_count`, `search_volume`, `average_visibility`, `difficulty`, `created_at`, `updated_at`, `first_seen_on`, `last_seen_on`, file_name)
select cast(`project_id` as Nullable(String)), cast(`project_name` as Nullable(String)), cast(`prompt_id` as Nullable(String)), cast(`prompt` as Nullable(String)), cast(`prompt_type` as Nullable(String)), cast(`intent` as Nullable(String)), cast(`language_code` as Nullable(String)), cast(`is_active` as Nullable(Bool)), cast(`monitor_id` as Nullable(String)), cast(`monitor_name` as Nullable(String)), cast(`responses_count` as Nullable(Int64)), cast(`search_volume` as Nullable(Float64)), cast(`average_visibility` as Nullable(Float64)), cast(`difficulty` as Nullable(Float64)), cast(`created_at` as Nullable(DateTime64(6, 'UTC'))), cast(`updated_at` as Nullable(DateTime64(6, 'UTC'))), cast(`first_seen_on` as Nullable(Date32)), cast(`last_seen_on` as Nullable(Date32)), _file
from s3(answerlake, filename = 'prompt_catalog/**.parquet', format = 'Parquet')
where _file in (select file_name from answerlake.manifest where table_name = 'prompt_catalog')
  and _file not in (select file_name from answerlake.prompt_catalog);

delete from answerlake.prompt_days where file_name not in (select file_name from answerlake.manifest where table_name = 'prompt_days')
  or file_name in (select loaded.file_name
    from (select file_name, count(*) as row_count from answerlake.prompt_days group by file_name) as loaded
    join answerlake.manifest as listed on listed.file_name = loaded.file_name
    where listed.table_name = 'prompt_days' and listed.row_count <> loaded.row_count);
insert into answerlake.prompt_days (`project_id`, `project_name`, `prompt_id`, `prompt`, `prompt_type`, `monitor_id`, `monitor_name`, `date`, `visibility`, `sentiment`, `organic_responses`, `organic_brand_mentions`, `share_of_voice_pct`, `is_final`, `changed_at`, `final_on`, file_name)
select cast(`project_id` as Nullable(String)), cast(`project_name` as Nullable(String)), cast(`prompt_id` as Nullable(String)), cast(`prompt` as Nullable(String)), cast(`prompt_type` as Nullable(String)), cast(`monitor_id` as Nullable(String)), cast(`monitor_name` as Nullable(String)), cast(`date` as Nullable(Date32)), cast(`visibility` as Nullable(Float64)), cast(`sentiment` as Nullable(Float64)), cast(`organic_responses` as Nullable(Int64)), cast(`organic_brand_mentions` as Nullable(Int64)), cast(`share_of_voice_pct` as Nullable(Float64)), cast(`is_final` as Nullable(Bool)), cast(`changed_at` as Nullable(DateTime64(6, 'UTC'))), cast(`final_on` as Nullable(Date32)), _file
from s3(answerlake, filename = 'prompt_days/**.parquet', format = 'Parquet')
where _file in (select file_name from answerlake.manifest where table_name = 'prompt_days')
  and _file not in (select file_name from answerlake.prompt_days);

delete from answerlake.prompt_moves where file_name not in (select file_name from answerlake.manifest where table_name = 'prompt_moves')
  or file_name in (select loaded.file_name
    from (select file_name, count(*) as row_count from answerlake.prompt_moves group by file_name) as loaded
    join answerlake.manifest as listed on listed.file_name = loaded.file_name
    where listed.table_name = 'prompt_moves' and listed.row_count <> loaded.row_count);
insert into answerlake.prompt_moves (`project_id`, `project_name`, `window_days`, `prompt_id`, `prompt`, `prompt_type`, `monitor_id`, `monitor_name`, `before_from`, `before_to`, `after_from`, `after_to`, `responses_before`, `responses_after`, `visibility_before`, `visibility_after`, `change`, `contribution`, `rounding_error`, file_name)
select cast(`project_id` as Nullable(String)), cast(`project_name` as Nullable(String)), cast(`window_days` as Nullable(Int32)), cast(`prompt_id` as Nullable(String)), cast(`prompt` as Nullable(String)), cast(`prompt_type` as Nullable(String)), cast(`monitor_id` as Nullable(String)), cast(`monitor_name` as Nullable(String)), cast(`before_from` as Nullable(Date32)), cast(`before_to` as Nullable(Date32)), cast(`after_from` as Nullable(Date32)), cast(`after_to` as Nullable(Date32)), cast(`responses_before` as Nullable(Int64)), cast(`responses_after` as Nullable(Int64)), cast(`visibility_before` as Nullable(Float64)), cast(`visibility_after` as Nullable(Float64)), cast(`change` as Nullable(Float64)), cast(`contribution` as Nullable(Float64)), cast(`rounding_error` as Nullable(Float64)), _file
from s3(answerlake, filename = 'prompt_moves/**.parquet', format = 'Parquet')
where _file in (select file_name from answerlake.manifest where table_name = 'prompt_moves')
  and _file not in (select file_name from answerlake.prompt_moves);

delete from answerlake.prompt_trend where file_name not in (select file_name from answerlake.manifest where table_name = 'prompt_trend')
  or file_name in (select loaded.file_name
    from (select file_name, count(*) as row_count from answerlake.prompt_trend group by file_name) as loaded
    join answerlake.manifest as listed on listed.file_name = loaded.file_name
    where listed.table_name = 'prompt_trend' and listed.row_count <> loaded.row_count);
insert into answerlake.prompt_trend (`project_id`, `project_name`, `prompt_id`, `prompt`, `prompt_type`, `monitor_id`, `monitor_name`, `date`, `is_active`, `average_visibility`, `responses_count`, `search_volume`, `difficulty`, `previous_date`, `previous_average_visibility`, `average_visibility_change`, `new_responses_count`, `changed_at`, `final_on`, file_name)
select cast(`project_id` as Nullable(String)), cast(`project_name` as Nullable(String)), cast(`prompt_id` as Nullable(String)), cast(`prompt` as Nullable(String)), cast(`prompt_type` as Nullable(String)), cast(`monitor_id` as Nullable(String)), cast(`monitor_name` as Nullable(String)), cast(`date` as Nullable(Date32)), cast(`is_active` as Nullable(Bool)), cast(`average_visibility` as Nullable(Float64)), cast(`responses_count` as Nullable(Int64)), cast(`search_volume` as Nullable(Float64)), cast(`difficulty` as Nullable(Float64)), cast(`previous_date` as Nullable(Date32)), cast(`previous_average_visibility` as Nullable(Float64)), cast(`average_visibility_change` as Nullable(Float64)), cast(`new_responses_count` as Nullable(Int64)), cast(`changed_at` as Nullable(DateTime64(6, 'UTC'))), cast(`final_on` as Nullable(Date32)), _file
from s3(answerlake, filename = 'prompt_trend/**.parquet', format = 'Parquet')
where _file in (select file_name from answerlake.manifest where table_name = 'prompt_trend')
  and _file not in (select file_name from answerlake.prompt_trend);

delete from answerlake.restated_values where file_name not in (select file_name from answerlake.manifest where table_name = 'restated_values')
  or file_name in (select loaded.file_name
    from (select file_name, count(*) as row_count from answerlake.restated_values group by file_name) as loaded
    join answerlake.manifest as listed on listed.file_name = loaded.file_name
    where listed.table_name = 'restated_values' and listed.row_count <> loaded.row_count);
insert into answerlake.restated_values (`project_id`, `project_name`, `table_name`, `column_name`, `change`, `date`, `row_key`, `old_value`, `new_value`, `old_number`, `new_number`, `change_number`, `was_final`, `run_id`, `changed_at`, file_name)
select cast(`project_id` as Nullable(String)), cast(`project_name` as Nullable(String)), cast(`table_name` as Nullable(String)), cast(`column_name` as Nullable(String)), cast(`change` as Nullable(String)), cast(`date` as Nullable(Date32)), cast(`row_key` as Nullable(String)), cast(`old_value` as Nullable(String)), cast(`new_value` as Nullable(String)), cast(`old_number` as Nullable(Float64)), cast(`new_number` as Nullable(Float64)), cast(`change_number` as Nullable(Float64)), cast(`was_final` as Nullable(Bool)), cast(`run_id` as Nullable(String)), cast(`changed_at` as Nullable(DateTime64(6, 'UTC'))), _file
from s3(answerlake, filename = 'restated_values/**.parquet', format = 'Parquet')
where _file in (select file_name from answerlake.manifest where table_name = 'restated_values')
  and _file not in (select file_name from answerlake.restated_values);

delete from answerlake.sentiment_split where file_name not in (select file_name from answerlake.manifest where table_name = 'sentiment_split')
  or file_name in (select loaded.file_name
    from (select file_name, count(*) as row_count from answerlake.sentiment_split group by file_name) as loaded
    join answerlake.manifest as listed on listed.file_name = loaded.file_name
    where listed.table_name = 'sentiment_split' and listed.row_count <> loaded.row_count);
insert into answerlake.sentiment_split (`project_id`, `project_name`, `date`, `positive_count`, `negative_count`, `neutral_count`, `unknown_count`, `known_count`, `total_count`, `positive_pct`, `negative_pct`, `neutral_pct`, `unknown_pct`, `positive_pct_low`, `positive_pct_high`, `negative_pct_low`, `negative_pct_high`, `neutral_pct_low`, `neutral_pct_high`, `net_sentiment_pct`, `net_sentiment_pct_low`, `net_sentiment_pct_high`, `net_sentiment_known_pct`, `net_sentiment_known_pct_low`, `net_sentiment_known_pct_high`, `is_final`, `changed_at`, `final_on`, file_name)
select cast(`project_id` as Nullable(String)), cast(`project_name` as Nullable(String)), cast(`date` as Nullable(Date32)), cast(`positive_count` as Nullable(Int64)), cast(`negative_count` as Nullable(Int64)), cast(`neutral_count` as Nullable(Int64)), cast(`unknown_count` as Nullable(Int64)), cast(`known_count` as Nullable(Int64)), cast(`total_count` as Nullable(Int64)), cast(`positive_pct` as Nullable(Float64)), cast(`negative_pct` as Nullable(Float64)), cast(`neutral_pct` as Nullable(Float64)), cast(`unknown_pct` as Nullable(Float64)), cast(`positive_pct_low` as Nullable(Float64)), cast(`positive_pct_high` as Nullable(Float64)), cast(`negative_pct_low` as Nullable(Float64)), cast(`negative_pct_high` as Nullable(Float64)), cast(`neutral_pct_low` as Nullable(Float64)), cast(`neutral_pct_high` as Nullable(Float64)), cast(`net_sentiment_pct` as Nullable(Float64)), cast(`net_sentiment_pct_low` as Nullable(Float64)), cast(`net_sentiment_pct_high` as Nullable(Float64)), cast(`net_sentiment_known_pct` as Nullable(Float64)), cast(`net_sentiment_known_pct_low` as Nullable(Float64)), cast(`net_sentiment_known_pct_high` as Nullable(Float64)), cast(`is_final` as Nullable(Bool)), cast(`changed_at` as Nullable(DateTime64(6, 'UTC'))), cast(`final_on` as Nullable(Date32)), _file
from s3(answerlake, filename = 'sentiment_split/**.parquet', format = 'Parquet')
where _file in (select file_name from answerlake.manifest where table_name = 'sentiment_split')
  and _file not in (select file_name from answerlake.sentiment_split);

delete from answerlake.sentiment_with_events where file_name not in (select file_name from answerlake.manifest where table_name = 'sentiment_with_events')
  or file_name in (select loaded.file_name
    from (select file_name, count(*) as row_count from answerlake.sentiment_with_events group by file_name) as loaded
    join answerlake.manifest as listed on listed.file_name = loaded.file_name
    where listed.table_name = 'sentiment_with_events' and listed.row_count <> loaded.row_count);
insert into answerlake.sentiment_with_events (`project_id`, `project_name`, `date`, `sentiment`, `sentiment_7_day_mean`, `sentiment_previous_7_day_mean`, `sentiment_7_day_change`, `events_count`, `actions_completed`, `prompts_created`, `prompts_deleted`, `event_titles`, `event_types`, `is_final`, `changed_at`, `final_on`, file_name)
select cast(`project_id` as Nullable(String)), cast(`project_name` as Nullable(String)), cast(`date` as Nullable(Date32)), cast(`sentiment` as Nullable(Float64)), cast(`sentiment_7_day_mean` as Nullable(Float64)), cast(`sentiment_previous_7_day_mean` as Nullable(Float64)), cast(`sentiment_7_day_change` as Nullable(Float64)), cast(`events_count` as Nullable(Int64)), cast(`actions_completed` as Nullable(Int64)), cast(`prompts_created` as Nullable(Int64)), cast(`prompts_deleted` as Nullable(Int64)), cast(`event_titles` as Nullable(String)), cast(`event_types` as Nullable(String)), cast(`is_final` as Nullable(Bool)), cast(`changed_at` as Nullable(DateTime64(6, 'UTC'))), cast(`final_on` as Nullable(Date32)), _file
from s3(answerlake, filename = 'sentiment_with_events/**.parquet', format = 'Parquet')
where _file in (select file_name from answerlake.manifest where table_name = 'sentiment_with_events')
  and _file not in (select file_name from answerlake.sentiment_with_events);

delete from answerlake.setup_changes where file_name not in (select file_name from answerlake.manifest where table_name = 'setup_changes')
  or file_name in (select loaded.file_name
    from (select file_name, count(*) as row_count from answerlake.setup_changes group by file_name) as loaded
    join answerlake.manifest as listed on listed.file_name = loaded.file_name
    where listed.table_name = 'setup_changes' and listed.row_count <> loaded.row_count);
insert into answerlake.setup_changes (`project_id`, `project_name`, `date`, `what`, `names`, `count`, `share_of_answers`, `judged_by`, `title`, `moves_figures`, file_name)
select cast(`project_id` as Nullable(String)), cast(`project_name` as Nullable(String)), cast(`date` as Nullable(Date32)), cast(`what` as Nullable(String)), cast(`names` as Nullable(String)), cast(`count` as Nullable(Int64)), cast(`share_of_answers` as Nullable(Float64)), cast(`judged_by` as Nullable(String)), cast(`title` as Nullable(String)), cast(`moves_figures` as Nullable(Bool)), _file
from s3(answerlake, filename = 'setup_changes/**.parquet', format = 'Parquet')
where _file in (select file_name from answerlake.manifest where table_name = 'setup_changes')
  and _file not in (select file_name from answerlake.setup_changes);

delete from answerlake.share_of_voice_trend where file_name not in (select file_name from answerlake.manifest where table_name = 'share_of_voice_trend')
  or file_name in (select loaded.file_name
    from (select file_name, count(*) as row_count from answerlake.share_of_voice_trend group by file_name) as loaded
    join answerlake.manifest as listed on listed.file_name = loaded.file_name
    where listed.table_name = 'share_of_voice_trend' and listed.row_count <> loaded.row_count);
insert into answerlake.share_of_voice_trend (`project_id`, `project_name`, `date`, `organic_responses`, `organic_brand_mentions`, `share_of_voice_pct`, `share_of_voice_pct_low`, `share_of_voice_pct_high`, `previous_date`, `previous_share_of_voice_pct`, `change_points`, `reported_previous_share_of_voice_pct`, `reported_change_points`, `is_final`, `changed_at`, `final_on`, file_name)
select cast(`project_id` as Nullable(String)), cast(`project_name` as Nullable(String)), cast(`date` as Nullable(Date32)), cast(`organic_responses` as Nullable(Int64)), cast(`organic_brand_mentions` as Nullable(Int64)), cast(`share_of_voice_pct` as Nullable(Float64)), cast(`share_of_voice_pct_low` as Nullable(Float64)), cast(`share_of_voice_pct_high` as Nullable(Float64)), cast(`previous_date` as Nullable(Date32)), cast(`previous_share_of_voice_pct` as Nullable(Float64)), cast(`change_points` as Nullable(Float64)), cast(`reported_previous_share_of_voice_pct` as Nullable(Float64)), cast(`reported_change_points` as Nullable(Float64)), cast(`is_final` as Nullable(Bool)), cast(`changed_at` as Nullable(DateTime64(6, 'UTC'))), cast(`final_on` as Nullable(Date32)), _file
from s3(answerlake, filename = 'share_of_voice_trend/**.parquet', format = 'Parquet')
where _file in (select file_name from answerlake.manifest where table_name = 'share_of_voice_trend')
  and _file not in (select file_name from answerlake.share_of_voice_trend);

delete from answerlake.sync_coverage where file_name not in (select file_name from answerlake.manifest where table_name = 'sync_coverage')
  or file_name in (select loaded.file_name
    from (select file_name, count(*) as row_count from answerlake.sync_coverage group by file_name) as loaded
    join answerlake.manifest as listed on listed.file_name = loaded.file_name
    where listed.table_name = 'sync_coverage' and listed.row_count <> loaded.row_count);
insert into answerlake.sync_coverage (`project_id`, `project_name`, `endpoint`, `date`, `series_expected_count`, `series_covered_count`, `series_settled_count`, `is_covered`, `is_settled`, `status`, `known_reason`, `known_first_on`, `asked_on`, file_name)
select cast(`project_id` as Nullable(String)), cast(`project_name` as Nullable(String)), cast(`endpoint` as Nullable(String)), cast(`date` as Nullable(Date32)), cast(`series_expected_count` as Nullable(Int64)), cast(`series_covered_count` as Nullable(Int64)), cast(`series_settled_count` as Nullable(Int64)), cast(`is_covered` as Nullable(Bool)), cast(`is_settled` as Nullable(Bool)), cast(`status` as Nullable(String)), cast(`known_reason` as Nullable(String)), cast(`known_first_on` as Nullable(Date32)), cast(`asked_on` as Nullable(Date32)), _file
from s3(answerlake, filename = 'sync_coverage/**.parquet', format = 'Parquet')
where _file in (select file_name from answerlake.manifest where table_name = 'sync_coverage')
  and _file not in (select file_name from answerlake.sync_coverage);

delete from answerlake.sync_freshness where file_name not in (select file_name from answerlake.manifest where table_name = 'sync_freshness')
  or file_name in (select loaded.file_name
    from (select file_name, count(*) as row_count from answerlake.sync_freshness group by file_name) as loaded
    join answerlake.manifest as listed on listed.file_name = loaded.file_name
    where listed.table_name = 'sync_freshness' and listed.row_count <> loaded.row_count);
insert into answerlake.sync_freshness (`project_id`, `project_name`, `endpoint`, `status`, `last_asked_at`, `last_success_at`, `last_covered_date`, `lag_days`, `age_hours`, `max_age_hours`, `is_stale`, `slices_done_count`, `slices_failed_count`, `slices_suspicious_count`, `last_error`, file_name)
select cast(`project_id` as Nullable(String)), cast(`project_name` as Nullable(String)), cast(`endpoint` as Nullable(String)), cast(`status` as Nullable(String)), cast(`last_asked_at` as Nullable(DateTime64(6, 'UTC'))), cast(`last_success_at` as Nullable(DateTime64(6, 'UTC'))), cast(`last_covered_date` as Nullable(Date32)), cast(`lag_days` as Nullable(Int64)), cast(`age_hours` as Nullable(Float64)), cast(`max_age_hours` as Nullable(Float64)), cast(`is_stale` as Nullable(Bool)), cast(`slices_done_count` as Nullable(Int64)), cast(`slices_failed_count` as Nullable(Int64)), cast(`slices_suspicious_count` as Nullable(Int64)), cast(`last_error` as Nullable(String)), _file
from s3(answerlake, filename = 'sync_freshness/**.parquet', format = 'Parquet')
where _file in (select file_name from answerlake.manifest where table_name = 'sync_freshness')
  and _file not in (select file_name from answerlake.sync_freshness);

delete from answerlake.sync_gaps where file_name not in (select file_name from answerlake.manifest where table_name = 'sync_gaps')
  or file_name in (select loaded.file_name
    from (select file_name, count(*) as row_count from answerlake.sync_gaps group by file_name) as loaded
    join answerlake.manifest as listed on listed.file_name = loaded.file_name
    where listed.table_name = 'sync_gaps' and listed.row_count <> loaded.row_count);
insert into answerlake.sync_gaps (`project_id`, `project_name`, `endpoint`, `date`, `status`, `last_status`, `known_reason`, `known_first_on`, file_name)
select cast(`project_id` as Nullable(String)), cast(`project_name` as Nullable(String)), cast(`endpoint` as Nullable(String)), cast(`date` as Nullable(Date32)), cast(`status` as Nullable(String)), cast(`last_status` as Nullable(String)), cast(`known_reason` as Nullable(String)), cast(`known_first_on` as Nullable(Date32)), _file
from s3(answerlake, filename = 'sync_gaps/**.parquet', format = 'Parquet')
where _file in (select file_name from answerlake.manifest where table_name = 'sync_gaps')
  and _file not in (select file_name from answerlake.sync_gaps);

delete from answerlake.sync_settings where file_name not in (select file_name from answerlake.manifest where table_name = 'sync_settings')
  or file_name in (select loaded.file_name
    from (select file_name, count(*) as row_count from answerlake.sync_settings group by file_name) as loaded
    join answerlake.manifest as listed on listed.file_name = loaded.file_name
    where listed.table_name = 'sync_settings' and listed.row_count <> loaded.row_count);
insert into answerlake.sync_settings (`sync_day`, `clock_day`, `start_date`, `lookback_days`, `timezone`, `base_url`, `timezone_lag_days`, file_name)
select cast(`sync_day` as Nullable(Date32)), cast(`clock_day` as Nullable(Date32)), cast(`start_date` as Nullable(Date32)), cast(`lookback_days` as Nullable(Int32)), cast(`timezone` as Nullable(String)), cast(`base_url` as Nullable(String)), cast(`timezone_lag_days` as Nullable(Int32)), _file
from s3(answerlake, filename = 'sync_settings/**.parquet', format = 'Parquet')
where _file in (select file_name from answerlake.manifest where table_name = 'sync_settings')
  and _file not in (select file_name from answerlake.sync_settings);

delete from answerlake.targets where file_name not in (select file_name from answerlake.manifest where table_name = 'targets')
  or file_name in (select loaded.file_name
    from (select file_name, count(*) as row_count from answerlake.targets group by file_name) as loaded
    join answerlake.manifest as listed on listed.file_name = loaded.file_name
    where listed.table_name = 'targets' and listed.row_count <> loaded.row_count);
insert into answerlake.targets (`project_id`, `project_name`, `measure`, `goal`, `due_date`, `last_date`, `value`, `distance`, `projected_value`, `projected_low`, `projected_high`, `is_reached`, `is_on_course`, `is_sure`, file_name)
select cast(`project_id` as Nullable(String)), cast(`project_name` as Nullable(String)), cast(`measure` as Nullable(String)), cast(`goal` as Nullable(Float64)), cast(`due_date` as Nullable(Date32)), cast(`last_date` as Nullable(Date32)), cast(`value` as Nullable(Float64)), cast(`distance` as Nullable(Float64)), cast(`projected_value` as Nullable(Float64)), cast(`projected_low` as Nullable(Float64)), cast(`projected_high` as Nullable(Float64)), cast(`is_reached` as Nullable(Bool)), cast(`is_on_course` as Nullable(Bool)), cast(`is_sure` as Nullable(Bool)), _file
from s3(answerlake, filename = 'targets/**.parquet', format = 'Parquet')
where _file in (select file_name from answerlake.manifest where table_name = 'targets')
  and _file not in (select file_name from answerlake.targets);

delete from answerlake.turning_points where file_name not in (select file_name from answerlake.manifest where table_name = 'turning_points')
  or file_name in (select loaded.file_name
    from (select file_name, count(*) as row_count from answerlake.turning_points group by file_name) as loaded
    join answerlake.manifest as listed on listed.file_name = loaded.file_name
    where listed.table_name = 'turning_points' and listed.row_count <> loaded.row_count);
insert into answerlake.turning_points (`project_id`, `project_name`, `measure`, `date`, `value_before`, `value_after`, `change`, `typical_change`, `drift`, `candidates_count`, `candidate_ids`, `candidate_titles`, `is_final`, file_name)
select cast(`project_id` as Nullable(String)), cast(`project_name` as Nullable(String)), cast(`measure` as Nullable(String)), cast(`date` as Nullable(Date32)), cast(`value_before` as Nullable(Float64)), cast(`value_after` as Nullable(Float64)), cast(`change` as Nullable(Float64)), cast(`typical_change` as Nullable(Float64)), cast(`drift` as Nullable(Float64)), cast(`candidates_count` as Nullable(Int64)), cast(`candidate_ids` as Nullable(String)), cast(`candidate_titles` as Nullable(String)), cast(`is_final` as Nullable(Bool)), _file
from s3(answerlake, filename = 'turning_points/**.parquet', format = 'Parquet')
where _file in (select file_name from answerlake.manifest where table_name = 'turning_points')
  and _file not in (select file_name from answerlake.turning_points);

delete from answerlake.visibility_with_events where file_name not in (select file_name from answerlake.manifest where table_name = 'visibility_with_events')
  or file_name in (select loaded.file_name
    from (select file_name, count(*) as row_count from answerlake.visibility_with_events group by file_name) as loaded
    join answerlake.manifest as listed on listed.file_name = loaded.file_name
    where listed.table_name = 'visibility_with_events' and listed.row_count <> loaded.row_count);
insert into answerlake.visibility_with_events (`project_id`, `project_name`, `date`, `visibility`, `visibility_7_day_mean`, `visibility_previous_7_day_mean`, `visibility_7_day_change`, `events_count`, `actions_completed`, `prompts_created`, `prompts_deleted`, `event_titles`, `event_types`, `is_final`, `changed_at`, `final_on`, file_name)
select cast(`project_id` as Nullable(String)), cast(`project_name` as Nullable(String)), cast(`date` as Nullable(Date32)), cast(`visibility` as Nullable(Float64)), cast(`visibility_7_day_mean` as Nullable(Float64)), cast(`visibility_previous_7_day_mean` as Nullable(Float64)), cast(`visibility_7_day_change` as Nullable(Float64)), cast(`events_count` as Nullable(Int64)), cast(`actions_completed` as Nullable(Int64)), cast(`prompts_created` as Nullable(Int64)), cast(`prompts_deleted` as Nullable(Int64)), cast(`event_titles` as Nullable(String)), cast(`event_types` as Nullable(String)), cast(`is_final` as Nullable(Bool)), cast(`changed_at` as Nullable(DateTime64(6, 'UTC'))), cast(`final_on` as Nullable(Date32)), _file
from s3(answerlake, filename = 'visibility_with_events/**.parquet', format = 'Parquet')
where _file in (select file_name from answerlake.manifest where table_name = 'visibility_with_events')
  and _file not in (select file_name from answerlake.visibility_with_events);

delete from answerlake.why_visibility_moved where file_name not in (select file_name from answerlake.manifest where table_name = 'why_visibility_moved')
  or file_name in (select loaded.file_name
    from (select file_name, count(*) as row_count from answerlake.why_visibility_moved group by file_name) as loaded
    join answerlake.manifest as listed on listed.file_name = loaded.file_name
    where listed.table_name = 'why_visibility_moved' and listed.row_count <> loaded.row_count);
insert into answerlake.why_visibility_moved (`project_id`, `project_name`, `window_days`, `before_from`, `before_to`, `after_from`, `after_to`, `visibility_before`, `visibility_after`, `before_as_reported`, `change`, `part`, `points`, `typical_change`, `judged_by`, `not_told`, file_name)
select cast(`project_id` as Nullable(String)), cast(`project_name` as Nullable(String)), cast(`window_days` as Nullable(Int32)), cast(`before_from` as Nullable(Date32)), cast(`before_to` as Nullable(Date32)), cast(`after_from` as Nullable(Date32)), cast(`after_to` as Nullable(Date32)), cast(`visibility_before` as Nullable(Float64)), cast(`visibility_after` as Nullable(Float64)), cast(`before_as_reported` as Nullable(Float64)), cast(`change` as Nullable(Float64)), cast(`part` as Nullable(String)), cast(`points` as Nullable(Float64)), cast(`typical_change` as Nullable(Float64)), cast(`judged_by` as Nullable(String)), cast(`not_told` as Nullable(String)), _file
from s3(answerlake, filename = 'why_visibility_moved/**.parquet', format = 'Parquet')
where _file in (select file_name from answerlake.manifest where table_name = 'why_visibility_moved')
  and _file not in (select file_name from answerlake.why_visibility_moved);

delete from answerlake.window_summary where file_name not in (select file_name from answerlake.manifest where table_name = 'window_summary')
  or file_name in (select loaded.file_name
    from (select file_name, count(*) as row_count from answerlake.window_summary group by file_name) as loaded
    join answerlake.manifest as listed on listed.file_name = loaded.file_name
    where listed.table_name = 'window_summary' and listed.row_count <> loaded.row_count);
insert into answerlake.window_summary (`project_id`, `project_name`, `window_start`, `window_end`, `days_in_window`, `all_responses`, `all_brand_mentions`, `brand_mention_rate`, `positive_count`, `negative_count`, `neutral_count`, `unknown_count`, `current_share_of_voice_pct`, `previous_share_of_voice_pct`, `changed_at`, `final_on`, file_name)
select cast(`project_id` as Nullable(String)), cast(`project_name` as Nullable(String)), cast(`window_start` as Nullable(Date32)), cast(`window_end` as Nullable(Date32)), cast(`days_in_window` as Nullable(Int32)), cast(`all_responses` as Nullable(Int64)), cast(`all_brand_mentions` as Nullable(Int64)), cast(`brand_mention_rate` as Nullable(Float64)), cast(`positive_count` as Nullable(Int64)), cast(`negative_count` as Nullable(Int64)), cast(`neutral_count` as Nullable(Int64)), cast(`unknown_count` as Nullable(Int64)), cast(`current_share_of_voice_pct` as Nullable(Float64)), cast(`previous_share_of_voice_pct` as Nullable(Float64)), cast(`changed_at` as Nullable(DateTime64(6, 'UTC'))), cast(`final_on` as Nullable(Date32)), _file
from s3(answerlake, filename = 'window_summary/**.parquet', format = 'Parquet')
where _file in (select file_name from answerlake.manifest where table_name = 'window_summary')
  and _file not in (select file_name from answerlake.window_summary);

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
