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
{{ comments("brand_mention_share", "project_id, project_name, grain, date = period, scope, scope_id, scope_name, brand_id, brand_name, relation, is_own_brand") }}
{{ comments("brand_mention_share", "mention_count") }}
comment on column detail.brand_mention_share.all_mention_count is 'Mentions of all listed brands that are not ignored in the period. Repeated on every row: do not sum over brands.';
comment on column detail.brand_mention_share.mention_share_pct is 'Share of the brand in the mentions of all listed brands that are not ignored, percent; adds up to 100 over the brands of one period. Do not sum or average over periods: divide the sums of mention_count and all_mention_count.';
comment on column detail.brand_mention_share.mention_share_pct_low is 'Lower end of its 95 % interval (Wilson), percent. Do not sum or average.';
comment on column detail.brand_mention_share.mention_share_pct_high is 'Upper end of its 95 % interval (Wilson), percent. Do not sum or average.';
comment on column detail.brand_mention_share.own_mention_share_pct is 'Share of your own brand, percent. Repeated on every row: do not sum or average: take the counts of the rows with is_own_brand.';
comment on column detail.brand_mention_share.mention_rank is 'Place by mentions in the period, 1 is most. Do not sum or average.';
{{ comments("brand_mention_share", "is_whole_day = is_whole_period, is_final") }}
