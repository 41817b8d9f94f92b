-- Question: Which AI models mention us most and least, last 28 final days?
-- Words: ChatGPT against Gemini, which model is better or best, answers by model
-- Grain: one row per project and model
-- Key: project_id, model_id
-- Columns: project_id, project_name, model_id, model_name, is_deprecated_model, days_with_data, responses, mentions,
--   share_of_voice_pct
-- Caveat: computed from counts. A model that was not asked on every day has fewer days_with_data. model_name is NULL for
--   a model that the model list does not know; (other)
--   holds what the project has and the listed models lack.
select
  v.project_id,
  v.project_name,
  v.model_id,
  v.model_name,
  v.is_deprecated_model,
  count(v.organic_responses) as days_with_data,
  cast(sum(v.organic_responses) as bigint) as responses,
  cast(sum(v.organic_brand_mentions) as bigint) as mentions,
  100.0 * sum(v.organic_brand_mentions)
    / nullif(sum(v.organic_responses) filter (where v.organic_brand_mentions is not null), 0) as share_of_voice_pct
from main.model_kpis v
cross join main.sync_settings s
where v.date > s.sync_day - s.lookback_days - 28
  and v.date <= s.sync_day - s.lookback_days
group by v.project_id, v.project_name, v.model_id, v.model_name, v.is_deprecated_model
order by v.project_name, share_of_voice_pct desc nulls last, model_id;
