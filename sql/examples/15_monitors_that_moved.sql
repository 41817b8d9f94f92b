-- Question: Which monitors carry a rise or a fall in share of voice, last 28 final days against the 28 before?
-- Grain: one row per project and monitor
-- Key: project_id, monitor_id
-- Columns: project_id, project_name, monitor_id, monitor_name, responses, responses_before, share_of_voice_pct,
--   share_of_voice_before_pct, change_points, typical_change_points, is_clear
-- Caveat: computed from counts; NULL where a side has fewer than 20 days of data. is_clear: more than the share of the
--   monitor normally varies within a year, as in typical_changes; about 1 idle monitor in 20 is. (other) holds
--   what the project has and the listed monitors lack.
with bounds as (
  select sync_day - lookback_days as last_date from main.sync_settings
),
weeks as (
  select
    v.project_id,
    v.monitor_id,
    100.0 * sum(v.organic_brand_mentions) over after / nullif(sum(v.organic_responses) over after, 0)
      - 100.0 * sum(v.organic_brand_mentions) over before / nullif(sum(v.organic_responses) over before, 0) as change,
    least(count(*) over after, count(*) over before) as days
  from main.monitor_kpis v
  cross join bounds b
  where v.organic_brand_mentions is not null
    and v.date > b.last_date - 365 and v.date <= b.last_date
  window
    before as (
      partition by v.project_id, v.monitor_id order by v.date range between interval 7 days preceding and interval 1 day preceding
    ),
    after as (
      partition by v.project_id, v.monitor_id order by v.date range between interval 1 day following and interval 7 days following
    )
),
spread as (
  select project_id, monitor_id, case when count(change) >= 60 then 0.64 * 1.96 * 1.4826 * mad(change) end as typical
  from weeks
  where days >= 5
  group by project_id, monitor_id
),
counted as (
  select
    v.project_id,
    v.project_name,
    v.monitor_id,
    v.monitor_name,
    sum(v.organic_brand_mentions) filter (where v.date > b.last_date - 28) as mentions,
    sum(v.organic_responses) filter (where v.date > b.last_date - 28) as responses,
    sum(v.organic_brand_mentions) filter (where v.date <= b.last_date - 28) as mentions_before,
    sum(v.organic_responses) filter (where v.date <= b.last_date - 28) as responses_before,
    count(*) filter (where v.date > b.last_date - 28) as days,
    count(*) filter (where v.date <= b.last_date - 28) as days_before
  from main.monitor_kpis v
  cross join bounds b
  where v.organic_brand_mentions is not null
    and v.date > b.last_date - 56 and v.date <= b.last_date
  group by v.project_id, v.project_name, v.monitor_id, v.monitor_name
)
select
  c.project_id,
  c.project_name,
  c.monitor_id,
  c.monitor_name,
  cast(c.responses as bigint) as responses,
  cast(c.responses_before as bigint) as responses_before,
  100.0 * c.mentions / nullif(c.responses, 0) as share_of_voice_pct,
  100.0 * c.mentions_before / nullif(c.responses_before, 0) as share_of_voice_before_pct,
  case
    when least(c.days, c.days_before) >= 20
      then 100.0 * c.mentions / nullif(c.responses, 0) - 100.0 * c.mentions_before / nullif(c.responses_before, 0)
  end as change_points,
  s.typical as typical_change_points,
  abs(change_points) > s.typical as is_clear
from counted c
left join spread s on s.project_id = c.project_id and s.monitor_id = c.monitor_id
order by c.project_name, change_points desc nulls last, c.monitor_id;
