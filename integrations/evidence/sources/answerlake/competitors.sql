-- One row per project, competitor and model in the newest window, your brand among them, ignored ones left out. One empty row if there are none: a source must not be empty.
select
  h.project_id,
  h.window_start,
  h.window_end,
  h.competitor_name,
  h.is_own_brand,
  h.model_id,
  coalesce(h.model_name, h.model_id) as model_name,
  h.visibility_pct,
  h.own_visibility_pct,
  h.gap_points
from (select 1)
left join main.competitor_heatmap_latest h on h.visibility_pct is not null and coalesce(h.relation, 'OTHER') <> 'IGNORED'
order by h.project_id, h.competitor_name, h.model_id
