-- One row per endpoint and project, and of what is about no project: the last day its answers cover, and how the newest run went.
select project_id, endpoint, status, last_covered_date, lag_days, last_error
from main.sync_freshness
where project_id is null or {{project}}
order by project_id nulls last, endpoint;
