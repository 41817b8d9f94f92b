-- One row per project, scope, window, competitor and model.
{% from "days.sql" import is_whole_window, join_window_state %}
{% from "figures.sql" import join_scope_names, previous_window_start, scope_name %}
{% from "text.sql" import host %}
create view detail.competitor_heatmap_trend as
with windows as (
  select project_id, scope, scope_id, window_kind, window_start, max(window_end) as window_end
  from core.competitor_heatmap
  group by project_id, scope, scope_id, window_kind, window_start
),
first_days as (
  select project_id, min(date) as first_date
  from core.brand_visibility
  where grain = 'day' and scope = 'project' and total_responses > 0
  group by project_id
),
dated as (
  select
    v.project_id,
    v.scope,
    v.scope_id,
    v.window_kind,
    v.window_start,
    v.window_end,
    {{ previous_window_start() }} as previous_start,
    {{ is_whole_window() }} as is_whole_window,
    v.window_start = max(case when {{ is_whole_window() }} then v.window_start end)
      over (partition by v.project_id, v.scope, v.scope_id, v.window_kind) as is_newest_whole_window
  from windows v
  {{ join_window_state("competitor_heatmap") }}
  left join first_days f on f.project_id = v.project_id
),
own_names as (
  select distinct project_id, name from core.brands where relation = 'SELF'
),
own_domains as (
  select distinct project_id, {{ host("domain") }} as domain
  from core.brands
  where relation = 'SELF' and domain is not null and domain <> ''
),
cells as (
  select
    h.*,
    -- By domain too: a renamed brand is still your own in older windows.
    h.relation is not distinct from 'SELF' or n.name is not null or d.domain is not null as is_own_brand
  from core.competitor_heatmap h
  left join own_names n on n.project_id = h.project_id and n.name = h.competitor_name
  left join own_domains d on d.project_id = h.project_id and d.domain = {{ host("h.competitor_domain") }}
),
own as (
  select project_id, scope, scope_id, window_kind, window_start, model_id, max(visibility) as own_visibility
  from cells
  where is_own_brand
  group by project_id, scope, scope_id, window_kind, window_start, model_id
)
select
  v.project_id,
  p.name as project_name,
  v.window_kind,
  v.window_start,
  v.window_end,
  v.scope,
  v.scope_id,
  {{ scope_name() }} as scope_name,
  cast(v.window_end - v.window_start + 1 as integer) as days_in_window,
  d.is_whole_window,
  coalesce(d.is_newest_whole_window, false) as is_newest_whole_window,
  v.competitor_name,
  v.competitor_domain,
  v.relation,
  v.is_own_brand,
  v.competitor_rank,
  v.model_id,
  k.label as model_name,
  coalesce(k.deprecated, false) as is_deprecated_model,
  v.visibility as visibility_pct,
  o.own_visibility as own_visibility_pct,
  o.own_visibility - v.visibility as gap_points,
  b.visibility as previous_visibility_pct,
  case when d.is_whole_window then v.visibility - b.visibility end as change_points
from cells v
join dated d
  on d.project_id = v.project_id and d.scope = v.scope and d.scope_id = v.scope_id
  and d.window_kind = v.window_kind and d.window_start = v.window_start
left join dated e
  on e.project_id = d.project_id and e.scope = d.scope and e.scope_id = d.scope_id
  and e.window_kind = d.window_kind and e.window_start = d.previous_start and e.is_whole_window
left join cells b
  on b.project_id = e.project_id
  and b.scope = e.scope
  and b.scope_id = e.scope_id
  and b.window_kind = e.window_kind
  and b.window_start = e.window_start
  and b.competitor_name = v.competitor_name
  and b.competitor_domain = v.competitor_domain
  and b.model_id = v.model_id
left join own o
  on o.project_id = v.project_id
  and o.scope = v.scope
  and o.scope_id = v.scope_id
  and o.window_kind = v.window_kind
  and o.window_start = v.window_start
  and o.model_id = v.model_id
{{ join_scope_names() }}
left join core.models k on k.model_id = v.model_id;

comment on view detail.competitor_heatmap_trend is 'Share of responses that name each competitor, by model, window by window, with the window before next to it. One row per project, window, scope, competitor and model, ignored brands included: competitor_gap and brand_mention_share leave them out. Source: GET v1 competitor-heatmap.';
