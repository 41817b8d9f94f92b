-- One row per run of the journal, newest first.
select * from known_runs order by started_at desc limit 20
