-- One row per project, scope, period and brand.
{% from "days.sql" import is_final, is_whole, join_series_state, period_end %}
{% from "figures.sql" import join_scope_names, scope_name %}
create view detail.brand_visibility_trend as
with listed as (
  select
    v.*,
    b.name as brand_name,
    b.domain as brand_domain,
    b.relation,
    coalesce(b.relation = 'SELF', false) as is_own_brand
  from core.brand_visibility v
  left join core.brands b on b.project_id = v.project_id and b.brand_id = v.brand_id
),
-- Of several own brands, the one that is named most.
own as (
  select *
  from listed
  where is_own_brand
  qualify row_number() over (partition by project_id, grain, date, scope, scope_id order by mention_count desc nulls last, brand_id asc) = 1
)
select
  v.project_id,
  p.name as project_name,
  v.grain,
  v.date,
  v.scope,
  v.scope_id,
  {{ scope_name() }} as scope_name,
  v.brand_id,
  v.brand_name,
  v.brand_domain,
  v.relation,
  v.is_own_brand,
  v.visibility_percentage as visibility_pct,
  v.average_visibility,
  v.mention_count,
  case when v.brand_id = o.brand_id then v.total_responses end as all_responses,
  o.visibility_percentage as own_visibility_pct,
  o.average_visibility as own_average_visibility,
  o.mention_count as own_mention_count,
  o.visibility_percentage - v.visibility_percentage as gap_points,
  {{ is_whole(period_end()) }} as is_whole_day,
  {{ is_final(period_end()) }} as is_final
from listed v
{{ join_series_state("brand_visibility") }}
{{ join_scope_names() }}
left join own o
  on o.project_id = v.project_id and o.grain = v.grain and o.date = v.date and o.scope = v.scope and o.scope_id = v.scope_id;

comment on view detail.brand_visibility_trend is 'Visibility of your own brand beside each other brand. One row per project, grain, period, scope and brand, ignored brands included: competitor_gap and brand_mention_share leave them out. Source: GET v1 analytics/brands/visibility-over-time.';
