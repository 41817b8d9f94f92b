-- One row per brand in the newest window, with a cell for each model: own brand first, then in the order of the answer.
with named as (
  -- Models of one label are told apart by their ids.
  select
    *,
    case when min(model_id) over same_label <> max(model_id) over same_label then concat(model_name, ' (', model_id, ')') else coalesce(model_name, model_id) end as model
  from detail.competitor_heatmap_latest
  where scope = 'project' and relation is distinct from 'IGNORED' and {{project}}
  window same_label as (partition by project_id, coalesce(model_name, model_id))
),
shown as (
  select
    project_id, window_start, window_end, competitor_name as name, model, model_id,
    bool_or(coalesce(is_own_brand, false)) as is_own, min(competitor_rank) as place, max(visibility_pct) as visibility_pct
  from named
  group by all
),
columns as (
  select project_id, list(model order by model_id) as models
  from (select distinct project_id, model, model_id from shown)
  group by project_id
)
select
  s.project_id, s.window_start, s.window_end, s.name, bool_or(s.is_own) as is_own, c.models,
  list_transform(c.models, lambda model: map(list(s.model), list(s.visibility_pct))[model]) as cells
from shown s
join columns c on c.project_id = s.project_id
group by s.project_id, s.window_start, s.window_end, s.name, c.models
order by s.project_id, bool_or(s.is_own) desc, min(s.place), s.name;
