-- One row per project and endpoint, and of what is about no project: how far its answers reach.
select
  coalesce(project_id, '') as "projectId",
  project_name as "projectName",
  endpoint,
  status,
  epoch_ms(last_success_at) as "lastSuccessMs",
  last_covered_date as "lastCoveredDay",
  last_error as "lastError"
from main.sync_freshness
order by project_name nulls first, project_id nulls first, endpoint
