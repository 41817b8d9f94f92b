-- Question: Which AI models mention us most and least, last 28 final days?
-- Grain: one row per project and model
-- Key: project_id, model_id
-- Columns: project_id, project_name, model_id, model_name, is_deprecated_model, days_with_data, responses, mentions,
--   share_of_voice_pct
-- Caveat: computed from counts. A model that was not asked on every day has fewer days_with_data. model_name is NULL for
--   a model that the model list does not know.
select
  v.project_id,
  v.project_name,
  v.scope_id as model_id,
  m.label as model_name,
  coalesce(m.deprecated, false) as is_deprecated_model,
  count(v.total_responses) as days_with_data,
  cast(sum(v.total_responses) as bigint) as responses,
  cast(sum(v.brand_mentions) as bigint) as mentions,
  100.0 * sum(v.brand_mentions)
    / nullif(sum(v.total_responses) filter (where v.brand_mentions is not null), 0) as share_of_voice_pct
from main.share_of_voice_trend v
cross join detail.sync_settings s
left join core.models m on m.model_id = v.scope_id
where v.scope = 'model'
  and v.grain = 'day'
  and v.date > s.sync_day - s.lookback_days - 28
  and v.date <= s.sync_day - s.lookback_days
group by v.project_id, v.project_name, v.scope_id, m.label, m.deprecated
order by v.project_name, share_of_voice_pct desc nulls last, model_id;
