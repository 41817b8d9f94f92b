-- Makes the tables of the schema answerlake equal to the last export (answerlake export --changed --output s3://bucket/export):
-- removes the rows of files that the manifest does not name any more, and adds those of new files. It can be repeated.
-- Set the bucket, which is an external location of Unity Catalog.
-- Generated from the catalogue; "npx vitest run test/bi/integrations.test.ts -u" writes it again.

create schema if not exists answerlake;
create or replace table answerlake.manifest as
select `table` as table_name, regexp_extract(path, '[^/]+$', 0) as file_name, `rows` as row_count
from read_files('s3://bucket/export/manifest.ndjson', format => 'json', schema => 'kind string, `table` string, path string, `rows` bigint')
where kind = 'file';

create table if not exists answerlake.action_group_impact (`project_id` string, `project_name` string, `overlap_group_id` string, `first_date` date, `last_date` date, `actions` bigint, `titles` string, `visibility_before` double, `visibility_after` double, `visibility_change` double, `visibility_typical_change` double, `visibility_effect` double, `visibility_effect_low` double, `visibility_effect_high` double, `visibility_is_clear` boolean, `visibility_effect_15_28` double, `visibility_effect_15_28_low` double, `visibility_effect_15_28_high` double, `visibility_effect_15_28_is_clear` boolean, `visibility_effect_29_56` double, `visibility_effect_29_56_low` double, `visibility_effect_29_56_high` double, `visibility_effect_29_56_is_clear` boolean, `sentiment_before` double, `sentiment_after` double, `sentiment_change` double, `sentiment_typical_change` double, `sentiment_effect` double, `sentiment_effect_low` double, `sentiment_effect_high` double, `sentiment_is_clear` boolean, `sentiment_effect_15_28` double, `sentiment_effect_15_28_low` double, `sentiment_effect_15_28_high` double, `sentiment_effect_15_28_is_clear` boolean, `sentiment_effect_29_56` double, `sentiment_effect_29_56_low` double, `sentiment_effect_29_56_high` double, `sentiment_effect_29_56_is_clear` boolean, `share_of_voice_before` double, `share_of_voice_after` double, `share_of_voice_change` double, `share_of_voice_typical_change` double, `share_of_voice_effect` double, `share_of_voice_effect_low` double, `share_of_voice_effect_high` double, `share_of_voice_is_clear` boolean, `share_of_voice_effect_15_28` double, `share_of_voice_effect_15_28_low` double, `share_of_voice_effect_15_28_high` double, `share_of_voice_effect_15_28_is_clear` boolean, `share_of_voice_effect_29_56` double, `share_of_voice_effect_29_56_low` double, `share_of_voice_effect_29_56_high` double, `share_of_voice_effect_29_56_is_clear` boolean, `not_judged` string, `days_before` bigint, `days_after` bigint, `other_actions_count` bigint, `setup_change_titles` string, `is_final` boolean, file_name string);
create table if not exists answerlake.action_impact (`project_id` string, `project_name` string, `event_id` string, `action_id` string, `action_type` string, `action_title` string, `date` date, `occurred_at` timestamp_ntz, `overlap_group_id` string, `visibility_before` double, `visibility_after` double, `visibility_change` double, `visibility_typical_change` double, `visibility_effect` double, `visibility_effect_low` double, `visibility_effect_high` double, `visibility_is_clear` boolean, `sentiment_before` double, `sentiment_after` double, `sentiment_change` double, `sentiment_typical_change` double, `sentiment_effect` double, `sentiment_effect_low` double, `sentiment_effect_high` double, `sentiment_is_clear` boolean, `share_of_voice_before_pct` double, `share_of_voice_after_pct` double, `share_of_voice_change_points` double, `share_of_voice_typical_change` double, `share_of_voice_effect` double, `share_of_voice_effect_low` double, `share_of_voice_effect_high` double, `share_of_voice_is_clear` boolean, `not_judged` string, `days_before` bigint, `days_after` bigint, `sentiment_days_before` bigint, `sentiment_days_after` bigint, `share_of_voice_days_before` bigint, `share_of_voice_days_after` bigint, `other_events_count` bigint, `other_actions_count` bigint, `setup_change_titles` string, `is_comparable` boolean, `is_final` boolean, file_name string);
create table if not exists answerlake.action_type_impact (`project_id` string, `project_name` string, `organization_id` string, `action_type` string, `measure` string, `actions_count` bigint, `judged_count` bigint, `weeks_count` bigint, `mean_effect` double, `effect_low` double, `effect_high` double, `is_clear` boolean, file_name string);
create table if not exists answerlake.ai_traffic (`project_id` string, `project_name` string, `date` date, `source_kind` string, `source` string, `crawler_requests_count` bigint, `ai_visits_count` bigint, `is_final` boolean, `changed_at` timestamp_ntz, `final_on` date, file_name string);
create table if not exists answerlake.ai_vendors (`source_kind` string, `source` string, `source_key` string, `vendor` string, `purpose` string, file_name string);
create table if not exists answerlake.anomalies (`project_id` string, `project_name` string, `measure` string, `date` date, `value` double, `expected_value` double, `deviations` double, `is_final` boolean, file_name string);
create table if not exists answerlake.brand_mention_share (`project_id` string, `project_name` string, `date` date, `brand_id` string, `brand_name` string, `relation` string, `is_own_brand` boolean, `mention_count` bigint, `all_mention_count` bigint, `mention_share_pct` double, `mention_share_pct_low` double, `mention_share_pct_high` double, `own_mention_share_pct` double, `mention_rank` bigint, `is_final` boolean, `changed_at` timestamp_ntz, `final_on` date, file_name string);
create table if not exists answerlake.brand_visibility_trend (`project_id` string, `project_name` string, `date` date, `brand_id` string, `brand_name` string, `brand_domain` string, `relation` string, `is_own_brand` boolean, `visibility_pct` double, `average_visibility` double, `mention_count` bigint, `all_responses` bigint, `own_visibility_pct` double, `own_average_visibility` double, `own_mention_count` bigint, `gap_points` double, `is_final` boolean, `changed_at` timestamp_ntz, `final_on` date, file_name string);
create table if not exists answerlake.brands (`project_id` string, `project_name` string, `brand_id` string, `brand_name` string, `brand_domain` string, `relation` string, `is_own_brand` boolean, file_name string);
create table if not exists answerlake.calendar (`date` date, `iso_year` int, `iso_week` int, `iso_day_of_week` int, `day_name` string, `week_start` date, `month_start` date, `quarter_start` date, `year` int, `month` int, `is_weekend` boolean, `is_whole_day` boolean, file_name string);
create table if not exists answerlake.citation_rank_trend (`project_id` string, `project_name` string, `date` date, `citations_count` bigint, `ranked_citations_count` bigint, `ranked_citations_pct` double, `average_citation_rank` double, `best_citation_rank` double, `worst_citation_rank` double, `previous_date` date, `previous_average_citation_rank` double, `average_citation_rank_change` double, `is_final` boolean, `changed_at` timestamp_ntz, `final_on` date, file_name string);
create table if not exists answerlake.cited_domains (`project_id` string, `project_name` string, `window_start` date, `window_end` date, `days_in_window` int, `domain` string, `is_own_domain` boolean, `domain_status` string, `citations_count` bigint, `citations_share_pct` double, `average_citation_rank` double, `previous_citations_count` bigint, `previous_days_in_window` int, `citations_change` bigint, `citations_per_day_change` double, `previous_average_citation_rank` double, `window_citations_count` bigint, `changed_at` timestamp_ntz, `final_on` date, file_name string);
create table if not exists answerlake.competitor_gap (`project_id` string, `project_name` string, `date` date, `competitor_brand_id` string, `competitor_name` string, `competitor_domain` string, `relation` string, `competitor_visibility_pct` double, `own_visibility_pct` double, `gap_points` double, `competitor_average_visibility` double, `own_average_visibility` double, `score_gap` double, `competitor_mention_count` bigint, `own_mention_count` bigint, `is_own_brand_ahead` boolean, `is_final` boolean, `changed_at` timestamp_ntz, `final_on` date, file_name string);
create table if not exists answerlake.competitor_heatmap_latest (`project_id` string, `project_name` string, `window_start` date, `window_end` date, `competitor_name` string, `competitor_domain` string, `relation` string, `is_own_brand` boolean, `competitor_rank` bigint, `model_id` string, `model_name` string, `is_deprecated_model` boolean, `visibility_pct` double, `own_visibility_pct` double, `gap_points` double, `changed_at` timestamp_ntz, `final_on` date, file_name string);
create table if not exists answerlake.competitor_heatmap_trend (`project_id` string, `project_name` string, `window_start` date, `window_end` date, `days_in_window` int, `competitor_name` string, `competitor_domain` string, `relation` string, `is_own_brand` boolean, `competitor_rank` bigint, `model_id` string, `model_name` string, `is_deprecated_model` boolean, `visibility_pct` double, `own_visibility_pct` double, `gap_points` double, `previous_visibility_pct` double, `change_points` double, `changed_at` timestamp_ntz, `final_on` date, file_name string);
create table if not exists answerlake.competitor_mention_trend (`project_id` string, `project_name` string, `window_start` date, `window_end` date, `days_in_window` int, `competitor` string, `is_tracked` boolean, `mention_count` bigint, `mention_share_pct` double, `previous_mention_count` bigint, `previous_mention_share_pct` double, `changed_at` timestamp_ntz, `final_on` date, file_name string);
create table if not exists answerlake.crawler_page_trend (`project_id` string, `project_name` string, `window_start` date, `window_end` date, `days_in_window` int, `request_path` string, `crawler_requests_count` bigint, `listed_share_pct` double, `unique_crawlers_count` bigint, `previous_crawler_requests_count` bigint, `previous_days_in_window` int, `crawler_requests_change` bigint, `crawler_requests_per_day_change` double, `changed_at` timestamp_ntz, `final_on` date, file_name string);
create table if not exists answerlake.crawler_pages (`project_id` string, `project_name` string, `window_start` date, `window_end` date, `request_path` string, `crawler_requests_count` bigint, `requests_rank` bigint, `unique_crawlers_count` bigint, `crawlers` string, `changed_at` timestamp_ntz, `final_on` date, file_name string);
create table if not exists answerlake.crawler_visitor_funnel (`project_id` string, `project_name` string, `date` date, `vendor` string, `is_known_vendor` boolean, `training_requests_count` bigint, `search_requests_count` bigint, `user_requests_count` bigint, `other_requests_count` bigint, `crawler_requests_count` bigint, `ai_visits_count` bigint, `is_final` boolean, `changed_at` timestamp_ntz, `final_on` date, file_name string);
create table if not exists answerlake.daily_kpis (`project_id` string, `project_name` string, `date` date, `visibility` double, `sentiment` double, `share_of_voice_pct` double, `organic_responses` bigint, `organic_brand_mentions` bigint, `positive_count` bigint, `negative_count` bigint, `neutral_count` bigint, `unknown_count` bigint, `known_count` bigint, `net_sentiment_pct` double, `net_sentiment_known_pct` double, `citations_count` bigint, `average_citation_rank` double, `crawler_requests_count` bigint, `ai_visits_count` bigint, `actions_completed` bigint, `prompts_created` bigint, `prompts_deleted` bigint, `event_titles` string, `traffic_timezone` string, `is_final` boolean, `changed_at` timestamp_ntz, `final_on` date, file_name string);
create table if not exists answerlake.deleted_rows (`schema_name` string, `view_name` string, `key` string, `project_id` string, `date` date, `deleted_at` timestamp_ntz, file_name string);
create table if not exists answerlake.domain_citation_trend (`project_id` string, `project_name` string, `date` date, `domain` string, `is_own_domain` boolean, `citations_count` bigint, `listed_citations_count` bigint, `listed_citations_share_pct` double, `own_citations_count` bigint, `own_citations_share_pct` double, `previous_date` date, `previous_citations_count` bigint, `citations_change` bigint, `last_told_on` date, `is_final` boolean, `changed_at` timestamp_ntz, `final_on` date, file_name string);
create table if not exists answerlake.event_annotations (`project_id` string, `project_name` string, `event_id` string, `time` timestamp_ntz, `date` date, `title` string, `text` string, `tags` string, `type` string, `action_id` string, `action_type` string, `monitor_id` string, `monitor_name` string, `prompt_count` bigint, file_name string);
create table if not exists answerlake.kpi_changes (`project_id` string, `project_name` string, `measure` string, `window_days` int, `last_date` date, `value` double, `previous_value` double, `change` double, `change_low` double, `change_high` double, `typical_change` double, `is_clear` boolean, `is_trend` boolean, `setup_changes` string, `days_with_value` bigint, `previous_days_with_value` bigint, file_name string);
create table if not exists answerlake.landing_page_days (`project_id` string, `project_name` string, `landing_page` string, `date` date, `source` string, `ai_visits_count` bigint, `is_final` boolean, `changed_at` timestamp_ntz, `final_on` date, file_name string);
create table if not exists answerlake.model_kpis (`project_id` string, `project_name` string, `model_id` string, `model_name` string, `is_deprecated_model` boolean, `date` date, `visibility` double, `sentiment` double, `share_of_voice_pct` double, `organic_responses` bigint, `organic_brand_mentions` bigint, `is_final` boolean, `changed_at` timestamp_ntz, `final_on` date, file_name string);
create table if not exists answerlake.model_sources (`project_id` string, `project_name` string, `window_start` date, `window_end` date, `days_in_window` int, `model_id` string, `model_name` string, `provider_name` string, `is_known_model` boolean, `is_deprecated_model` boolean, `citations_count` bigint, `citations_share_pct` double, `unique_domains_count` bigint, `unique_prompts_count` bigint, `changed_at` timestamp_ntz, `final_on` date, file_name string);
create table if not exists answerlake.models (`model_id` string, `model_name` string, `provider_id` string, `provider_name` string, `provider_model_name` string, `api_identifier` string, `description` string, `is_search_enabled` boolean, `is_live_search` boolean, `is_known_model` boolean, `is_deprecated_model` boolean, file_name string);
create table if not exists answerlake.monitor_kpis (`project_id` string, `project_name` string, `monitor_id` string, `monitor_name` string, `date` date, `visibility` double, `sentiment` double, `share_of_voice_pct` double, `organic_responses` bigint, `organic_brand_mentions` bigint, `is_final` boolean, `changed_at` timestamp_ntz, `final_on` date, file_name string);
create table if not exists answerlake.monitors (`project_id` string, `project_name` string, `monitor_id` string, `monitor_name` string, `prompts_count` bigint, `active_prompts_count` bigint, file_name string);
create table if not exists answerlake.portfolio_changes (`organization_id` string, `organization_name` string, `level` string, `model_id` string, `model_name` string, `measure` string, `window_days` int, `projects_count` bigint, `up_count` bigint, `down_count` bigint, `median_change` double, `change_low` double, `change_high` double, `is_portfolio_wide` boolean, file_name string);
create table if not exists answerlake.projects (`project_id` string, `project_name` string, `slug` string, `organization_id` string, `organization_name` string, `first_date` date, `last_date` date, `last_whole_date` date, file_name string);
create table if not exists answerlake.prompt_catalog (`project_id` string, `project_name` string, `prompt_id` string, `prompt` string, `prompt_type` string, `intent` string, `language_code` string, `is_active` boolean, `monitor_id` string, `monitor_name` string, `responses_count` bigint, `search_volume` double, `average_visibility` double, `difficulty` double, `created_at` timestamp_ntz, `updated_at` timestamp_ntz, `first_seen_on` date, `last_seen_on` date, file_name string);
create table if not exists answerlake.prompt_days (`project_id` string, `project_name` string, `prompt_id` string, `prompt` string, `prompt_type` string, `monitor_id` string, `monitor_name` string, `date` date, `visibility` double, `sentiment` double, `organic_responses` bigint, `organic_brand_mentions` bigint, `share_of_voice_pct` double, `is_final` boolean, `changed_at` timestamp_ntz, `final_on` date, file_name string);
create table if not exists answerlake.prompt_moves (`project_id` string, `project_name` string, `window_days` int, `prompt_id` string, `prompt` string, `prompt_type` string, `monitor_id` string, `monitor_name` string, `before_from` date, `before_to` date, `after_from` date, `after_to` date, `responses_before` bigint, `responses_after` bigint, `visibility_before` double, `visibility_after` double, `change` double, `contribution` double, `rounding_error` double, file_name string);
create table if not exists answerlake.prompt_trend (`project_id` string, `project_name` string, `prompt_id` string, `prompt` string, `prompt_type` string, `monitor_id` string, `monitor_name` string, `date` date, `is_active` boolean, `average_visibility` double, `responses_count` bigint, `search_volume` double, `difficulty` double, `previous_date` date, `previous_average_visibility` double, `average_visibility_change` double, `new_responses_count` bigint, `changed_at` timestamp_ntz, `final_on` date, file_name string);
create table if not exists answerlake.restated_values (`project_id` string, `project_name` string, `table_name` string, `column_name` string, `change` string, `date` date, `row_key` string, `old_value` string, `new_value` string, `old_number` double, `new_number` double, `change_number` double, `was_final` boolean, `run_id` string, `changed_at` timestamp_ntz, file_name string);
create table if not exists answerlake.sentiment_split (`project_id` string, `project_name` string, `date` date, `positive_count` bigint, `negative_count` bigint, `neutral_count` bigint, `unknown_count` bigint, `known_count` bigint, `total_count` bigint, `positive_pct` double, `negative_pct` double, `neutral_pct` double, `unknown_pct` double, `positive_pct_low` double, `positive_pct_high` double, `negative_pct_low` double, `negative_pct_high` double, `neutral_pct_low` double, `neutral_pct_high` double, `net_sentiment_pct` double, `net_sentiment_pct_low` double, `net_sentiment_pct_high` double, `net_sentiment_known_pct` double, `net_sentiment_known_pct_low` double, `net_sentiment_known_pct_high` double, `is_final` boolean, `changed_at` timestamp_ntz, `final_on` date, file_name string);
create table if not exists answerlake.sentiment_with_events (`project_id` string, `project_name` string, `date` date, `sentiment` double, `sentiment_7_day_mean` double, `sentiment_previous_7_day_mean` double, `sentiment_7_day_change` double, `events_count` bigint, `actions_completed` bigint, `prompts_created` bigint, `prompts_deleted` bigint, `event_titles` string, `event_types` string, `is_final` boolean, `changed_at` timestamp_ntz, `final_on` date, file_name string);
create table if not exists answerlake.setup_changes (`project_id` string, `project_name` string, `date` date, `what` string, `names` string, `count` bigint, `share_of_answers` double, `judged_by` string, `title` string, `moves_figures` boolean, file_name string);
create table if not exists answerlake.share_of_voice_trend (`project_id` string, `project_name` string, `date` date, `organic_responses` bigint, `organic_brand_mentions` bigint, `share_of_voice_pct` double, `share_of_voice_pct_low` double, `share_of_voice_pct_high` double, `previous_date` date, `previous_share_of_voice_pct` double, `change_points` double, `reported_previous_share_of_voice_pct` double, `reported_change_points` double, `is_final` boolean, `changed_at` timestamp_ntz, `final_on` date, file_name string);
create table if not exists answerlake.sync_coverage (`project_id` string, `project_name` string, `endpoint` string, `date` date, `series_expected_count` bigint, `series_covered_count` bigint, `series_settled_count` bigint, `is_covered` boolean, `is_settled` boolean, `status` string, `known_reason` string, `known_first_on` date, `asked_on` date, file_name string);
create table if not exists answerlake.sync_freshness (`project_id` string, `project_name` string, `endpoint` string, `status` string, `last_asked_at` timestamp_ntz, `last_success_at` timestamp_ntz, `last_covered_date` date, `lag_days` bigint, `age_hours` double, `max_age_hours` double, `is_stale` boolean, `slices_done_count` bigint, `slices_failed_count` bigint, `slices_suspicious_count` bigint, `last_error` string, file_name string);
create table if not exists answerlake.sync_gaps (`project_id` string, `project_name` string, `endpoint` string, `date` date, `status` string, `last_status` string, `known_reason` string, `known_first_on` date, file_name string);
create table if not exists answerlake.sync_settings (`sync_day` date, `clock_day` date, `start_date` date, `lookback_days` int, `timezone` string, `base_url` string, `timezone_lag_days` int, file_name string);
create table if not exists answerlake.targets (`project_id` string, `project_name` string, `measure` string, `goal` double, `due_date` date, `last_date` date, `value` double, `distance` double, `projected_value` double, `projected_low` double, `projected_high` double, `is_reached` boolean, `is_on_course` boolean, `is_sure` boolean, file_name string);
create table if not exists answerlake.turning_points (`project_id` string, `project_name` string, `measure` string, `date` date, `value_before` double, `value_after` double, `change` double, `typical_change` double, `drift` double, `candidates_count` bigint, `candidate_ids` string, `candidate_titles` string, `is_final` boolean, file_name string);
create table if not exists answerlake.visibility_with_events (`project_id` string, `project_name` string, `date` date, `visibility` double, `visibility_7_day_mean` double, `visibility_previous_7_day_mean` double, `visibility_7_day_change` double, `events_count` bigint, `actions_completed` bigint, `prompts_created` bigint, `prompts_deleted` bigint, `event_titles` string, `event_types` string, `is_final` boolean, `changed_at` timestamp_ntz, `final_on` date, file_name string);
create table if not exists answerlake.why_visibility_moved (`project_id` string, `project_name` string, `window_days` int, `before_from` date, `before_to` date, `after_from` date, `after_to` date, `visibility_before` double, `visibility_after` double, `before_as_reported` double, `change` double, `part` string, `points` double, `typical_change` double, `judged_by` string, `not_told` string, file_name string);
create table if not exists answerlake.window_summary (`project_id` string, `project_name` string, `window_start` date, `window_end` date, `days_in_window` int, `all_responses` bigint, `all_brand_mentions` bigint, `brand_mention_rate` double, `positive_count` bigint, `negative_count` bigint, `neutral_count` bigint, `unknown_count` bigint, `current_share_of_voice_pct` double, `previous_share_of_voice_pct` double, `changed_at` timestamp_ntz, `final_on` date, file_name string);


delete from answerlake.action_group_impact where file_name not in (select file_name from answerlake.manifest where table_name = 'action_group_impact');
insert into answerlake.action_group_impact (`project_id`, `project_name`, `overlap_group_id`, `first_date`, `last_date`, `actions`, `titles`, `visibility_before`, `visibility_after`, `visibility_change`, `visibility_typical_change`, `visibility_effect`, `visibility_effect_low`, `visibility_effect_high`, `visibility_is_clear`, `visibility_effect_15_28`, `visibility_effect_15_28_low`, `visibility_effect_15_28_high`, `visibility_effect_15_28_is_clear`, `visibility_effect_29_56`, `visibility_effect_29_56_low`, `visibility_effect_29_56_high`, `visibility_effect_29_56_is_clear`, `sentiment_before`, `sentiment_after`, `sentiment_change`, `sentiment_typical_change`, `sentiment_effect`, `sentiment_effect_low`, `sentiment_effect_high`, `sentiment_is_clear`, `sentiment_effect_15_28`, `sentiment_effect_15_28_low`, `sentiment_effect_15_28_high`, `sentiment_effect_15_28_is_clear`, `sentiment_effect_29_56`, `sentiment_effect_29_56_low`, `sentiment_effect_29_56_high`, `sentiment_effect_29_56_is_clear`, `share_of_voice_before`, `share_of_voice_after`, `share_of_voice_change`, `share_of_voice_typical_change`, `share_of_voice_effect`, `share_of_voice_effect_low`, `share_of_voice_effect_high`, `share_of_voice_is_clear`, `share_of_voice_effect_15_28`, `share_of_voice_effect_15_28_low`, `share_of_voice_effect_15_28_high`, `share_of_voice_effect_15_28_is_clear`, `share_of_voice_effect_29_56`, `share_of_voice_effect_29_56_low`, `share_of_voice_effect_29_56_high`, `share_of_voice_effect_29_56_is_clear`, `not_judged`, `days_before`, `days_after`, `other_actions_count`, `setup_change_titles`, `is_final`, file_name)
select cast(`project_id` as string), cast(`project_name` as string), cast(`overlap_group_id` as string), cast(`first_date` as date), cast(`last_date` as date), cast(`actions` as bigint), cast(`titles` as string), cast(`visibility_before` as double), cast(`visibility_after` as double), cast(`visibility_change` as double), cast(`visibility_typical_change` as double), cast(`visibility_effect` as double), cast(`visibility_effect_low` as double), cast(`visibility_effect_high` as double), cast(`visibility_is_clear` as boolean), cast(`visibility_effect_15_28` as double), cast(`visibility_effect_15_28_low` as double), cast(`visibility_effect_15_28_high` as double), cast(`visibility_effect_15_28_is_clear` as boolean), cast(`visibility_effect_29_56` as double), cast(`visibility_effect_29_56_low` as double), cast(`visibility_effect_29_56_high` as double), cast(`visibility_effect_29_56_is_clear` as boolean), cast(`sentiment_before` as double), cast(`sentiment_after` as double), cast(`sentiment_change` as double), cast(`sentiment_typical_change` as double), cast(`sentiment_effect` as double), cast(`sentiment_effect_low` as double), cast(`sentiment_effect_high` as double), cast(`sentiment_is_clear` as boolean), cast(`sentiment_effect_15_28` as double), cast(`sentiment_effect_15_28_low` as double), cast(`sentiment_effect_15_28_high` as double), cast(`sentiment_effect_15_28_is_clear` as boolean), cast(`sentiment_effect_29_56` as double), cast(`sentiment_effect_29_56_low` as double), cast(`sentiment_effect_29_56_high` as double), cast(`sentiment_effect_29_56_is_clear` as boolean), cast(`share_of_voice_before` as double), cast(`share_of_voice_after` as double), cast(`share_of_voice_change` as double), cast(`share_of_voice_typical_change` as double), cast(`share_of_voice_effect` as double), cast(`share_of_voice_effect_low` as double), cast(`share_of_voice_effect_high` as double), cast(`share_of_voice_is_clear` as boolean), cast(`share_of_voice_effect_15_28` as double), cast(`share_of_voice_effect_15_28_low` as double), cast(`share_of_voice_effect_15_28_high` as double), cast(`share_of_voice_effect_15_28_is_clear` as boolean), cast(`share_of_voice_effect_29_56` as double), cast(`share_of_voice_effect_29_56_low` as double), cast(`share_of_voice_effect_29_56_high` as double), cast(`share_of_voice_effect_29_56_is_clear` as boolean), cast(`not_judged` as string), cast(`days_before` as bigint), cast(`days_after` as bigint), cast(`other_actions_count` as bigint), cast(`setup_change_titles` as string), cast(`is_final` as boolean), _metadata.file_name
from read_files('s3://bucket/export/action_group_impact/', format => 'parquet')
where _metadata.file_name in (select file_name from answerlake.manifest where table_name = 'action_group_impact')
  and _metadata.file_name not in (select file_name from answerlake.action_group_impact);

delete from answerlake.action_impact where file_name not in (select file_name from answerlake.manifest where table_name = 'action_impact');
insert into answerlake.action_impact (`project_id`, `project_name`, `event_id`, `action_id`, `action_type`, `action_title`, `date`, `occurred_at`, `overlap_group_id`, `visibility_before`, `visibility_after`, `visibility_change`, `visibility_typical_change`, `visibility_effect`, `visibility_effect_low`, `visibility_effect_high`, `visibility_is_clear`, `sentiment_before`, `sentiment_after`, `sentiment_change`, `sentiment_typical_change`, `sentiment_effect`, `sentiment_effect_low`, `sentiment_effect_high`, `sentiment_is_clear`, `share_of_voice_before_pct`, `share_of_voice_after_pct`, `share_of_voice_change_points`, `share_of_voice_typical_change`, `share_of_voice_effect`, `share_of_voice_effect_low`, `share_of_voice_effect_high`, `share_of_voice_is_clear`, `not_judged`, `days_before`, `days_after`, `sentiment_days_before`, `sentiment_days_after`, `share_of_voice_days_before`, `share_of_voice_days_after`, `other_events_count`, `other_actions_count`, `setup_change_titles`, `is_comparable`, `is_final`, file_name)
select cast(`project_id` as string), cast(`project_name` as string), cast(`event_id` as string), cast(`action_id` as string), cast(`action_type` as string), cast(`action_title` as string), cast(`date` as date), cast(`occurred_at` as timestamp_ntz), cast(`overlap_group_id` as string), cast(`visibility_before` as double), cast(`visibility_after` as double), cast(`visibility_change` as double), cast(`visibility_typical_change` as double), cast(`visibility_effect` as double), cast(`visibility_effect_low` as double), cast(`visibility_effect_high` as double), cast(`visibility_is_clear` as boolean), cast(`sentiment_before` as double), cast(`sentiment_after` as double), cast(`sentiment_change` as double), cast(`sentiment_typical_change` as double), cast(`sentiment_effect` as double), cast(`sentiment_effect_low` as double), cast(`sentiment_effect_high` as double), cast(`sentiment_is_clear` as boolean), cast(`share_of_voice_before_pct` as double), cast(`share_of_voice_after_pct` as double), cast(`share_of_voice_change_points` as double), cast(`share_of_voice_typical_change` as double), cast(`share_of_voice_effect` as double), cast(`share_of_voice_effect_low` as double), cast(`share_of_voice_effect_high` as double), cast(`share_of_voice_is_clear` as boolean), cast(`not_judged` as string), cast(`days_before` as bigint), cast(`days_after` as bigint), cast(`sentiment_days_before` as bigint), cast(`sentiment_days_after` as bigint), cast(`share_of_voice_days_before` as bigint), cast(`share_of_voice_days_after` as bigint), cast(`other_events_count` as bigint), cast(`other_actions_count` as bigint), cast(`setup_change_titles` as string), cast(`is_comparable` as boolean), cast(`is_final` as boolean), _metadata.file_name
from read_files('s3://bucket/export/action_impact/', format => 'parquet')
where _metadata.file_name in (select file_name from answerlake.manifest where table_name = 'action_impact')
  and _metadata.file_name not in (select file_name from answerlake.action_impact);

delete from answerlake.action_type_impact where file_name not in (select file_name from answerlake.manifest where table_name = 'action_type_impact');
insert into answerlake.action_type_impact (`project_id`, `project_name`, `organization_id`, `action_type`, `measure`, `actions_count`, `judged_count`, `weeks_count`, `mean_effect`, `effect_low`, `effect_high`, `is_clear`, file_name)
select cast(`project_id` as string), cast(`project_name` as string), cast(`organization_id` as string), cast(`action_type` as string), cast(`measure` as string), cast(`actions_count` as bigint), cast(`judged_count` as bigint), cast(`weeks_count` as bigint), cast(`mean_effect` as double), cast(`effect_low` as double), cast(`effect_high` as double), cast(`is_clear` as boolean), _metadata.file_name
from read_files('s3://bucket/export/action_type_impact/', format => 'parquet')
where _metadata.file_name in (select file_name from answerlake.manifest where table_name = 'action_type_impact')
  and _metadata.file_name not in (select file_name from answerlake.action_type_impact);

delete from answerlake.ai_traffic where file_name not in (select file_name from answerlake.manifest where table_name = 'ai_traffic');
insert into answerlake.ai_traffic (`project_id`, `project_name`, `date`, `source_kind`, `source`, `crawler_requests_count`, `ai_visits_count`, `is_final`, `changed_at`, `final_on`, file_name)
select cast(`project_id` as string), cast(`project_name` as string), cast(`date` as date), cast(`source_kind` as string), cast(`source` as string), cast(`crawler_requests_count` as bigint), cast(`ai_visits_count` as bigint), cast(`is_final` as boolean), cast(`changed_at` as timestamp_ntz), cast(`final_on` as date), _metadata.file_name
from read_files('s3://bucket/export/ai_traffic/', format => 'parquet')
where _metadata.file_name in (select file_name from answerlake.manifest where table_name = 'ai_traffic')
  and _metadata.file_name not in (select file_name from answerlake.ai_traffic);

delete from answerlake.ai_vendors where file_name not in (select file_name from answerlake.manifest where table_name = 'ai_vendors');
insert into answerlake.ai_vendors (`source_kind`, `source`, `source_key`, `vendor`, `purpose`, file_name)
select cast(`source_kind` as string), cast(`source` as string), cast(`source_key` as string), cast(`vendor` as string), cast(`purpose` as string), _metadata.file_name
from read_files('s3://bucket/export/ai_vendors/', format => 'parquet')
where _metadata.file_name in (select file_name from answerlake.manifest where table_name = 'ai_vendors')
  and _metadata.file_name not in (select file_name from answerlake.ai_vendors);

delete from answerlake.anomalies where file_name not in (select file_name from answerlake.manifest where table_name = 'anomalies');
insert into answerlake.anomalies (`project_id`, `project_name`, `measure`, `date`, `value`, `expected_value`, `deviations`, `is_final`, file_name)
select cast(`project_id` as string), cast(`project_name` as string), cast(`measure` as string), cast(`date` as date), cast(`value` as double), cast(`expected_value` as double), cast(`deviations` as double), cast(`is_final` as boolean), _metadata.file_name
from read_files('s3://bucket/export/anomalies/', format => 'parquet')
where _metadata.file_name in (select file_name from answerlake.manifest where table_name = 'anomalies')
  and _metadata.file_name not in (select file_name from answerlake.anomalies);

delete from answerlake.brand_mention_share where file_name not in (select file_name from answerlake.manifest where table_name = 'brand_mention_share');
insert into answerlake.brand_mention_share (`project_id`, `project_name`, `date`, `brand_id`, `brand_name`, `relation`, `is_own_brand`, `mention_count`, `all_mention_count`, `mention_share_pct`, `mention_share_pct_low`, `mention_share_pct_high`, `own_mention_share_pct`, `mention_rank`, `is_final`, `changed_at`, `final_on`, file_name)
select cast(`project_id` as string), cast(`project_name` as string), cast(`date` as date), cast(`brand_id` as string), cast(`brand_name` as string), cast(`relation` as string), cast(`is_own_brand` as boolean), cast(`mention_count` as bigint), cast(`all_mention_count` as bigint), cast(`mention_share_pct` as double), cast(`mention_share_pct_low` as double), cast(`mention_share_pct_high` as double), cast(`own_mention_share_pct` as double), cast(`mention_rank` as bigint), cast(`is_final` as boolean), cast(`changed_at` as timestamp_ntz), cast(`final_on` as date), _metadata.file_name
from read_files('s3://bucket/export/brand_mention_share/', format => 'parquet')
where _metadata.file_name in (select file_name from answerlake.manifest where table_name = 'brand_mention_share')
  and _metadata.file_name not in (select file_name from answerlake.brand_mention_share);

delete from answerlake.brand_visibility_trend where file_name not in (select file_name from answerlake.manifest where table_name = 'brand_visibility_trend');
insert into answerlake.brand_visibility_trend (`project_id`, `project_name`, `date`, `brand_id`, `brand_name`, `brand_domain`, `relation`, `is_own_brand`, `visibility_pct`, `average_visibility`, `mention_count`, `all_responses`, `own_visibility_pct`, `own_average_visibility`, `own_mention_count`, `gap_points`, `is_final`, `changed_at`, `final_on`, file_name)
select cast(`project_id` as string), cast(`project_name` as string), cast(`date` as date), cast(`brand_id` as string), cast(`brand_name` as string), cast(`brand_domain` as string), cast(`relation` as string), cast(`is_own_brand` as boolean), cast(`visibility_pct` as double), cast(`average_visibility` as double), cast(`mention_count` as bigint), cast(`all_responses` as bigint), cast(`own_visibility_pct` as double), cast(`own_average_visibility` as double), cast(`own_mention_count` as bigint), cast(`gap_points` as double), cast(`is_final` as boolean), cast(`changed_at` as timestamp_ntz), cast(`final_on` as date), _metadata.file_name
from read_files('s3://bucket/export/brand_visibility_trend/', format => 'parquet')
where _metadata.file_name in (select file_name from answerlake.manifest where table_name = 'brand_visibility_trend')
  and _metadata.file_name not in (select file_name from answerlake.brand_visibility_trend);

delete from answerlake.brands where file_name not in (select file_name from answerlake.manifest where table_name = 'brands');
insert into answerlake.brands (`project_id`, `project_name`, `brand_id`, `brand_name`, `brand_domain`, `relation`, `is_own_brand`, file_name)
select cast(`project_id` as string), cast(`project_name` as string), cast(`brand_id` as string), cast(`brand_name` as string), cast(`brand_domain` as string), cast(`relation` as string), cast(`is_own_brand` as boolean), _metadata.file_name
from read_files('s3://bucket/export/brands/', format => 'parquet')
where _metadata.file_name in (select file_name from answerlake.manifest where table_name = 'brands')
  and _metadata.file_name not in (select file_name from answerlake.brands);

delete from answerlake.calendar where file_name not in (select file_name from answerlake.manifest where table_name = 'calendar');
insert into answerlake.calendar (`date`, `iso_year`, `iso_week`, `iso_day_of_week`, `day_name`, `week_start`, `month_start`, `quarter_start`, `year`, `month`, `is_weekend`, `is_whole_day`, file_name)
select cast(`date` as date), cast(`iso_year` as int), cast(`iso_week` as int), cast(`iso_day_of_week` as int), cast(`day_name` as string), cast(`week_start` as date), cast(`month_start` as date), cast(`quarter_start` as date), cast(`year` as int), cast(`month` as int), cast(`is_weekend` as boolean), cast(`is_whole_day` as boolean), _metadata.file_name
from read_files('s3://bucket/export/calendar/', format => 'parquet')
where _metadata.file_name in (select file_name from answerlake.manifest where table_name = 'calendar')
  and _metadata.file_name not in (select file_name from answerlake.calendar);

delete from answerlake.citation_rank_trend where file_name not in (select file_name from answerlake.manifest where table_name = 'citation_rank_trend');
insert into answerlake.citation_rank_trend (`project_id`, `project_name`, `date`, `citations_count`, `ranked_citations_count`, `ranked_citations_pct`, `average_citation_rank`, `best_citation_rank`, `worst_citation_rank`, `previous_date`, `previous_average_citation_rank`, `average_citation_rank_change`, `is_final`, `changed_at`, `final_on`, file_name)
select cast(`project_id` as string), cast(`project_name` as string), cast(`date` as date), cast(`citations_count` as bigint), cast(`ranked_citations_count` as bigint), cast(`ranked_citations_pct` as double), cast(`average_citation_rank` as double), cast(`best_citation_rank` as double), cast(`worst_citation_rank` as double), cast(`previous_date` as date), cast(`previous_average_citation_rank` as double), cast(`average_citation_rank_change` as double), cast(`is_final` as boolean), cast(`changed_at` as timestamp_ntz), cast(`final_on` as date), _metadata.file_name
from read_files('s3://bucket/export/citation_rank_trend/', format => 'parquet')
where _metadata.file_name in (select file_name from answerlake.manifest where table_name = 'citation_rank_trend')
  and _metadata.file_name not in (select file_name from answerlake.citation_rank_trend);

delete from answerlake.cited_domains where file_name not in (select file_name from answerlake.manifest where table_name = 'cited_domains');
insert into answerlake.cited_domains (`project_id`, `project_name`, `window_start`, `window_end`, `days_in_window`, `domain`, `is_own_domain`, `domain_status`, `citations_count`, `citations_share_pct`, `average_citation_rank`, `previous_citations_count`, `previous_days_in_window`, `citations_change`, `citations_per_day_change`, `previous_average_citation_rank`, `window_citations_count`, `changed_at`, `final_on`, file_name)
select cast(`project_id` as string), cast(`project_name` as string), cast(`window_start` as date), cast(`window_end` as date), cast(`days_in_window` as int), cast(`domain` as string), cast(`is_own_domain` as boolean), cast(`domain_status` as string), cast(`citations_count` as bigint), cast(`citations_share_pct` as double), cast(`average_citation_rank` as double), cast(`previous_citations_count` as bigint), cast(`previous_days_in_window` as int), cast(`citations_change` as bigint), cast(`citations_per_day_change` as double), cast(`previous_average_citation_rank` as double), cast(`window_citations_count` as bigint), cast(`changed_at` as timestamp_ntz), cast(`final_on` as date), _metadata.file_name
from read_files('s3://bucket/export/cited_domains/', format => 'parquet')
where _metadata.file_name in (select file_name from answerlake.manifest where table_name = 'cited_domains')
  and _metadata.file_name not in (select file_name from answerlake.cited_domains);

delete from answerlake.competitor_gap where file_name not in (select file_name from answerlake.manifest where table_name = 'competitor_gap');
insert into answerlake.competitor_gap (`project_id`, `project_name`, `date`, `competitor_brand_id`, `competitor_name`, `competitor_domain`, `relation`, `competitor_visibility_pct`, `own_visibility_pct`, `gap_points`, `competitor_average_visibility`, `own_average_visibility`, `score_gap`, `competitor_mention_count`, `own_mention_count`, `is_own_brand_ahead`, `is_final`, `changed_at`, `final_on`, file_name)
select cast(`project_id` as string), cast(`project_name` as string), cast(`date` as date), cast(`competitor_brand_id` as string), cast(`competitor_name` as string), cast(`competitor_domain` as string), cast(`relation` as string), cast(`competitor_visibility_pct` as double), cast(`own_visibility_pct` as double), cast(`gap_points` as double), cast(`competitor_average_visibility` as double), cast(`own_average_visibility` as double), cast(`score_gap` as double), cast(`competitor_mention_count` as bigint), cast(`own_mention_count` as bigint), cast(`is_own_brand_ahead` as boolean), cast(`is_final` as boolean), cast(`changed_at` as timestamp_ntz), cast(`final_on` as date), _metadata.file_name
from read_files('s3://bucket/export/competitor_gap/', format => 'parquet')
where _metadata.file_name in (select file_name from answerlake.manifest where table_name = 'competitor_gap')
  and _metadata.file_name not in (select file_name from answerlake.competitor_gap);

delete from answerlake.competitor_heatmap_latest where file_name not in (select file_name from answerlake.manifest where table_name = 'competitor_heatmap_latest');
insert into answerlake.competitor_heatmap_latest (`project_id`, `project_name`, `window_start`, `window_end`, `competitor_name`, `competitor_domain`, `relation`, `is_own_brand`, `competitor_rank`, `model_id`, `model_name`, `is_deprecated_model`, `visibility_pct`, `own_visibility_pct`, `gap_points`, `changed_at`, `final_on`, file_name)
select cast(`project_id` as string), cast(`project_name` as string), cast(`window_start` as date), cast(`window_end` as date), cast(`competitor_name` as string), cast(`competitor_domain` as string), cast(`relation` as string), cast(`is_own_brand` as boolean), cast(`competitor_rank` as bigint), cast(`model_id` as string), cast(`model_name` as string), cast(`is_deprecated_model` as boolean), cast(`visibility_pct` as double), cast(`own_visibility_pct` as double), cast(`gap_points` as double), cast(`changed_at` as timestamp_ntz), cast(`final_on` as date), _metadata.file_name
from read_files('s3://bucket/export/competitor_heatmap_latest/', format => 'parquet')
where _metadata.file_name in (select file_name from answerlake.manifest where table_name = 'competitor_heatmap_latest')
  and _metadata.file_name not in (select file_name from answerlake.competitor_heatmap_latest);

delete from answerlake.competitor_heatmap_trend where file_name not in (select file_name from answerlake.manifest where table_name = 'competitor_heatmap_trend');
insert into answerlake.competitor_heatmap_trend (`project_id`, `project_name`, `window_start`, `window_end`, `days_in_window`, `competitor_name`, `competitor_domain`, `relation`, `is_own_brand`, `competitor_rank`, `model_id`, `model_name`, `is_deprecated_model`, `visibility_pct`, `own_visibility_pct`, `gap_points`, `previous_visibility_pct`, `change_points`, `changed_at`, `final_on`, file_name)
select cast(`project_id` as string), cast(`project_name` as string), cast(`window_start` as date), cast(`window_end` as date), cast(`days_in_window` as int), cast(`competitor_name` as string), cast(`competitor_domain` as string), cast(`relation` as string), cast(`is_own_brand` as boolean), cast(`competitor_rank` as bigint), cast(`model_id` as string), cast(`model_name` as string), cast(`is_deprecated_model` as boolean), cast(`visibility_pct` as double), cast(`own_visibility_pct` as double), cast(`gap_points` as double), cast(`previous_visibility_pct` as double), cast(`change_points` as double), cast(`changed_at` as timestamp_ntz), cast(`final_on` as date), _metadata.file_name
from read_files('s3://bucket/export/competitor_heatmap_trend/', format => 'parquet')
where _metadata.file_name in (select file_name from answerlake.manifest where table_name = 'competitor_heatmap_trend')
  and _metadata.file_name not in (select file_name from answerlake.competitor_heatmap_trend);

delete from answerlake.competitor_mention_trend where file_name not in (select file_name from answerlake.manifest where table_name = 'competitor_mention_trend');
insert into answerlake.competitor_mention_trend (`project_id`, `project_name`, `window_start`, `window_end`, `days_in_window`, `competitor`, `is_tracked`, `mention_count`, `mention_share_pct`, `previous_mention_count`, `previous_mention_share_pct`, `changed_at`, `final_on`, file_name)
select cast(`project_id` as string), cast(`project_name` as string), cast(`window_start` as date), cast(`window_end` as date), cast(`days_in_window` as int), cast(`competitor` as string), cast(`is_tracked` as boolean), cast(`mention_count` as bigint), cast(`mention_share_pct` as double), cast(`previous_mention_count` as bigint), cast(`previous_mention_share_pct` as double), cast(`changed_at` as timestamp_ntz), cast(`final_on` as date), _metadata.file_name
from read_files('s3://bucket/export/competitor_mention_trend/', format => 'parquet')
where _metadata.file_name in (select file_name from answerlake.manifest where table_name = 'competitor_mention_trend')
  and _metadata.file_name not in (select file_name from answerlake.competitor_mention_trend);

delete from answerlake.crawler_page_trend where file_name not in (select file_name from answerlake.manifest where table_name = 'crawler_page_trend');
insert into answerlake.crawler_page_trend (`project_id`, `project_name`, `window_start`, `window_end`, `days_in_window`, `request_path`, `crawler_requests_count`, `listed_share_pct`, `unique_crawlers_count`, `previous_crawler_requests_count`, `previous_days_in_window`, `crawler_requests_change`, `crawler_requests_per_day_change`, `changed_at`, `final_on`, file_name)
select cast(`project_id` as string), cast(`project_name` as string), cast(`window_start` as date), cast(`window_end` as date), cast(`days_in_window` as int), cast(`request_path` as string), cast(`crawler_requests_count` as bigint), cast(`listed_share_pct` as double), cast(`unique_crawlers_count` as bigint), cast(`previous_crawler_requests_count` as bigint), cast(`previous_days_in_window` as int), cast(`crawler_requests_change` as bigint), cast(`crawler_requests_per_day_change` as double), cast(`changed_at` as timestamp_ntz), cast(`final_on` as date), _metadata.file_name
from read_files('s3://bucket/export/crawler_page_trend/', format => 'parquet')
where _metadata.file_name in (select file_name from answerlake.manifest where table_name = 'crawler_page_trend')
  and _metadata.file_name not in (select file_name from answerlake.crawler_page_trend);

delete from answerlake.crawler_pages where file_name not in (select file_name from answerlake.manifest where table_name = 'crawler_pages');
insert into answerlake.crawler_pages (`project_id`, `project_name`, `window_start`, `window_end`, `request_path`, `crawler_requests_count`, `requests_rank`, `unique_crawlers_count`, `crawlers`, `changed_at`, `final_on`, file_name)
select cast(`project_id` as string), cast(`project_name` as string), cast(`window_start` as date), cast(`window_end` as date), cast(`request_path` as string), cast(`crawler_requests_count` as bigint), cast(`requests_rank` as bigint), cast(`unique_crawlers_count` as bigint), cast(`crawlers` as string), cast(`changed_at` as timestamp_ntz), cast(`final_on` as date), _metadata.file_name
from read_files('s3://bucket/export/crawler_pages/', format => 'parquet')
where _metadata.file_name in (select file_name from answerlake.manifest where table_name = 'crawler_pages')
  and _metadata.file_name not in (select file_name from answerlake.crawler_pages);

delete from answerlake.crawler_visitor_funnel where file_name not in (select file_name from answerlake.manifest where table_name = 'crawler_visitor_funnel');
insert into answerlake.crawler_visitor_funnel (`project_id`, `project_name`, `date`, `vendor`, `is_known_vendor`, `training_requests_count`, `search_requests_count`, `user_requests_count`, `other_requests_count`, `crawler_requests_count`, `ai_visits_count`, `is_final`, `changed_at`, `final_on`, file_name)
select cast(`project_id` as string), cast(`project_name` as string), cast(`date` as date), cast(`vendor` as string), cast(`is_known_vendor` as boolean), cast(`training_requests_count` as bigint), cast(`search_requests_count` as bigint), cast(`user_requests_count` as bigint), cast(`other_requests_count` as bigint), cast(`crawler_requests_count` as bigint), cast(`ai_visits_count` as bigint), cast(`is_final` as boolean), cast(`changed_at` as timestamp_ntz), cast(`final_on` as date), _metadata.file_name
from read_files('s3://bucket/export/crawler_visitor_funnel/', format => 'parquet')
where _metadata.file_name in (select file_name from answerlake.manifest where table_name = 'crawler_visitor_funnel')
  and _metadata.file_name not in (select file_name from answerlake.crawler_visitor_funnel);

delete from answerlake.daily_kpis where file_name not in (select file_name from answerlake.manifest where table_name = 'daily_kpis');
insert into answerlake.daily_kpis (`project_id`, `project_name`, `date`, `visibility`, `sentiment`, `share_of_voice_pct`, `organic_responses`, `organic_brand_mentions`, `positive_count`, `negative_count`, `neutral_count`, `unknown_count`, `known_count`, `net_sentiment_pct`, `net_sentiment_known_pct`, `citations_count`, `average_citation_rank`, `crawler_requests_count`, `ai_visits_count`, `actions_completed`, `prompts_created`, `prompts_deleted`, `event_titles`, `traffic_timezone`, `is_final`, `changed_at`, `final_on`, file_name)
select cast(`project_id` as string), cast(`project_name` as string), cast(`date` as date), cast(`visibility` as double), cast(`sentiment` as double), cast(`share_of_voice_pct` as double), cast(`organic_responses` as bigint), cast(`organic_brand_mentions` as bigint), cast(`positive_count` as bigint), cast(`negative_count` as bigint), cast(`neutral_count` as bigint), cast(`unknown_count` as bigint), cast(`known_count` as bigint), cast(`net_sentiment_pct` as double), cast(`net_sentiment_known_pct` as double), cast(`citations_count` as bigint), cast(`average_citation_rank` as double), cast(`crawler_requests_count` as bigint), cast(`ai_visits_count` as bigint), cast(`actions_completed` as bigint), cast(`prompts_created` as bigint), cast(`prompts_deleted` as bigint), cast(`event_titles` as string), cast(`traffic_timezone` as string), cast(`is_final` as boolean), cast(`changed_at` as timestamp_ntz), cast(`final_on` as date), _metadata.file_name
from read_files('s3://bucket/export/daily_kpis/', format => 'parquet')
where _metadata.file_name in (select file_name from answerlake.manifest where table_name = 'daily_kpis')
  and _metadata.file_name not in (select file_name from answerlake.daily_kpis);

delete from answerlake.deleted_rows where file_name not in (select file_name from answerlake.manifest where table_name = 'deleted_rows');
insert into answerlake.deleted_rows (`schema_name`, `view_name`, `key`, `project_id`, `date`, `deleted_at`, file_name)
select cast(`schema_name` as string), cast(`view_name` as string), cast(`key` as string), cast(`project_id` as string), cast(`date` as date), cast(`deleted_at` as timestamp_ntz), _metadata.file_name
from read_files('s3://bucket/export/deleted_rows/', format => 'parquet')
where _metadata.file_name in (select file_name from answerlake.manifest where table_name = 'deleted_rows')
  and _metadata.file_name not in (select file_name from answerlake.deleted_rows);

delete from answerlake.domain_citation_trend where file_name not in (select file_name from answerlake.manifest where table_name = 'domain_citation_trend');
insert into answerlake.domain_citation_trend (`project_id`, `project_name`, `date`, `domain`, `is_own_domain`, `citations_count`, `listed_citations_count`, `listed_citations_share_pct`, `own_citations_count`, `own_citations_share_pct`, `previous_date`, `previous_citations_count`, `citations_change`, `last_told_on`, `is_final`, `changed_at`, `final_on`, file_name)
select cast(`project_id` as string), cast(`project_name` as string), cast(`date` as date), cast(`domain` as string), cast(`is_own_domain` as boolean), cast(`citations_count` as bigint), cast(`listed_citations_count` as bigint), cast(`listed_citations_share_pct` as double), cast(`own_citations_count` as bigint), cast(`own_citations_share_pct` as double), cast(`previous_date` as date), cast(`previous_citations_count` as bigint), cast(`citations_change` as bigint), cast(`last_told_on` as date), cast(`is_final` as boolean), cast(`changed_at` as timestamp_ntz), cast(`final_on` as date), _metadata.file_name
from read_files('s3://bucket/export/domain_citation_trend/', format => 'parquet')
where _metadata.file_name in (select file_name from answerlake.manifest where table_name = 'domain_citation_trend')
  and _metadata.file_name not in (select file_name from answerlake.domain_citation_trend);

delete from answerlake.event_annotations where file_name not in (select file_name from answerlake.manifest where table_name = 'event_annotations');
insert into answerlake.event_annotations (`project_id`, `project_name`, `event_id`, `time`, `date`, `title`, `text`, `tags`, `type`, `action_id`, `action_type`, `monitor_id`, `monitor_name`, `prompt_count`, file_name)
select cast(`project_id` as string), cast(`project_name` as string), cast(`event_id` as string), cast(`time` as timestamp_ntz), cast(`date` as date), cast(`title` as string), cast(`text` as string), cast(`tags` as string), cast(`type` as string), cast(`action_id` as string), cast(`action_type` as string), cast(`monitor_id` as string), cast(`monitor_name` as string), cast(`prompt_count` as bigint), _metadata.file_name
from read_files('s3://bucket/export/event_annotations/', format => 'parquet')
where _metadata.file_name in (select file_name from answerlake.manifest where table_name = 'event_annotations')
  and _metadata.file_name not in (select file_name from answerlake.event_annotations);

delete from answerlake.kpi_changes where file_name not in (select file_name from answerlake.manifest where table_name = 'kpi_changes');
insert into answerlake.kpi_changes (`project_id`, `project_name`, `measure`, `window_days`, `last_date`, `value`, `previous_value`, `change`, `change_low`, `change_high`, `typical_change`, `is_clear`, `is_trend`, `setup_changes`, `days_with_value`, `previous_days_with_value`, file_name)
select cast(`project_id` as string), cast(`project_name` as string), cast(`measure` as string), cast(`window_days` as int), cast(`last_date` as date), cast(`value` as double), cast(`previous_value` as double), cast(`change` as double), cast(`change_low` as double), cast(`change_high` as double), cast(`typical_change` as double), cast(`is_clear` as boolean), cast(`is_trend` as boolean), cast(`setup_changes` as string), cast(`days_with_value` as bigint), cast(`previous_days_with_value` as bigint), _metadata.file_name
from read_files('s3://bucket/export/kpi_changes/', format => 'parquet')
where _metadata.file_name in (select file_name from answerlake.manifest where table_name = 'kpi_changes')
  and _metadata.file_name not in (select file_name from answerlake.kpi_changes);

delete from answerlake.landing_page_days where file_name not in (select file_name from answerlake.manifest where table_name = 'landing_page_days');
insert into answerlake.landing_page_days (`project_id`, `project_name`, `landing_page`, `date`, `source`, `ai_visits_count`, `is_final`, `changed_at`, `final_on`, file_name)
select cast(`project_id` as string), cast(`project_name` as string), cast(`landing_page` as string), cast(`date` as date), cast(`source` as string), cast(`ai_visits_count` as bigint), cast(`is_final` as boolean), cast(`changed_at` as timestamp_ntz), cast(`final_on` as date), _metadata.file_name
from read_files('s3://bucket/export/landing_page_days/', format => 'parquet')
where _metadata.file_name in (select file_name from answerlake.manifest where table_name = 'landing_page_days')
  and _metadata.file_name not in (select file_name from answerlake.landing_page_days);

delete from answerlake.model_kpis where file_name not in (select file_name from answerlake.manifest where table_name = 'model_kpis');
insert into answerlake.model_kpis (`project_id`, `project_name`, `model_id`, `model_name`, `is_deprecated_model`, `date`, `visibility`, `sentiment`, `share_of_voice_pct`, `organic_responses`, `organic_brand_mentions`, `is_final`, `changed_at`, `final_on`, file_name)
select cast(`project_id` as string), cast(`project_name` as string), cast(`model_id` as string), cast(`model_name` as string), cast(`is_deprecated_model` as boolean), cast(`date` as date), cast(`visibility` as double), cast(`sentiment` as double), cast(`share_of_voice_pct` as double), cast(`organic_responses` as bigint), cast(`organic_brand_mentions` as bigint), cast(`is_final` as boolean), cast(`changed_at` as timestamp_ntz), cast(`final_on` as date), _metadata.file_name
from read_files('s3://bucket/export/model_kpis/', format => 'parquet')
where _metadata.file_name in (select file_name from answerlake.manifest where table_name = 'model_kpis')
  and _metadata.file_name not in (select file_name from answerlake.model_kpis);

delete from answerlake.model_sources where file_name not in (select file_name from answerlake.manifest where table_name = 'model_sources');
insert into answerlake.model_sources (`project_id`, `project_name`, `window_start`, `window_end`, `days_in_window`, `model_id`, `model_name`, `provider_name`, `is_known_model`, `is_deprecated_model`, `citations_count`, `citations_share_pct`, `unique_domains_count`, `unique_prompts_count`, `changed_at`, `final_on`, file_name)
select cast(`project_id` as string), cast(`project_name` as string), cast(`window_start` as date), cast(`window_end` as date), cast(`days_in_window` as int), cast(`model_id` as string), cast(`model_name` as string), cast(`provider_name` as string), cast(`is_known_model` as boolean), cast(`is_deprecated_model` as boolean), cast(`citations_count` as bigint), cast(`citations_share_pct` as double), cast(`unique_domains_count` as bigint), cast(`unique_prompts_count` as bigint), cast(`changed_at` as timestamp_ntz), cast(`final_on` as date), _metadata.file_name
from read_files('s3://bucket/export/model_sources/', format => 'parquet')
where _metadata.file_name in (select file_name from answerlake.manifest where table_name = 'model_sources')
  and _metadata.file_name not in (select file_name from answerlake.model_sources);

delete from answerlake.models where file_name not in (select file_name from answerlake.manifest where table_name = 'models');
insert into answerlake.models (`model_id`, `model_name`, `provider_id`, `provider_name`, `provider_model_name`, `api_identifier`, `description`, `is_search_enabled`, `is_live_search`, `is_known_model`, `is_deprecated_model`, file_name)
select cast(`model_id` as string), cast(`model_name` as string), cast(`provider_id` as string), cast(`provider_name` as string), cast(`provider_model_name` as string), cast(`api_identifier` as string), cast(`description` as string), cast(`is_search_enabled` as boolean), cast(`is_live_search` as boolean), cast(`is_known_model` as boolean), cast(`is_deprecated_model` as boolean), _metadata.file_name
from read_files('s3://bucket/export/models/', format => 'parquet')
where _metadata.file_name in (select file_name from answerlake.manifest where table_name = 'models')
  and _metadata.file_name not in (select file_name from answerlake.models);

delete from answerlake.monitor_kpis where file_name not in (select file_name from answerlake.manifest where table_name = 'monitor_kpis');
insert into answerlake.monitor_kpis (`project_id`, `project_name`, `monitor_id`, `monitor_name`, `date`, `visibility`, `sentiment`, `share_of_voice_pct`, `organic_responses`, `organic_brand_mentions`, `is_final`, `changed_at`, `final_on`, file_name)
select cast(`project_id` as string), cast(`project_name` as string), cast(`monitor_id` as string), cast(`monitor_name` as string), cast(`date` as date), cast(`visibility` as double), cast(`sentiment` as double), cast(`share_of_voice_pct` as double), cast(`organic_responses` as bigint), cast(`organic_brand_mentions` as bigint), cast(`is_final` as boolean), cast(`changed_at` as timestamp_ntz), cast(`final_on` as date), _metadata.file_name
from read_files('s3://bucket/export/monitor_kpis/', format => 'parquet')
where _metadata.file_name in (select file_name from answerlake.manifest where table_name = 'monitor_kpis')
  and _metadata.file_name not in (select file_name from answerlake.monitor_kpis);

delete from answerlake.monitors where file_name not in (select file_name from answerlake.manifest where table_name = 'monitors');
insert into answerlake.monitors (`project_id`, `project_name`, `monitor_id`, `monitor_name`, `prompts_count`, `active_prompts_count`, file_name)
select cast(`project_id` as string), cast(`project_name` as string), cast(`monitor_id` as string), cast(`monitor_name` as string), cast(`prompts_count` as bigint), cast(`active_prompts_count` as bigint), _metadata.file_name
from read_files('s3://bucket/export/monitors/', format => 'parquet')
where _metadata.file_name in (select file_name from answerlake.manifest where table_name = 'monitors')
  and _metadata.file_name not in (select file_name from answerlake.monitors);

delete from answerlake.portfolio_changes where file_name not in (select file_name from answerlake.manifest where table_name = 'portfolio_changes');
insert into answerlake.portfolio_changes (`organization_id`, `organization_name`, `level`, `model_id`, `model_name`, `measure`, `window_days`, `projects_count`, `up_count`, `down_count`, `median_change`, `change_low`, `change_high`, `is_portfolio_wide`, file_name)
select cast(`organization_id` as string), cast(`organization_name` as string), cast(`level` as string), cast(`model_id` as string), cast(`model_name` as string), cast(`measure` as string), cast(`window_days` as int), cast(`projects_count` as bigint), cast(`up_count` as bigint), cast(`down_count` as bigint), cast(`median_change` as double), cast(`change_low` as double), cast(`change_high` as double), cast(`is_portfolio_wide` as boolean), _metadata.file_name
from read_files('s3://bucket/export/portfolio_changes/', format => 'parquet')
where _metadata.file_name in (select file_name from answerlake.manifest where table_name = 'portfolio_changes')
  and _metadata.file_name not in (select file_name from answerlake.portfolio_changes);

delete from answerlake.projects where file_name not in (select file_name from answerlake.manifest where table_name = 'projects');
insert into answerlake.projects (`project_id`, `project_name`, `slug`, `organization_id`, `organization_name`, `first_date`, `last_date`, `last_whole_date`, file_name)
select cast(`project_id` as string), cast(`project_name` as string), cast(`slug` as string), cast(`organization_id` as string), cast(`organization_name` as string), cast(`first_date` as date), cast(`last_date` as date), cast(`last_whole_date` as date), _metadata.file_name
from read_files('s3://bucket/export/projects/', format => 'parquet')
where _metadata.file_name in (select file_name from answerlake.manifest where table_name = 'projects')
  and _metadata.file_name not in (select file_name from answerlake.projects);

delete from answerlake.prompt_catalog where file_name not in (select file_name from answerlake.manifest where table_name = 'prompt_catalog');
insert into answerlake.prompt_catalog (`project_id`, `project_name`, `prompt_id`, `prompt`, `prompt_type`, `intent`, `language_code`, `is_active`, `monitor_id`, `monitor_name`, `responses_count`, `search_volume`, `average_visibility`, `difficulty`, `created_at`, `updated_at`, `first_seen_on`, `last_seen_on`, file_name)
select cast(`project_id` as string), cast(`project_name` as string), cast(`prompt_id` as string), cast(`prompt` as string), cast(`prompt_type` as string), cast(`intent` as string), cast(`language_code` as string), cast(`is_active` as boolean), cast(`monitor_id` as string), cast(`monitor_name` as string), cast(`responses_count` as bigint), cast(`search_volume` as double), cast(`average_visibility` as double), cast(`difficulty` as double), cast(`created_at` as timestamp_ntz), cast(`updated_at` as timestamp_ntz), cast(`first_seen_on` as date), cast(`last_seen_on` as date), _metadata.file_name
from read_files('s3://bucket/export/prompt_catalog/', format => 'parquet')
where _metadata.file_name in (select file_name from answerlake.manifest where table_name = 'prompt_catalog')
  and _metadata.file_name not in (select file_name from answerlake.prompt_catalog);

delete from answerlake.prompt_days where file_name not in (select file_name from answerlake.manifest where table_name = 'prompt_days');
insert into answerlake.prompt_days (`project_id`, `project_name`, `prompt_id`, `prompt`, `prompt_type`, `monitor_id`, `monitor_name`, `date`, `visibility`, `sentiment`, `organic_responses`, `organic_brand_mentions`, `share_of_voice_pct`, `is_final`, `changed_at`, `final_on`, file_name)
select cast(`project_id` as string), cast(`project_name` as string), cast(`prompt_id` as string), cast(`prompt` as string), cast(`prompt_type` as string), cast(`monitor_id` as string), cast(`monitor_name` as string), cast(`date` as date), cast(`visibility` as double), cast(`sentiment` as double), cast(`organic_responses` as bigint), cast(`organic_brand_mentions` as bigint), cast(`share_of_voice_pct` as double), cast(`is_final` as boolean), cast(`changed_at` as timestamp_ntz), cast(`final_on` as date), _metadata.file_name
from read_files('s3://bucket/export/prompt_days/', format => 'parquet')
where _metadata.file_name in (select file_name from answerlake.manifest where table_name = 'prompt_days')
  and _metadata.file_name not in (select file_name from answerlake.prompt_days);

delete from answerlake.prompt_moves where file_name not in (select file_name from answerlake.manifest where table_name = 'prompt_moves');
insert into answerlake.prompt_moves (`project_id`, `project_name`, `window_days`, `prompt_id`, `prompt`, `prompt_type`, `monitor_id`, `monitor_name`, `before_from`, `before_to`, `after_from`, `after_to`, `responses_before`, `responses_after`, `visibility_before`, `visibility_after`, `change`, `contribution`, `rounding_error`, file_name)
select cast(`project_id` as string), cast(`project_name` as string), cast(`window_days` as int), cast(`prompt_id` as string), cast(`prompt` as string), cast(`prompt_type` as string), cast(`monitor_id` as string), cast(`monitor_name` as string), cast(`before_from` as date), cast(`before_to` as date), cast(`after_from` as date), cast(`after_to` as date), cast(`responses_before` as bigint), cast(`responses_after` as bigint), cast(`visibility_before` as double), cast(`visibility_after` as double), cast(`change` as double), cast(`contribution` as double), cast(`rounding_error` as double), _metadata.file_name
from read_files('s3://bucket/export/prompt_moves/', format => 'parquet')
where _metadata.file_name in (select file_name from answerlake.manifest where table_name = 'prompt_moves')
  and _metadata.file_name not in (select file_name from answerlake.prompt_moves);

delete from answerlake.prompt_trend where file_name not in (select file_name from answerlake.manifest where table_name = 'prompt_trend');
insert into answerlake.prompt_trend (`project_id`, `project_name`, `prompt_id`, `prompt`, `prompt_type`, `monitor_id`, `monitor_name`, `date`, `is_active`, `average_visibility`, `responses_count`, `search_volume`, `difficulty`, `previous_date`, `previous_average_visibility`, `average_visibility_change`, `new_responses_count`, `changed_at`, `final_on`, file_name)
select cast(`project_id` as string), cast(`project_name` as string), cast(`prompt_id` as string), cast(`prompt` as string), cast(`prompt_type` as string), cast(`monitor_id` as string), cast(`monitor_name` as string), cast(`date` as date), cast(`is_active` as boolean), cast(`average_visibility` as double), cast(`responses_count` as bigint), cast(`search_volume` as double), cast(`difficulty` as double), cast(`previous_date` as date), cast(`previous_average_visibility` as double), cast(`average_visibility_change` as double), cast(`new_responses_count` as bigint), cast(`changed_at` as timestamp_ntz), cast(`final_on` as date), _metadata.file_name
from read_files('s3://bucket/export/prompt_trend/', format => 'parquet')
where _metadata.file_name in (select file_name from answerlake.manifest where table_name = 'prompt_trend')
  and _metadata.file_name not in (select file_name from answerlake.prompt_trend);

delete from answerlake.restated_values where file_name not in (select file_name from answerlake.manifest where table_name = 'restated_values');
insert into answerlake.restated_values (`project_id`, `project_name`, `table_name`, `column_name`, `change`, `date`, `row_key`, `old_value`, `new_value`, `old_number`, `new_number`, `change_number`, `was_final`, `run_id`, `changed_at`, file_name)
select cast(`project_id` as string), cast(`project_name` as string), cast(`table_name` as string), cast(`column_name` as string), cast(`change` as string), cast(`date` as date), cast(`row_key` as string), cast(`old_value` as string), cast(`new_value` as string), cast(`old_number` as double), cast(`new_number` as double), cast(`change_number` as double), cast(`was_final` as boolean), cast(`run_id` as string), cast(`changed_at` as timestamp_ntz), _metadata.file_name
from read_files('s3://bucket/export/restated_values/', format => 'parquet')
where _metadata.file_name in (select file_name from answerlake.manifest where table_name = 'restated_values')
  and _metadata.file_name not in (select file_name from answerlake.restated_values);

delete from answerlake.sentiment_split where file_name not in (select file_name from answerlake.manifest where table_name = 'sentiment_split');
insert into answerlake.sentiment_split (`project_id`, `project_name`, `date`, `positive_count`, `negative_count`, `neutral_count`, `unknown_count`, `known_count`, `total_count`, `positive_pct`, `negative_pct`, `neutral_pct`, `unknown_pct`, `positive_pct_low`, `positive_pct_high`, `negative_pct_low`, `negative_pct_high`, `neutral_pct_low`, `neutral_pct_high`, `net_sentiment_pct`, `net_sentiment_pct_low`, `net_sentiment_pct_high`, `net_sentiment_known_pct`, `net_sentiment_known_pct_low`, `net_sentiment_known_pct_high`, `is_final`, `changed_at`, `final_on`, file_name)
select cast(`project_id` as string), cast(`project_name` as string), cast(`date` as date), cast(`positive_count` as bigint), cast(`negative_count` as bigint), cast(`neutral_count` as bigint), cast(`unknown_count` as bigint), cast(`known_count` as bigint), cast(`total_count` as bigint), cast(`positive_pct` as double), cast(`negative_pct` as double), cast(`neutral_pct` as double), cast(`unknown_pct` as double), cast(`positive_pct_low` as double), cast(`positive_pct_high` as double), cast(`negative_pct_low` as double), cast(`negative_pct_high` as double), cast(`neutral_pct_low` as double), cast(`neutral_pct_high` as double), cast(`net_sentiment_pct` as double), cast(`net_sentiment_pct_low` as double), cast(`net_sentiment_pct_high` as double), cast(`net_sentiment_known_pct` as double), cast(`net_sentiment_known_pct_low` as double), cast(`net_sentiment_known_pct_high` as double), cast(`is_final` as boolean), cast(`changed_at` as timestamp_ntz), cast(`final_on` as date), _metadata.file_name
from read_files('s3://bucket/export/sentiment_split/', format => 'parquet')
where _metadata.file_name in (select file_name from answerlake.manifest where table_name = 'sentiment_split')
  and _metadata.file_name not in (select file_name from answerlake.sentiment_split);

delete from answerlake.sentiment_with_events where file_name not in (select file_name from answerlake.manifest where table_name = 'sentiment_with_events');
insert into answerlake.sentiment_with_events (`project_id`, `project_name`, `date`, `sentiment`, `sentiment_7_day_mean`, `sentiment_previous_7_day_mean`, `sentiment_7_day_change`, `events_count`, `actions_completed`, `prompts_created`, `prompts_deleted`, `event_titles`, `event_types`, `is_final`, `changed_at`, `final_on`, file_name)
select cast(`project_id` as string), cast(`project_name` as string), cast(`date` as date), cast(`sentiment` as double), cast(`sentiment_7_day_mean` as double), cast(`sentiment_previous_7_day_mean` as double), cast(`sentiment_7_day_change` as double), cast(`events_count` as bigint), cast(`actions_completed` as bigint), cast(`prompts_created` as bigint), cast(`prompts_deleted` as bigint), cast(`event_titles` as string), cast(`event_types` as string), cast(`is_final` as boolean), cast(`changed_at` as timestamp_ntz), cast(`final_on` as date), _metadata.file_name
from read_files('s3://bucket/export/sentiment_with_events/', format => 'parquet')
where _metadata.file_name in (select file_name from answerlake.manifest where table_name = 'sentiment_with_events')
  and _metadata.file_name not in (select file_name from answerlake.sentiment_with_events);

delete from answerlake.setup_changes where file_name not in (select file_name from answerlake.manifest where table_name = 'setup_changes');
insert into answerlake.setup_changes (`project_id`, `project_name`, `date`, `what`, `names`, `count`, `share_of_answers`, `judged_by`, `title`, `moves_figures`, file_name)
select cast(`project_id` as string), cast(`project_name` as string), cast(`date` as date), cast(`what` as string), cast(`names` as string), cast(`count` as bigint), cast(`share_of_answers` as double), cast(`judged_by` as string), cast(`title` as string), cast(`moves_figures` as boolean), _metadata.file_name
from read_files('s3://bucket/export/setup_changes/', format => 'parquet')
where _metadata.file_name in (select file_name from answerlake.manifest where table_name = 'setup_changes')
  and _metadata.file_name not in (select file_name from answerlake.setup_changes);

delete from answerlake.share_of_voice_trend where file_name not in (select file_name from answerlake.manifest where table_name = 'share_of_voice_trend');
insert into answerlake.share_of_voice_trend (`project_id`, `project_name`, `date`, `organic_responses`, `organic_brand_mentions`, `share_of_voice_pct`, `share_of_voice_pct_low`, `share_of_voice_pct_high`, `previous_date`, `previous_share_of_voice_pct`, `change_points`, `reported_previous_share_of_voice_pct`, `reported_change_points`, `is_final`, `changed_at`, `final_on`, file_name)
select cast(`project_id` as string), cast(`project_name` as string), cast(`date` as date), cast(`organic_responses` as bigint), cast(`organic_brand_mentions` as bigint), cast(`share_of_voice_pct` as double), cast(`share_of_voice_pct_low` as double), cast(`share_of_voice_pct_high` as double), cast(`previous_date` as date), cast(`previous_share_of_voice_pct` as double), cast(`change_points` as double), cast(`reported_previous_share_of_voice_pct` as double), cast(`reported_change_points` as double), cast(`is_final` as boolean), cast(`changed_at` as timestamp_ntz), cast(`final_on` as date), _metadata.file_name
from read_files('s3://bucket/export/share_of_voice_trend/', format => 'parquet')
where _metadata.file_name in (select file_name from answerlake.manifest where table_name = 'share_of_voice_trend')
  and _metadata.file_name not in (select file_name from answerlake.share_of_voice_trend);

delete from answerlake.sync_coverage where file_name not in (select file_name from answerlake.manifest where table_name = 'sync_coverage');
insert into answerlake.sync_coverage (`project_id`, `project_name`, `endpoint`, `date`, `series_expected_count`, `series_covered_count`, `series_settled_count`, `is_covered`, `is_settled`, `status`, `known_reason`, `known_first_on`, `asked_on`, file_name)
select cast(`project_id` as string), cast(`project_name` as string), cast(`endpoint` as string), cast(`date` as date), cast(`series_expected_count` as bigint), cast(`series_covered_count` as bigint), cast(`series_settled_count` as bigint), cast(`is_covered` as boolean), cast(`is_settled` as boolean), cast(`status` as string), cast(`known_reason` as string), cast(`known_first_on` as date), cast(`asked_on` as date), _metadata.file_name
from read_files('s3://bucket/export/sync_coverage/', format => 'parquet')
where _metadata.file_name in (select file_name from answerlake.manifest where table_name = 'sync_coverage')
  and _metadata.file_name not in (select file_name from answerlake.sync_coverage);

delete from answerlake.sync_freshness where file_name not in (select file_name from answerlake.manifest where table_name = 'sync_freshness');
insert into answerlake.sync_freshness (`project_id`, `project_name`, `endpoint`, `status`, `last_asked_at`, `last_success_at`, `last_covered_date`, `lag_days`, `age_hours`, `max_age_hours`, `is_stale`, `slices_done_count`, `slices_failed_count`, `slices_suspicious_count`, `last_error`, file_name)
select cast(`project_id` as string), cast(`project_name` as string), cast(`endpoint` as string), cast(`status` as string), cast(`last_asked_at` as timestamp_ntz), cast(`last_success_at` as timestamp_ntz), cast(`last_covered_date` as date), cast(`lag_days` as bigint), cast(`age_hours` as double), cast(`max_age_hours` as double), cast(`is_stale` as boolean), cast(`slices_done_count` as bigint), cast(`slices_failed_count` as bigint), cast(`slices_suspicious_count` as bigint), cast(`last_error` as string), _metadata.file_name
from read_files('s3://bucket/export/sync_freshness/', format => 'parquet')
where _metadata.file_name in (select file_name from answerlake.manifest where table_name = 'sync_freshness')
  and _metadata.file_name not in (select file_name from answerlake.sync_freshness);

delete from answerlake.sync_gaps where file_name not in (select file_name from answerlake.manifest where table_name = 'sync_gaps');
insert into answerlake.sync_gaps (`project_id`, `project_name`, `endpoint`, `date`, `status`, `last_status`, `known_reason`, `known_first_on`, file_name)
select cast(`project_id` as string), cast(`project_name` as string), cast(`endpoint` as string), cast(`date` as date), cast(`status` as string), cast(`last_status` as string), cast(`known_reason` as string), cast(`known_first_on` as date), _metadata.file_name
from read_files('s3://bucket/export/sync_gaps/', format => 'parquet')
where _metadata.file_name in (select file_name from answerlake.manifest where table_name = 'sync_gaps')
  and _metadata.file_name not in (select file_name from answerlake.sync_gaps);

delete from answerlake.sync_settings where file_name not in (select file_name from answerlake.manifest where table_name = 'sync_settings');
insert into answerlake.sync_settings (`sync_day`, `clock_day`, `start_date`, `lookback_days`, `timezone`, `base_url`, `timezone_lag_days`, file_name)
select cast(`sync_day` as date), cast(`clock_day` as date), cast(`start_date` as date), cast(`lookback_days` as int), cast(`timezone` as string), cast(`base_url` as string), cast(`timezone_lag_days` as int), _metadata.file_name
from read_files('s3://bucket/export/sync_settings/', format => 'parquet')
where _metadata.file_name in (select file_name from answerlake.manifest where table_name = 'sync_settings')
  and _metadata.file_name not in (select file_name from answerlake.sync_settings);

delete from answerlake.targets where file_name not in (select file_name from answerlake.manifest where table_name = 'targets');
insert into answerlake.targets (`project_id`, `project_name`, `measure`, `goal`, `due_date`, `last_date`, `value`, `distance`, `projected_value`, `projected_low`, `projected_high`, `is_reached`, `is_on_course`, `is_sure`, file_name)
select cast(`project_id` as string), cast(`project_name` as string), cast(`measure` as string), cast(`goal` as double), cast(`due_date` as date), cast(`last_date` as date), cast(`value` as double), cast(`distance` as double), cast(`projected_value` as double), cast(`projected_low` as double), cast(`projected_high` as double), cast(`is_reached` as boolean), cast(`is_on_course` as boolean), cast(`is_sure` as boolean), _metadata.file_name
from read_files('s3://bucket/export/targets/', format => 'parquet')
where _metadata.file_name in (select file_name from answerlake.manifest where table_name = 'targets')
  and _metadata.file_name not in (select file_name from answerlake.targets);

delete from answerlake.turning_points where file_name not in (select file_name from answerlake.manifest where table_name = 'turning_points');
insert into answerlake.turning_points (`project_id`, `project_name`, `measure`, `date`, `value_before`, `value_after`, `change`, `typical_change`, `drift`, `candidates_count`, `candidate_ids`, `candidate_titles`, `is_final`, file_name)
select cast(`project_id` as string), cast(`project_name` as string), cast(`measure` as string), cast(`date` as date), cast(`value_before` as double), cast(`value_after` as double), cast(`change` as double), cast(`typical_change` as double), cast(`drift` as double), cast(`candidates_count` as bigint), cast(`candidate_ids` as string), cast(`candidate_titles` as string), cast(`is_final` as boolean), _metadata.file_name
from read_files('s3://bucket/export/turning_points/', format => 'parquet')
where _metadata.file_name in (select file_name from answerlake.manifest where table_name = 'turning_points')
  and _metadata.file_name not in (select file_name from answerlake.turning_points);

delete from answerlake.visibility_with_events where file_name not in (select file_name from answerlake.manifest where table_name = 'visibility_with_events');
insert into answerlake.visibility_with_events (`project_id`, `project_name`, `date`, `visibility`, `visibility_7_day_mean`, `visibility_previous_7_day_mean`, `visibility_7_day_change`, `events_count`, `actions_completed`, `prompts_created`, `prompts_deleted`, `event_titles`, `event_types`, `is_final`, `changed_at`, `final_on`, file_name)
select cast(`project_id` as string), cast(`project_name` as string), cast(`date` as date), cast(`visibility` as double), cast(`visibility_7_day_mean` as double), cast(`visibility_previous_7_day_mean` as double), cast(`visibility_7_day_change` as double), cast(`events_count` as bigint), cast(`actions_completed` as bigint), cast(`prompts_created` as bigint), cast(`prompts_deleted` as bigint), cast(`event_titles` as string), cast(`event_types` as string), cast(`is_final` as boolean), cast(`changed_at` as timestamp_ntz), cast(`final_on` as date), _metadata.file_name
from read_files('s3://bucket/export/visibility_with_events/', format => 'parquet')
where _metadata.file_name in (select file_name from answerlake.manifest where table_name = 'visibility_with_events')
  and _metadata.file_name not in (select file_name from answerlake.visibility_with_events);

delete from answerlake.why_visibility_moved where file_name not in (select file_name from answerlake.manifest where table_name = 'why_visibility_moved');
insert into answerlake.why_visibility_moved (`project_id`, `project_name`, `window_days`, `before_from`, `before_to`, `after_from`, `after_to`, `visibility_before`, `visibility_after`, `before_as_reported`, `change`, `part`, `points`, `typical_change`, `judged_by`, `not_told`, file_name)
select cast(`project_id` as string), cast(`project_name` as string), cast(`window_days` as int), cast(`before_from` as date), cast(`before_to` as date), cast(`after_from` as date), cast(`after_to` as date), cast(`visibility_before` as double), cast(`visibility_after` as double), cast(`before_as_reported` as double), cast(`change` as double), cast(`part` as string), cast(`points` as double), cast(`typical_change` as double), cast(`judged_by` as string), cast(`not_told` as string), _metadata.file_name
from read_files('s3://bucket/export/why_visibility_moved/', format => 'parquet')
where _metadata.file_name in (select file_name from answerlake.manifest where table_name = 'why_visibility_moved')
  and _metadata.file_name not in (select file_name from answerlake.why_visibility_moved);

delete from answerlake.window_summary where file_name not in (select file_name from answerlake.manifest where table_name = 'window_summary');
insert into answerlake.window_summary (`project_id`, `project_name`, `window_start`, `window_end`, `days_in_window`, `all_responses`, `all_brand_mentions`, `brand_mention_rate`, `positive_count`, `negative_count`, `neutral_count`, `unknown_count`, `current_share_of_voice_pct`, `previous_share_of_voice_pct`, `changed_at`, `final_on`, file_name)
select cast(`project_id` as string), cast(`project_name` as string), cast(`window_start` as date), cast(`window_end` as date), cast(`days_in_window` as int), cast(`all_responses` as bigint), cast(`all_brand_mentions` as bigint), cast(`brand_mention_rate` as double), cast(`positive_count` as bigint), cast(`negative_count` as bigint), cast(`neutral_count` as bigint), cast(`unknown_count` as bigint), cast(`current_share_of_voice_pct` as double), cast(`previous_share_of_voice_pct` as double), cast(`changed_at` as timestamp_ntz), cast(`final_on` as date), _metadata.file_name
from read_files('s3://bucket/export/window_summary/', format => 'parquet')
where _metadata.file_name in (select file_name from answerlake.manifest where table_name = 'window_summary')
  and _metadata.file_name not in (select file_name from answerlake.window_summary);

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
