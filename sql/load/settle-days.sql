-- Corrects the states of days after a run has loaded all of its answers.
-- Days without a row are requested once more when rows first appear next to them, up to the nearest older row on either side: the server may have filled them since.
with open as (
  select distinct endpoint, project_id, scope, scope_id, grain from meta.asked_days where window_kind is null and state = 'empty'
),
rows as (
  select
    endpoint, project_id, scope, scope_id, grain, date,
    state = 'row' and reason is null and first_on = {{today}} as is_new, state = 'row' and reason is distinct from 'kept' as has_row
  from meta.asked_days a
  semi join open o
    on o.endpoint = a.endpoint and o.project_id = a.project_id and o.scope = a.scope and o.scope_id = a.scope_id
    and o.grain is not distinct from a.grain
  where window_kind is null
),
beside as (
  select
    *,
    lag(case when has_row then is_new end ignore nulls) over series as is_new_before,
    lead(case when has_row then is_new end ignore nulls) over series as is_new_after
  from rows
  window series as (partition by endpoint, project_id, scope, scope_id, grain order by date)
)
update meta.asked_days a set state = 'unconfirmed', first_on = {{today}}
from beside n
where n.endpoint = a.endpoint and n.project_id = a.project_id and n.scope = a.scope and n.scope_id = a.scope_id
  and n.grain is not distinct from a.grain and a.window_kind is null and n.date = a.date
  and a.state = 'empty' and (n.is_new_after or n.is_new_before and n.is_new_after is not null);
-- A filter has nothing on a day on which its project has nothing.
update meta.asked_days a set state = 'empty'
from meta.asked_days p
where a.state = 'unconfirmed' and a.reason is null and a.scope <> 'project' and p.scope = 'project' and p.state = 'empty'
  and p.endpoint = a.endpoint and p.project_id = a.project_id and p.date = a.date
  and p.grain is not distinct from a.grain and p.window_kind is not distinct from a.window_kind
