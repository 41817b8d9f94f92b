-- One row per answer in `arriving` for which the ledger has a newer one: of the same slice and run, or of a later run for the same days.
-- Windows that overlap are others. Instants of two runs may be of two clocks. Number of the run $1: only parts of an older program have none.
select distinct a.answer_no as no
from arriving a
join meta.slices s
  on s.endpoint = a.endpoint and s.project_id = a.project_id and s.scope = a.scope and s.scope_id = a.scope_id
  and s.grain is not distinct from a.grain and s.window_kind is not distinct from a.window_kind and s.status <> 'failed'
left join meta.runs own on own.run_id = a.run_id
left join meta.runs other on other.run_id = s.run_id
where case
  when s.run_id = a.run_id then
    s.fetched_at > a.fetched_at and s.window_start is not distinct from a.window_start
    and (s.window_end is not distinct from a.window_end or a.window_kind is not null)
  else
    coalesce(other.sequence > coalesce(own.sequence, $1), other.started_at > coalesce(own.started_at, a.run_started_at), s.run_id > a.run_id)
    and (
      a.window_start is null or a.window_start = s.window_start
      or (a.window_kind is null and s.window_start <= a.window_end and a.window_start <= s.window_end)
    )
end
