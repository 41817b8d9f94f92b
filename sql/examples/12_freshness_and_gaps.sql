-- Question: What did the last sync not bring, and how old is the rest?
-- Words: is the data fresh, stale, missing data, when was the last sync
-- Grain: one row per project and endpoint, the worst first
-- Key: project_id, endpoint
-- Columns: project_id, project_name, endpoint, status, last_success_at, last_covered_date, lag_days, gaps_count,
--   first_gap, last_gap, last_error
-- Caveat: project_id is NULL for endpoints without a project, such as the list of models. A gap is a period that the
--   configuration asks for and no stored answer covers; an empty answer is no gap.
with gaps as (
  select project_id, endpoint, count(*) as gaps_count, min(date) as first_gap, max(date) as last_gap
  from main.sync_gaps
  group by project_id, endpoint
)
select
  f.project_id,
  f.project_name,
  f.endpoint,
  f.status,
  f.last_success_at,
  f.last_covered_date,
  f.lag_days,
  coalesce(g.gaps_count, 0) as gaps_count,
  g.first_gap,
  g.last_gap,
  f.last_error
from main.sync_freshness f
left join gaps g on g.project_id is not distinct from f.project_id and g.endpoint = f.endpoint
order by f.status = 'current', gaps_count desc, f.lag_days desc nulls last, f.project_name, f.endpoint;
