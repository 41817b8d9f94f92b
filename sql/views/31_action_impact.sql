-- One row per completed action.
{% from "days.sql" import final_after_days %}
{% from "impact.sql" import measure_sides %}
{% from "effects.sql" import not_judged, pivot_effects %}
create view main.action_impact as
with actions as (
  select * from detail.api_events where type = 'action'
),
spans as (
  select project_id, date as first_date, date as last_date from detail.action_bursts
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
  from detail.action_bursts a
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
  b.overlap_group_id,
  {% for measure, share, change in [
    ["visibility", "", ""],
    ["sentiment", "", ""],
    ["share_of_voice", "_pct", "_points"]
  ] %}
  i.{{ measure }}_before as {{ measure }}_before{{ share }},
  i.{{ measure }}_after as {{ measure }}_after{{ share }},
  i.{{ measure }}_after - i.{{ measure }}_before as {{ measure }}_change{{ change }},
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
join detail.action_bursts b on b.project_id = a.project_id and b.date = a.date
join others o on o.project_id = a.project_id and o.date = a.date
left join sides i on i.project_id = a.project_id and i.first_date = a.date
left join effects f on f.project_id = a.project_id and f.first_date = a.date;

comment on view main.action_impact is 'Figures of the 14 days before and after a completed action, the day itself left out, and whether the change exceeds the normal variation of the series. One row per action. It shows the change after an action, never what the action caused. Source: GET v2 events and the project series.';
{{ comments("action_impact", "project_id, project_name, event_id, action_id, action_type") }}
comment on column main.action_impact.action_title is 'Title of the action. Source: GET v2 events.';
comment on column main.action_impact.date is 'Day (UTC) of completion; belongs to neither side.';
comment on column main.action_impact.occurred_at is 'Instant (UTC) of completion. Source: GET v2 events.';
{{ comments("action_impact", "overlap_group_id") }}
{% for measure in ["visibility", "sentiment"] %}
comment on column main.action_impact.{{ measure }}_before is 'Mean daily {{ measure }} of the 14 days before. Do not sum or average.';
comment on column main.action_impact.{{ measure }}_after is 'Mean daily {{ measure }} of the 14 days after. Do not sum or average.';
comment on column main.action_impact.{{ measure }}_change is 'After less before, in the unit of {{ measure }}. Do not sum or average: action_type_impact pools effects. Not a proof of cause.';
{% endfor %}
comment on column main.action_impact.share_of_voice_before_pct is 'Brand mentions per 100 organic responses of the 14 days before together. Do not sum or average.';
comment on column main.action_impact.share_of_voice_after_pct is 'Brand mentions per 100 organic responses of the 14 days after together. Do not sum or average.';
comment on column main.action_impact.share_of_voice_change_points is 'After less before, percentage points. Do not sum or average: action_type_impact pools effects. Not a proof of cause.';
{% for measure, words in [
  ["visibility", "visibility"],
  ["sentiment", "sentiment"],
  ["share_of_voice", "share of voice"]
] %}
comment on column main.action_impact.{{ measure }}_typical_change is 'Normal variation of such a difference of {{ words }} (detail.typical_changes), in the same unit; NULL with fewer than 60 days to compute it from, and where over half of the changes are the same. Repeated on every row: do not sum or average.';
comment on column main.action_impact.{{ measure }}_effect is 'Judged change of {{ words }} after it, in the unit of the measure: mean after less mean before of the adjusted series (detail.adjusted_days), less the slow trend; windows of 14 days that end where a neighbouring action or setup change begins. NULL where not_judged says why. Not a proof of cause. Do not sum or average: action_type_impact pools effects.';
comment on column main.action_impact.{{ measure }}_effect_low is 'Lower end of its 95 % interval. Do not sum or average.';
comment on column main.action_impact.{{ measure }}_effect_high is 'Upper end of its 95 % interval. Do not sum or average.';
comment on column main.action_impact.{{ measure }}_is_clear is 'True when the interval leaves 0 out and the level after also differs from the median of the 42 days before, so that the end of a dip is no success. NULL when not judged. Clear, not caused: about 1 in 25 idle actions is clear too.';
{% endfor %}
comment on column main.action_impact.not_judged is 'Why there is no effect: setup_changed (the questions changed within 3 days), neighbour_too_close (fewer than 4 days to the next action or setup change), too_few_days (with a figure), not_over (the 14 days after), young_series (fewer than 60 days to judge by); for visibility, where other measures differ. NULL when one is judged. All steps: detail.action_effects.';
comment on column main.action_impact.days_before is 'Days with a visibility value among the 14 before.';
comment on column main.action_impact.days_after is 'Days with a visibility value among the 14 after.';
comment on column main.action_impact.sentiment_days_before is 'Days with a sentiment value among the 14 before.';
comment on column main.action_impact.sentiment_days_after is 'Days with a sentiment value among the 14 after.';
comment on column main.action_impact.share_of_voice_days_before is 'Days with organic responses among the 14 before.';
comment on column main.action_impact.share_of_voice_days_after is 'Days with organic responses among the 14 after.';
comment on column main.action_impact.other_events_count is 'Other events of the project from 14 days before to 14 days after, the day itself included. Do not sum.';
comment on column main.action_impact.other_actions_count is 'Other completed actions among them. Do not sum.';
{{ comments("action_impact", "setup_change_titles") }}
comment on column main.action_impact.is_comparable is 'True when both sides have at least 10 days with a visibility value and no other action was completed from 14 days before to 14 days after.';
comment on column main.action_impact.is_final is 'False while the 14 days after are not over or may still change.';
