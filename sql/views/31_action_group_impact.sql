-- One row per burst of completed actions.
{% from "days.sql" import final_after_days %}
{% from "impact.sql" import measure_sides %}
{% from "effects.sql" import not_judged, pivot_effects %}
create view main.action_group_impact as
with {{ pivot_effects("burst", ["15_28", "29_56"]) }}
bursts as materialized (
  select
    e.project_id,
    any_value(a.project_name) as project_name,
    e.overlap_group_id,
    e.first_date,
    e.last_date,
    count(*) as actions,
    string_agg(a.title, '; ' order by a."time" asc, a.event_id asc) as titles
  from effects e
  join detail.api_events a on a.project_id = e.project_id and a.type = 'action' and a.date between e.first_date and e.last_date
  group by e.project_id, e.overlap_group_id, e.first_date, e.last_date
),
spans as (
  select project_id, first_date, last_date from bursts
),
{{ measure_sides() }}
others as (
  select b.overlap_group_id, count(*) as actions
  from bursts b
  join core.events o
    on o.project_id = b.project_id and o.type = 'action' and o.date between b.first_date - 14 and b.last_date + 14
    and o.date not between b.first_date and b.last_date
  group by b.overlap_group_id
)
select
  b.project_id,
  b.project_name,
  b.overlap_group_id,
  b.first_date,
  b.last_date,
  b.actions,
  b.titles,
  {% for measure in ["visibility", "sentiment", "share_of_voice"] %}
  case when f.{{ measure }}_effect is not null then i.{{ measure }}_before end as {{ measure }}_before,
  case when f.{{ measure }}_effect is not null then i.{{ measure }}_after end as {{ measure }}_after,
  case when f.{{ measure }}_effect is not null then i.{{ measure }}_after - i.{{ measure }}_before end as {{ measure }}_change,
  i.{{ measure }}_typical as {{ measure }}_typical_change,
  f.{{ measure }}_effect,
  f.{{ measure }}_effect_low,
  f.{{ measure }}_effect_high,
  f.{{ measure }}_is_clear,
  {% for days in ["15_28", "29_56"] %}
  f.{{ measure }}_effect_{{ days }},
  f.{{ measure }}_effect_{{ days }}_low,
  f.{{ measure }}_effect_{{ days }}_high,
  f.{{ measure }}_effect_{{ days }}_is_clear,
  {% endfor %}
  {% endfor %}
  {{ not_judged() }} as not_judged,
  coalesce(i.visibility_days_before, 0) as days_before,
  coalesce(i.visibility_days_after, 0) as days_after,
  coalesce(o.actions, 0) as other_actions_count,
  f.setup_change_titles,
  coalesce(s.sync_day - (b.last_date + 14) >= {{ final_after_days() }}, false) and coalesce(i.is_final, true) as is_final
from bursts b
cross join main.sync_settings s
left join sides i on i.project_id = b.project_id and i.first_date = b.first_date
join effects f on f.overlap_group_id = b.overlap_group_id
left join others o on o.overlap_group_id = b.overlap_group_id;

comment on view main.action_group_impact is 'Figures of the 14 days before the first and after the last action of a burst: completed actions of a project with gaps of at most 4 days, or in the wake of the one before, over at most 28 days, which no figure can separate. One row per burst. It shows the change after the actions, never what they caused. Source: GET v2 events and the project series.';
