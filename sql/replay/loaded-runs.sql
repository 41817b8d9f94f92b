-- One row per run since $1 that counted what it loaded.
select run_id, sync_day as day, slices_loaded as slices
from meta.runs
where slices_loaded is not null and cast(started_at as date) >= cast($1 as date)
order by started_at
