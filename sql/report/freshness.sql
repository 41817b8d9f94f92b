-- One row per endpoint of project $1, and of what is about no project: the last day its answers cover, and how the newest run went.
select endpoint, project_id is null as is_shared, status, last_covered_date, lag_days, last_success_at, last_error
from main.sync_freshness
where project_id = $1 or project_id is null
order by is_shared, endpoint;
