-- One row per project, scope, competitor and model: newest window.
{% from "figures.sql" import join_scope_names, scope_name %}
{% from "text.sql" import host %}
create view detail.competitor_heatmap_latest as
with newest as (
  select project_id, scope, scope_id, max(window_end) as newest_end from core.competitor_heatmap group by project_id, scope, scope_id
),
chosen as (
  select distinct on (w.project_id, w.scope, w.scope_id) w.project_id, w.scope, w.scope_id, w.window_kind, w.window_start, w.window_end
  from core.competitor_heatmap w
  join newest n
    on n.project_id = w.project_id and n.scope = w.scope and n.scope_id = w.scope_id and w.window_end >= n.newest_end - 7
  order by
    w.project_id asc,
    w.scope asc,
    w.scope_id asc,
    w.window_kind like 'last%' desc,
    w.window_kind = 'last_28_days' desc,
    w.window_end desc,
    w.window_start asc
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
  join chosen c
    on c.project_id = h.project_id and c.scope = h.scope and c.scope_id = h.scope_id
    and c.window_kind = h.window_kind and c.window_start = h.window_start
  left join own_names n on n.project_id = h.project_id and n.name = h.competitor_name
  left join own_domains d on d.project_id = h.project_id and d.domain = {{ host("h.competitor_domain") }}
),
own as (
  select project_id, scope, scope_id, model_id, max(visibility) as own_visibility
  from cells
  where is_own_brand
  group by project_id, scope, scope_id, model_id
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
  o.own_visibility - v.visibility as gap_points
from cells v
left join own o
  on o.project_id = v.project_id and o.scope = v.scope and o.scope_id = v.scope_id and o.model_id = v.model_id
{{ join_scope_names() }}
left join core.models k on k.model_id = v.model_id;

comment on view detail.competitor_heatmap_latest is 'Share of responses that name each competitor, by model, newest window: the last 28 days or, where they are not asked for, another rolling window or the newest month. One row per project, scope, competitor and model, ignored brands included: competitor_gap and brand_mention_share leave them out. Source: GET v1 competitor-heatmap.';
