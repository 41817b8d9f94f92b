-- One row per series and range of days without a covered day between them.
with days as (
  select
    *,
    date - cast(row_number() over (
      partition by project_id, endpoint, scope, scope_id, grain, status, known_reason order by date
    ) as integer) as island
  from detail.sync_gaps
  where {{chosen}}
)
select
  coalesce(any_value(l.project_label), days.project_id) as project,
  endpoint,
  min(date) as first,
  max(date) as last,
  count(*) as count,
  replace(coalesce(known_reason, status), '_', ' ') as why,
  case scope
    when 'project' then ''
    else scope || ' ' || coalesce(any_value(m.name), any_value(o.label), scope_id)
  end as filter,
  grain,
  any_value(known_first_on) as since
from days
left join detail.project_labels l on l.project_id = days.project_id
left join core.monitors m on scope = 'monitor' and m.project_id = days.project_id and m.monitor_id = scope_id
left join core.models o on scope = 'model' and o.model_id = scope_id
group by days.project_id, endpoint, scope, scope_id, grain, status, known_reason, island
order by 1, 2, filter, grain, first
