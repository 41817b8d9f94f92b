-- Question: Which brands gained and lost share of all brand mentions, last 28 final days against the 28 before?
-- Words: share of mentions among brands, market share
-- Grain: one row per project and brand
-- Key: project_id, brand_id
-- Columns: project_id, project_name, brand_id, brand_name, is_own_brand, mentions, mentions_before,
--   mention_share_pct, mention_share_before_pct, change_points, typical_change_points, is_clear, days_with_data,
--   days_with_data_before
-- Caveat: share among the brands that are listed, computed from counts (shares of days must not be averaged). The change is
--   NULL where a side has fewer than 20 days of data. is_clear: more than the normal variation of the brand's share within a
--   year, as in typical_changes; about 1 idle brand in 20 is.
with bounds as (
  select sync_day - lookback_days as last_date from main.sync_settings
),
totals as (
  select project_id, date, sum(mention_count) as all_mentions from main.brand_mention_share group by project_id, date
),
weeks as (
  select
    m.project_id,
    m.brand_id,
    100.0 * sum(m.mention_count) over after / nullif(sum(t.all_mentions) over after, 0)
      - 100.0 * sum(m.mention_count) over before / nullif(sum(t.all_mentions) over before, 0) as change,
    least(count(m.mention_count) over after, count(m.mention_count) over before) as days
  from main.brand_mention_share m
  join totals t on t.project_id = m.project_id and t.date = m.date
  cross join bounds b
  where m.mention_count is not null and m.date > b.last_date - 365 and m.date <= b.last_date
  window
    before as (
      partition by m.project_id, m.brand_id order by m.date range between interval 7 days preceding and interval 1 day preceding
    ),
    after as (
      partition by m.project_id, m.brand_id order by m.date range between interval 1 day following and interval 7 days following
    )
),
spread as (
  select project_id, brand_id, case when count(change) >= 60 then 0.64 * 1.96 * 1.4826 * mad(change) end as typical
  from weeks
  where days >= 5
  group by project_id, brand_id
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
  where m.date > b.last_date - 56 and m.date <= b.last_date
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
  c.project_id,
  c.project_name,
  c.brand_id,
  c.brand_name,
  c.is_own_brand,
  cast(c.mentions as bigint) as mentions,
  cast(c.mentions_before as bigint) as mentions_before,
  c.mention_share_pct,
  c.mention_share_before_pct,
  case when least(c.days_with_data, c.days_with_data_before) >= 20 then c.mention_share_pct - c.mention_share_before_pct end as change_points,
  s.typical as typical_change_points,
  abs(change_points) > s.typical as is_clear,
  c.days_with_data,
  c.days_with_data_before
from shared c
left join spread s on s.project_id = c.project_id and s.brand_id = c.brand_id
order by c.project_name, change_points desc nulls last, c.brand_id;
