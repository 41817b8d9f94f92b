-- Question: Which rivals do answers mention that we do not track?
-- Words: new competitors, unknown rivals
-- Grain: one row per project and competitor, newest whole month
-- Key: project_id, competitor
-- Columns: project_id, project_name, month_start, competitor, mention_count, mention_share_pct, previous_mention_count,
--   rank_in_month
-- Caveat: a competitor counts as tracked when a brand of the project has its name or domain, so that another spelling
--   shows as untracked. The API gives a top list: a rival without a previous figure is new or was below its end.
with ranked as (
  select *, rank() over (partition by project_id, window_start order by mention_count desc) as rank_in_month
  from main.competitor_mention_trend
  qualify window_start = max(window_start) over (partition by project_id)
)
select
  project_id,
  project_name,
  window_start as month_start,
  competitor,
  mention_count,
  mention_share_pct,
  previous_mention_count,
  rank_in_month
from ranked
where not is_tracked
order by project_name, mention_count desc, competitor;
