-- One row per run with slices in the old ledger that the rebuilt one lacks. $1: endpoints that no longer exist.
select run_id, sync_day as day, count(*) as slices
from old_slices o
where endpoint not in (select unnest($1::varchar[])) and not exists (
  from meta.slices n
  where {{same}} and n.status <> 'failed'
    and (n.window_end is not distinct from o.window_end or n.window_kind is not null)
)
group by all
order by run_id
