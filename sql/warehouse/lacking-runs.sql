-- One row: how many runs the published file has and the working file `own` lacks, and the other way round. The logs of the two files may begin at
-- different runs: only runs after the newest common one count.
with
published as (select *, coalesce(sequence, 0) as place from {{published}}.meta.runs),
own as (select *, coalesce(sequence, 0) as place from {{own}}.meta.runs),
-- A backup taken during a run has the run without its end.
common as (
  select run_id, o.place
  from published p join own o using (run_id)
  where o.finished_at is not null or p.finished_at is null
),
newest_common as (select coalesce(max(place), -1) as place from common),
lacked as (
  from published
  where run_id not in (select run_id from common) and place > (select place from newest_common)
)
select
  (select count(*) from lacked) as only_published,
  (
    select count(*) from own
    where run_id not in (select run_id from published) and place > (select place from newest_common)
  ) as only_working,
  (select strftime(max(started_at), '%Y-%m-%d %H:%M') from lacked) as newest
