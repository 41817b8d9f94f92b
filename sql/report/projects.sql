-- One row per project that has days or was asked for: its name and its whole days, of which it shows at most 1100.
with known as (
  select project_id, project_name, case when is_whole_day then date end as date, is_whole_day and not is_final as is_pending
  from detail.project_days
  union all
  select project_id, project_name, null, false from main.sync_freshness where project_id is not null
)
select
  k.project_id,
  coalesce(max(l.project_label), max(k.project_name)) as project_name,
  max(p.slug) as slug,
  coalesce(bool_or(l.is_listed), false) as is_listed,
  greatest(min(date), max(date) - 1099) as first_date,
  max(date) as last_date,
  min(date) filter (where is_pending) as pending_from
from known k
left join core.projects p on p.project_id = k.project_id
left join detail.project_labels l on l.project_id = k.project_id
group by k.project_id
order by lower(max(k.project_name)) nulls last, k.project_id;
