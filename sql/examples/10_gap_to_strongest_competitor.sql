-- Question: How far is the strongest competitor ahead of us, or behind, in each model?
-- Words: which competitor is ahead, leader, winning, behind
-- Grain: one row per project and model, newest whole month
-- Key: project_id, model_id
-- Columns: project_id, project_name, model_id, model_name, is_deprecated_model, window_start, window_end,
--   strongest_competitor, strongest_competitor_domain, strongest_visibility_pct, own_visibility_pct, gap_points
-- Caveat: gap_points is NULL where your own brand has no figure. Two competitors may bear the same name: the domain tells
--   them apart. Ignored brands are left out.
select
  project_id,
  project_name,
  model_id,
  model_name,
  is_deprecated_model,
  window_start,
  window_end,
  competitor_name as strongest_competitor,
  competitor_domain as strongest_competitor_domain,
  visibility_pct as strongest_visibility_pct,
  own_visibility_pct,
  gap_points
from main.competitor_heatmap_latest
where not is_own_brand and visibility_pct is not null and coalesce(relation, 'OTHER') <> 'IGNORED'
qualify row_number() over (
  partition by project_id, model_id order by visibility_pct desc, competitor_name, competitor_domain
) = 1
order by project_name, gap_points nulls first, model_id;
