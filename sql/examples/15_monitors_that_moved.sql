-- Question: Which monitors carry a rise or a fall in share of voice, last 28 final days against the 28 before?
-- Grain: one row per project and monitor
-- Key: project_id, monitor_id
-- Columns: project_id, project_name, monitor_id, monitor_name, responses, responses_before, share_of_voice_pct,
--   share_of_voice_before_pct, change_points
-- Caveat: computed from counts. Monitors differ in size: a jump on few responses means little. Do not add monitors up to
--   the project; a prompt without a monitor is in none of them.
with bounds as (
  select sync_day - lookback_days as last_date from main.sync_settings
),
counted as (
  select
    v.project_id,
    v.project_name,
    v.scope_id as monitor_id,
    v.scope_name as monitor_name,
    sum(v.brand_mentions) filter (where v.date > b.last_date - 28) as mentions,
    sum(v.total_responses) filter (where v.date > b.last_date - 28) as responses,
    sum(v.brand_mentions) filter (where v.date <= b.last_date - 28) as mentions_before,
    sum(v.total_responses) filter (where v.date <= b.last_date - 28) as responses_before
  from main.share_of_voice_trend v
  cross join bounds b
  where v.scope = 'monitor' and v.grain = 'day' and v.brand_mentions is not null
    and v.date > b.last_date - 56 and v.date <= b.last_date
  group by v.project_id, v.project_name, v.scope_id, v.scope_name
)
select
  project_id,
  project_name,
  monitor_id,
  monitor_name,
  cast(responses as bigint) as responses,
  cast(responses_before as bigint) as responses_before,
  100.0 * mentions / nullif(responses, 0) as share_of_voice_pct,
  100.0 * mentions_before / nullif(responses_before, 0) as share_of_voice_before_pct,
  100.0 * mentions / nullif(responses, 0) - 100.0 * mentions_before / nullif(responses_before, 0) as change_points
from counted
order by project_name, change_points desc nulls last, monitor_id;
