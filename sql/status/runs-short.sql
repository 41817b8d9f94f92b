-- One row per run of the journal, newest first, as a terminal shows it. A rebuilt run has no figures.
select
  strftime(started_at, '%m-%d %H:%M') as started,
  case when is_rebuilt then '' else coalesce(job, 'by hand') end as job,
  case when is_rebuilt then concat_ws(': ', status, error_message) else status end as status,
  exit_code as exit,
  requests as asked,
  rows_inserted as new,
  rows_updated as changed,
  slices_failed as failed
from (select *, finished_at is not null and exit_code is null as is_rebuilt from known_runs)
order by started_at desc
limit 5
