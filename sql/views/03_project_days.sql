-- One row per project and day, every day from the first to the last covered.
{% from "days.sql" import is_answered, is_final_on_project_day, is_whole_on_project_day, join_project_state, open_project_days %}
{% from "changes.sql" import final_on %}
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
-- A day is there from the first run that covers it.
born as (
  select project_id, date, min(started_at) as changed_at
  from (
    select project_id, started_at, cast(unnest(generate_series(first_date, last_date, interval '1 day')) as date) as date
    from (
      select z.project_id, r.started_at, min(z.window_start) as first_date, max(z.window_end) as last_date
      from meta.slices z
      join meta.runs r on r.run_id = z.run_id
      where z.scope = 'project' and z.window_kind is null and coalesce(z.grain, 'day') = 'day' and {{ is_answered("z.status") }}
      group by z.project_id, r.started_at
    ) runs
  ) run_days
  group by project_id, date
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
  {{ is_final_on_project_day() }} as is_final,
  greatest(b.changed_at, p._changed_at) as changed_at,
  {{ final_on("v.date") }} as final_on
from days v
{{ join_project_state() }}
left join (
  select project_id, date, bool_or(is_partial) as is_partial, bool_or(is_open) as is_open
  from {{ open_project_days() }} days
  group by project_id, date
) early
  on early.project_id = v.project_id and early.date = v.date
left join born b on b.project_id = v.project_id and b.date = v.date
left join core.projects p on p.project_id = v.project_id;

comment on view detail.project_days is 'Every day from the first to the last day that a project has data or a stored answer for: a spine to LEFT JOIN to. One row per project and day. Source: meta.asked_days and core.';
{{ comments("project_days", "project_id, project_name, date, is_whole_day, is_final") }}
{{ comments("project_days", "changed_at, final_on") }}
