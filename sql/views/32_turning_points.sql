-- One row per project, measure and day on which the level shifted.
{% from "days.sql" import final_after_days %}
{% from "typical.sql" import typical_steps %}
{% from "shifts.sql" import shift_steps %}
create view main.turning_points as
with every_day as materialized (
  select * from detail.measure_days
),
{{ typical_steps() }},
{{ shift_steps() }},
-- The day is estimated: what happened a few days later may have caused it too.
happened as (
  select project_id, date, event_id as id, title from detail.api_events where type = 'action'
  union all
  select project_id, date, what || ':' || cast(date as varchar), title from main.setup_changes
),
candidates as (
  select
    p.project_id,
    p.measure,
    p.date,
    count(*) as candidates_count,
    string_agg(e.id, ', ' order by e.date asc, e.id asc) as candidate_ids,
    string_agg(e.title, '; ' order by e.date asc, e.id asc) as candidate_titles
  from points p
  join happened e on e.project_id = p.project_id and e.date between p.date - 14 and p.date + 5
  group by p.project_id, p.measure, p.date
)
select
  v.project_id,
  v.project_name,
  v.measure,
  v.date,
  v.value_before,
  v.value_after,
  v.change,
  v.typical_change,
  v.drift,
  coalesce(c.candidates_count, 0) as candidates_count,
  c.candidate_ids,
  c.candidate_titles,
  coalesce(s.sync_day - (v.date + 28) >= {{ final_after_days() }}, false)
    and not exists (
      select 1 from every_day d
      where not d.is_final and d.project_id = v.project_id and d.measure = v.measure and d.date between v.date - 28 and v.date + 28
    ) as is_final
from points v
cross join main.sync_settings s
left join candidates c on c.project_id = v.project_id and c.measure = v.measure and c.date = v.date;

comment on view main.turning_points is 'Days on which the level of a measure shifted: the 14 days from the day on against the 14 before, largest within 14 days on either side and less drift beyond 1.35 times what is typical; and what happened from 14 days before to 5 days after. One row per project, measure and day. First the shift, then who may have caused it: a candidate is no proof. Source: the project series, GET v2 events.';
