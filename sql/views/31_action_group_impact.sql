-- One row per burst of completed actions.
{% from "days.sql" import final_after_days %}
{% from "impact.sql" import measure_sides %}
{% from "effects.sql" import not_judged, pivot_effects %}
create view main.action_group_impact as
with bursts as materialized (
  select
    b.project_id,
    any_value(a.project_name) as project_name,
    b.overlap_group_id,
    min(b.date) as first_date,
    max(b.date) as last_date,
    count(*) as actions,
    string_agg(a.title, '; ' order by a."time" asc, a.event_id asc) as titles
  from detail.action_bursts b
  join detail.api_events a on a.project_id = b.project_id and a.date = b.date and a.type = 'action'
  group by b.project_id, b.overlap_group_id
),
spans as (
  select project_id, first_date, last_date from bursts
),
{{ measure_sides() }}
{{ pivot_effects("burst", ["15_28", "29_56"]) }}
others as (
  select b.overlap_group_id, cast(sum(o.actions_completed) as bigint) as actions
  from bursts b
  join detail.action_bursts o
    on o.project_id = b.project_id and o.overlap_group_id <> b.overlap_group_id
    and o.date between b.first_date - 14 and b.last_date + 14
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
  i.{{ measure }}_before,
  i.{{ measure }}_after,
  i.{{ measure }}_after - i.{{ measure }}_before as {{ measure }}_change,
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
left join effects f on f.project_id = b.project_id and f.first_date = b.first_date
left join others o on o.overlap_group_id = b.overlap_group_id;

comment on view main.action_group_impact is 'Figures of the 14 days before the first and after the last action of a burst: completed actions of a project with gaps of at most 3 days, which no figure can tell apart. One row per burst. It shows the change after the actions, never what they caused. Source: GET v2 events and the project series.';
{{ comments("action_group_impact", "project_id, project_name, overlap_group_id") }}
comment on column main.action_group_impact.first_date is 'Day (UTC) of the first action; belongs to neither side.';
comment on column main.action_group_impact.last_date is 'Day (UTC) of the last action; belongs to neither side, as all days between.';
comment on column main.action_group_impact.actions is 'Completed actions of the burst. Adds up over bursts.';
comment on column main.action_group_impact.titles is 'Titles of the actions, by time, separated by semicolons.';
{% for measure, mean, unit in [
  ["visibility", "Mean daily visibility", "the unit of visibility"],
  ["sentiment", "Mean daily sentiment", "the unit of sentiment"],
  ["share_of_voice", "Brand mentions per 100 organic responses", "percentage points"]
] %}
comment on column main.action_group_impact.{{ measure }}_before is '{{ mean }} of the 14 days before the first action. Do not sum or average.';
comment on column main.action_group_impact.{{ measure }}_after is '{{ mean }} of the 14 days after the last action. Do not sum or average.';
comment on column main.action_group_impact.{{ measure }}_change is 'After less before, in {{ unit }}. Do not sum or average. Not a proof of cause.';
comment on column main.action_group_impact.{{ measure }}_typical_change is 'Normal variation of such a difference (detail.typical_changes), in {{ unit }}; NULL with fewer than 60 days to compute it from, and where over half of the changes are the same. Repeated on every row: do not sum or average.';
comment on column main.action_group_impact.{{ measure }}_effect is 'Judged change of {{ measure | replace('_', ' ') }} after it, in the unit of the measure: mean after less mean before of the adjusted series (detail.adjusted_days), less the slow trend; windows of 14 days that end where a neighbouring action or setup change begins. NULL where not_judged says why. Not a proof of cause. Do not sum or average: action_type_impact pools effects.';
comment on column main.action_group_impact.{{ measure }}_effect_low is 'Lower end of its 95 % interval. Do not sum or average.';
comment on column main.action_group_impact.{{ measure }}_effect_high is 'Upper end of its 95 % interval. Do not sum or average.';
comment on column main.action_group_impact.{{ measure }}_is_clear is 'True when the interval leaves 0 out and the level after also differs from the median of the 42 days before, so that the end of a dip is no success. NULL when not judged. Clear, not caused: about 1 in 25 idle actions is clear too.';
{% for days, words in [["15_28", "15 to 28"], ["29_56", "29 to 56"]] %}
comment on column main.action_group_impact.{{ measure }}_effect_{{ days }} is 'The same for the days {{ words }} after the last action, as far as no neighbour begins: content works slowly. NULL with fewer than 4 such days. Do not sum or average.';
comment on column main.action_group_impact.{{ measure }}_effect_{{ days }}_low is 'Lower end of its 95 % interval. Do not sum or average.';
comment on column main.action_group_impact.{{ measure }}_effect_{{ days }}_high is 'Upper end of its 95 % interval. Do not sum or average.';
comment on column main.action_group_impact.{{ measure }}_effect_{{ days }}_is_clear is 'True when that interval leaves 0 out and the level still differs from the six weeks before. NULL when not judged.';
{% endfor %}
{% endfor %}
comment on column main.action_group_impact.not_judged is 'Why there is no effect: setup_changed (the questions changed within 3 days), neighbour_too_close (fewer than 4 days to the next action or setup change), too_few_days (with a figure), not_over (the 14 days after), young_series (fewer than 60 days to judge by); for visibility, where other measures differ. NULL when one is judged. All steps: detail.action_effects.';
comment on column main.action_group_impact.days_before is 'Days with a visibility value among the 14 before.';
comment on column main.action_group_impact.days_after is 'Days with a visibility value among the 14 after.';
comment on column main.action_group_impact.other_actions_count is 'Completed actions of other bursts from 14 days before the first to 14 days after the last: where there are any, several bursts stand beside one and the same change. Do not sum.';
{{ comments("action_group_impact", "setup_change_titles") }}
comment on column main.action_group_impact.is_final is 'False while the 14 days after the last action are not over or may still change.';
