-- Question: In which models do competitors gain on us, month by month?
-- Grain: one row per project, whole month, competitor and model
-- Key: project_id, month_start, competitor_name, competitor_domain, model_id
-- Columns: project_id, project_name, month_start, competitor_name, competitor_domain, model_id, model_name,
--   visibility_pct, previous_visibility_pct, change_points, own_visibility_pct, gap_points
-- Caveat: shares of the responses of one model, whole months alone. A month of few responses varies by chance. Ignored
--   brands are left out.
select
  project_id,
  project_name,
  window_start as month_start,
  competitor_name,
  competitor_domain,
  model_id,
  model_name,
  visibility_pct,
  previous_visibility_pct,
  change_points,
  own_visibility_pct,
  gap_points
from main.competitor_heatmap_trend
where not is_own_brand and coalesce(relation, 'OTHER') <> 'IGNORED'
order by project_name, month_start desc, change_points desc nulls last, competitor_name, competitor_domain, model_id;
