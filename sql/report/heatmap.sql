-- One row per brand in the newest window, with a cell for each model: own brand first, then in the order of the answer.
with shown as (
  select
    project_id, window_start, window_end, competitor_name as name, coalesce(model_name, model_id) as model, min(model_id) as model_id,
    bool_or(coalesce(is_own_brand, false)) as is_own, min(competitor_rank) as place, max(visibility_pct) as visibility_pct
  from detail.competitor_heatmap_latest
  where scope = 'project' and relation is distinct from 'IGNORED' and {{project}}
  group by all
),
columns as (
  select project_id, list(model order by model_id) as models
  from (select project_id, model, min(model_id) as model_id from shown group by all)
  group by project_id
)
select
  s.project_id, s.window_start, s.window_end, s.name, bool_or(s.is_own) as is_own, c.models,
  list_transform(c.models, lambda model: map(list(s.model), list(s.visibility_pct))[model]) as cells
from shown s
join columns c on c.project_id = s.project_id
group by s.project_id, s.window_start, s.window_end, s.name, c.models
order by s.project_id, bool_or(s.is_own) desc, min(s.place), s.name;
