-- One row per project and grain of {{endpoint}} in which the first figure other than 0 of a name of {{names}} came with the first day of an
-- answer, while the days before were asked earlier: the server may have its history.
with first as (
  select t.project_id, t.grain, t.{{column}}, min(t.date) as date, arg_min(t._run_id, t.date) as run_id
  from core.{{table}} t
  semi join core.{{names}} n on n.project_id = t.project_id and n.{{column}} = t.{{column}} and list_contains($1::varchar[], n.relation)
  where t.scope = 'project' and ({{has_figure}})
  group by all
)
select f.project_id as "projectId", f.grain, max(f.date) - 1 as "end"
from first f
join meta.slices s
  on s.endpoint = {{endpoint}} and s.project_id = f.project_id and s.scope = 'project' and s.grain = f.grain
  and s.window_start = f.date and s.run_id = f.run_id
where exists (
  from meta.asked_days a
  where a.endpoint = s.endpoint and a.project_id = s.project_id and a.scope = 'project' and a.grain = s.grain
    and a.date < f.date and a.date >= f.date - 31 and a.asked_on < s.sync_day
)
group by all
