-- Question: Which AI models name competitors and never us?
-- Grain: one row per project and model, newest whole month
-- Key: project_id, model_id
-- Columns: project_id, project_name, model_id, model_name, is_deprecated_model, window_start,
--   window_end, own_visibility_pct, competitors_named_count, strongest_competitor, strongest_visibility_pct
-- Caveat: own_visibility_pct 0 means asked and never named; NULL means that the answer has no figure for your own brand.
--   Ignored brands are left out.
select
  project_id,
  project_name,
  model_id,
  max(model_name) as model_name,
  bool_or(is_deprecated_model) as is_deprecated_model,
  window_start,
  window_end,
  max(own_visibility_pct) as own_visibility_pct,
  count(*) filter (where not is_own_brand and visibility_pct > 0) as competitors_named_count,
  max_by(competitor_name, visibility_pct) filter (where not is_own_brand and visibility_pct > 0) as strongest_competitor,
  max(visibility_pct) filter (where not is_own_brand) as strongest_visibility_pct
from main.competitor_heatmap_latest
where coalesce(relation, 'OTHER') <> 'IGNORED'
group by project_id, project_name, model_id, window_start, window_end
having coalesce(max(own_visibility_pct), 0) = 0
  and count(*) filter (where not is_own_brand and visibility_pct > 0) > 0
order by project_name, strongest_visibility_pct desc, model_id;
