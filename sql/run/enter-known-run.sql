-- Enters the run $1, unless it is there already: start $2, sync day $3, status $4, base URL $5, message $6, version $7, number $8 or the next one.
insert into meta.runs (run_id, started_at, finished_at, sync_day, status, base_url, error_message, version, sequence)
select
  $1, cast($2 as timestamp), cast($2 as timestamp), cast($3 as date), $4, $5, $6, $7,
  coalesce($8, (select coalesce(max(sequence), 0) + 1 from meta.runs))
where not exists (from meta.runs where run_id = $1)
