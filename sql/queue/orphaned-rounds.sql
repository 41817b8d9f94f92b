-- One row per active round that no living process claims. $1: as in processes.sql, $2: the queue of rounds. A worker claims its round at once.
select j.id::text
from answerlake_jobs.job j
where j.name = $2 and j.state = 'active' and case
  when j.output ? 'process' then not exists (
    select from answerlake.processes p where p.process_id::text = j.output->>'process' and {{is_alive}}
  )
  else j.started_on < now() - interval '10 seconds'
end
