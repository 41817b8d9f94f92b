-- Question: Which brands gained and lost share of all brand mentions, last 28 final days against the 28 before?
-- Grain: one row per project and brand
-- Key: project_id, brand_id
-- Columns: project_id, project_name, brand_id, brand_name, is_own_brand, mentions, mentions_before,
--   mention_share_pct, mention_share_before_pct, change_points, days_with_data, days_with_data_before
-- Caveat: share among the brands that are listed, computed from counts (shares of days must not be averaged). A side
--   with fewer than 28 days of data is not comparable: look at the two day columns.
with bounds as (
  select sync_day - lookback_days as last_date from main.sync_settings
),
counted as (
  select
    m.project_id,
    m.project_name,
    m.brand_id,
    m.brand_name,
    m.is_own_brand,
    sum(m.mention_count) filter (where m.date > b.last_date - 28) as mentions,
    sum(m.mention_count) filter (where m.date <= b.last_date - 28) as mentions_before,
    count(m.mention_count) filter (where m.date > b.last_date - 28) as days_with_data,
    count(m.mention_count) filter (where m.date <= b.last_date - 28) as days_with_data_before
  from main.brand_mention_share m
  cross join bounds b
  where m.grain = 'day' and m.date > b.last_date - 56 and m.date <= b.last_date
  group by m.project_id, m.project_name, m.brand_id, m.brand_name, m.is_own_brand
),
shared as (
  select
    *,
    100.0 * mentions / nullif(sum(mentions) over (partition by project_id), 0) as mention_share_pct,
    100.0 * mentions_before / nullif(sum(mentions_before) over (partition by project_id), 0) as mention_share_before_pct
  from counted
)
select
  project_id,
  project_name,
  brand_id,
  brand_name,
  is_own_brand,
  cast(mentions as bigint) as mentions,
  cast(mentions_before as bigint) as mentions_before,
  mention_share_pct,
  mention_share_before_pct,
  mention_share_pct - mention_share_before_pct as change_points,
  days_with_data,
  days_with_data_before
from shared
order by project_name, change_points desc nulls last, brand_id;
