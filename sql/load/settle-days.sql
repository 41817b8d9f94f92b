-- Corrects the states of days after a run has loaded all of its answers.
-- Days without a row are asked once more when rows first come after them: the server may have filled them since.
update meta.asked_days a set state = 'unconfirmed', first_on = {{today}}
from (
  select
    endpoint, project_id, scope, scope_id, grain, window_kind,
    max(date) filter (first_on is distinct from {{today}}) as before, max(date) filter (first_on = {{today}}) as newest
  from meta.asked_days
  where state = 'row' and window_kind is null
  group by all having newest is not null
) n
where n.endpoint = a.endpoint and n.project_id = a.project_id and n.scope = a.scope and n.scope_id = a.scope_id
  and n.grain is not distinct from a.grain and n.window_kind is not distinct from a.window_kind
  and a.state = 'empty' and a.first_on < {{today}} and a.date < n.newest and coalesce(a.date > n.before, true);
-- A filter has nothing on a day on which its project has nothing.
update meta.asked_days a set state = 'empty'
from meta.asked_days p
where a.state = 'unconfirmed' and a.reason is null and a.scope <> 'project' and p.scope = 'project' and p.state = 'empty'
  and p.endpoint = a.endpoint and p.project_id = a.project_id and p.date = a.date
  and p.grain is not distinct from a.grain and p.window_kind is not distinct from a.window_kind
