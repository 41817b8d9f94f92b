-- One row per completed action.
{% from "days.sql" import final_after_days %}
{% from "impact.sql" import measure_sides %}
{% from "effects.sql" import not_judged, pivot_effects %}
create view main.action_impact as
with actions as (
  select * from detail.api_events where type = 'action'
),
spans as (
  select distinct project_id, date as first_date, date as last_date from actions
),
{{ measure_sides() }}
{{ pivot_effects("action") }}
counted as (
  select project_id, date, count(*) as events, count(*) filter (where type = 'action') as actions
  from core.events
  group by project_id, date
),
others as (
  select
    a.project_id,
    a.date,
    cast(sum(o.events) as bigint) - 1 as other_events_count,
    cast(sum(o.actions) as bigint) - 1 as other_actions_count
  from counted a
  join counted o on o.project_id = a.project_id and o.date between a.date - 14 and a.date + 14
  group by a.project_id, a.date
)
select
  a.project_id,
  a.project_name,
  a.event_id,
  a.action_id,
  a.action_type,
  a.title as action_title,
  a.date,
  a."time" as occurred_at,
  f.overlap_group_id,
  {% for measure, share, change in [
    ["visibility", "", ""],
    ["sentiment", "", ""],
    ["share_of_voice", "_pct", "_points"]
  ] %}
  case when f.{{ measure }}_effect is not null then i.{{ measure }}_before end as {{ measure }}_before{{ share }},
  case when f.{{ measure }}_effect is not null then i.{{ measure }}_after end as {{ measure }}_after{{ share }},
  case when f.{{ measure }}_effect is not null then i.{{ measure }}_after - i.{{ measure }}_before end as {{ measure }}_change{{ change }},
  i.{{ measure }}_typical as {{ measure }}_typical_change,
  f.{{ measure }}_effect,
  f.{{ measure }}_effect_low,
  f.{{ measure }}_effect_high,
  f.{{ measure }}_is_clear,
  {% endfor %}
  {{ not_judged() }} as not_judged,
  coalesce(i.visibility_days_before, 0) as days_before,
  coalesce(i.visibility_days_after, 0) as days_after,
  coalesce(i.sentiment_days_before, 0) as sentiment_days_before,
  coalesce(i.sentiment_days_after, 0) as sentiment_days_after,
  coalesce(i.share_of_voice_days_before, 0) as share_of_voice_days_before,
  coalesce(i.share_of_voice_days_after, 0) as share_of_voice_days_after,
  o.other_events_count,
  o.other_actions_count,
  f.setup_change_titles,
  coalesce(i.visibility_days_before, 0) >= 10
    and coalesce(i.visibility_days_after, 0) >= 10
    and o.other_actions_count = 0 as is_comparable,
  coalesce(s.sync_day - (a.date + 14) >= {{ final_after_days() }}, false) and coalesce(i.is_final, true) as is_final
from actions a
cross join main.sync_settings s
join others o on o.project_id = a.project_id and o.date = a.date
left join sides i on i.project_id = a.project_id and i.first_date = a.date
left join effects f on f.project_id = a.project_id and f.first_date = a.date;

comment on view main.action_impact is 'Figures of the 14 days before and after a completed action, the day itself left out, and whether the change exceeds the normal variation of the series. One row per action. It shows the change after an action, never what the action caused. Source: GET v2 events and the project series.';
