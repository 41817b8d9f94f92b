-- One row per brand and model of project $1 in the newest window, own brand first, then in the order of the answer.
select
  window_start,
  window_end,
  competitor_name,
  competitor_domain,
  coalesce(is_own_brand, false) as is_own_brand,
  model_id,
  model_name,
  coalesce(is_deprecated_model, false) as is_deprecated_model,
  visibility_pct
from main.competitor_heatmap_latest
where project_id = $1 and relation is distinct from 'IGNORED'
order by coalesce(is_own_brand, false) desc, competitor_rank, competitor_name, competitor_domain, model_id;
