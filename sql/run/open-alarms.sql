-- One row per series and reason with days that are still owed.
select distinct endpoint, project_id, scope, scope_id, grain, window_kind, reason
from meta.asked_days
where reason in ('bad_row', 'incomplete')
