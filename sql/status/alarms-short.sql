-- One row per series and reason that it is known to be wrong, as a terminal shows it.
select
  coalesce(l.project_label, nullif(x.project_id, ''), '(all)') as project,
  coalesce(nullif(x.endpoint, ''), '(all)') as endpoint,
  concat_ws(' ', nullif(x.scope, 'project'), case x.scope when 'project' then null else nullif(x.scope_id, '') end,
    x.grain, x.window_kind) as what,
  x.reason,
  x.first_on as since,
  x.days,
  x.known_since as known,
  x.message
from meta.alarms x
left join detail.project_labels l using (project_id)
where {{chosen}}
order by 1, 2, 3, 4
limit 10
