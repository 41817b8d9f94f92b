-- One row per organization with an open round. $1: the queue of rounds.
select
  id::text as job_id,
  data->'run'->>'runId' as run,
  data->>'organization' as organization,
  data->>'round' as round,
  case
    when state = 'active' then 'under way'
    when state = 'retry' then 'tried again'
    when start_after > now() then 'parked'
    else 'waiting'
  end as state,
  coalesce(jsonb_array_length(data->'slices'), 0) as slices,
  retry_count as tries,
  case when state = 'active' then started_on else start_after end as since
from answerlake_jobs.job
where name = $1 and state in ('created', 'retry', 'active')
order by created_on
