-- One row per project and day, every day from the first to the last covered.
{% from "days.sql" import is_final_on_project_day, is_whole_on_project_day, join_project_state, open_project_days %}
create view detail.project_days as
with covered as (
  select a.project_id, min(a.date) as first_date, max(a.date) as last_date
  from meta.asked_days a
  where a.scope = 'project' and a.window_kind is null and coalesce(a.grain, 'day') = 'day' and a.asked_on is not null
  group by a.project_id
  {% for table in daily_tables %}
  union all
  select project_id, date, date from core.{{ table }} where grain = 'day' and scope = 'project'
  {% endfor %}
  union all
  select project_id, date, date from core.events
),
days as (
  select
    project_id,
    cast(unnest(generate_series(min(first_date), max(last_date), interval '1 day')) as date) as date
  from covered
  group by project_id
)
select
  v.project_id,
  p.name as project_name,
  v.date,
  {{ is_whole_on_project_day() }} as is_whole_day,
  {{ is_final_on_project_day() }} as is_final
from days v
{{ join_project_state() }}
left join (
  select project_id, date, bool_or(is_partial) as is_partial, bool_or(is_open) as is_open
  from {{ open_project_days() }} days
  group by project_id, date
) early
  on early.project_id = v.project_id and early.date = v.date
left join core.projects p on p.project_id = v.project_id;

comment on view detail.project_days is 'Every day from the first to the last day that a project has data or a stored answer for: a spine to LEFT JOIN to. One row per project and day. Source: meta.asked_days and core.';
