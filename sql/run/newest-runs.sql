-- The 100 newest runs, and the last ones of each job: a job that runs hourly must not push out a monthly one.
select * from meta.runs
qualify row_number() over (order by sequence desc nulls last) <= 100
  or row_number() over (partition by job, finished_at is null order by sequence desc nulls last) <= 2
  or row_number() over (partition by job, status in ('ok', 'partial') order by sequence desc nulls last) = 1
  or row_number() over (partition by job, exit_code is not distinct from 0 order by sequence desc nulls last) = 1
order by sequence desc nulls last
