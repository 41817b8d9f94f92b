-- One row per slice of `batch` with days that an earlier answer was asked for. The ledger has fewer rows than any table of days; of other slices nothing is stored.
select b.slice_no
from batch b
semi join meta.slices s
  on s.endpoint = b.endpoint and s.project_id = b.project_id and s.scope = b.scope and s.scope_id = b.scope_id
  and s.grain is not distinct from b.grain and s.window_kind is not distinct from b.window_kind
  and coalesce(s.window_start <= b.window_end and s.window_end >= date_trunc(coalesce(b.grain, 'day'), b.window_start), true)
