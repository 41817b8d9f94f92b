-- One row per round that was given up. $1: the queue of dead letters.
select
  id::text,
  data->'run'->>'runId' as run,
  data->>'organization' as organization,
  jsonb_array_length(data->'slices') as slices,
  output->>'message' as reason,
  created_on as died_at
from answerlake_jobs.job
where name = $1 and state in ('created', 'retry')
order by created_on
