-- One row per brand and model in the newest window, own brand first, then in the order of the answer.
select
  project_id, window_start, window_end, competitor_name, coalesce(is_own_brand, false) as is_own_brand, coalesce(model_name, model_id) as model_name, visibility_pct
from main.competitor_heatmap_latest
where scope = 'project' and relation is distinct from 'IGNORED' and {{project}}
order by project_id, coalesce(is_own_brand, false) desc, competitor_rank, competitor_name, competitor_domain, model_id;
