-- One row per project, scope, period and brand.
{% from "text.sql" import wilson %}
create view detail.brand_mention_share as
select
  project_id,
  project_name,
  grain,
  date,
  scope,
  scope_id,
  scope_name,
  brand_id,
  brand_name,
  relation,
  is_own_brand,
  mention_count,
  cast(sum(mention_count) over period as bigint) as all_mention_count,
  100.0 * mention_count / nullif(sum(mention_count) over period, 0) as mention_share_pct,
  {{ wilson("mention_count", "sum(mention_count) over period", -1) }} as mention_share_pct_low,
  {{ wilson("mention_count", "sum(mention_count) over period", 1) }} as mention_share_pct_high,
  100.0 * own_mention_count / nullif(sum(mention_count) over period, 0) as own_mention_share_pct,
  rank() over (period order by mention_count desc nulls last) as mention_rank,
  is_whole_day,
  is_final
from detail.brand_visibility_trend
where coalesce(relation, 'OTHER') <> 'IGNORED'
window period as (partition by project_id, grain, date, scope, scope_id);

comment on view detail.brand_mention_share is 'Share of each brand in all brand mentions. One row per project, grain, period, scope and brand that the project does not ignore: ignored brands are in no share and no gap. Source: GET v1 analytics/brands/visibility-over-time.';
