-- One row per run that waits or is under way. $1: the queue of runs.
select
  id::text as job_id,
  data->>'job' as job,
  case state when 'active' then 'under way' else 'waiting' end as state,
  coalesce(started_on, created_on) as since
from answerlake_jobs.job
where name = $1 and state in ('created', 'retry', 'active')
order by created_on
