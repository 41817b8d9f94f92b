-- One row per project, scope, period and competitor.
create view detail.competitor_gap as
select
  project_id,
  project_name,
  grain,
  date,
  scope,
  scope_id,
  scope_name,
  brand_id as competitor_brand_id,
  brand_name as competitor_name,
  brand_domain as competitor_domain,
  relation,
  visibility_pct as competitor_visibility_pct,
  own_visibility_pct,
  gap_points,
  average_visibility as competitor_average_visibility,
  own_average_visibility,
  own_average_visibility - average_visibility as score_gap,
  mention_count as competitor_mention_count,
  own_mention_count,
  own_visibility_pct > visibility_pct as is_own_brand_ahead,
  is_whole_day,
  is_final
from detail.brand_visibility_trend
where not is_own_brand and coalesce(relation, 'OTHER') <> 'IGNORED';

comment on view detail.competitor_gap is 'Gap between your own brand and each competitor, in share of responses and in score, both own less competitor. One row per project, grain, period, scope and brand that is neither own nor ignored: ignored brands are in no share and no gap. Source: GET v1 analytics/brands/visibility-over-time.';
