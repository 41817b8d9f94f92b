-- One row per run with slices in the old ledger of which the rebuilt one has neither that answer nor a later one, which a run that was killed left in the archive alone. $1: endpoints that no longer exist.
select run_id, sync_day as day, count(*) as slices
from old_slices o
where endpoint not in (select unnest($1::varchar[])) and not exists (
  from meta.slices n
  where {{same}} and n.status <> 'failed' and (n.run_id = o.run_id or n.fetched_at > o.fetched_at)
    and (n.window_end is not distinct from o.window_end or n.window_kind is not null)
)
group by all
order by run_id
