-- One row per slice that the runs $1 have answered: on the sync day $2, or on any day where $3.
select endpoint, project_id as "projectId", scope, scope_id as "scopeId", grain, window_kind as "windowKind", 
  'settled' as fact, coalesce(window_start, $2::date) as start, coalesce(window_end, $2::date) as "end"
from meta.slices
where run_id in (select unnest($1::varchar[])) and {{is_answered}}
  and (error_class is null or window_kind is null and window_start is not null)
  and (sync_day = cast($2 as date) or $3 and window_start is not null)
