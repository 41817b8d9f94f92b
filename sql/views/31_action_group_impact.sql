-- One row per burst of completed actions.
create view main.action_group_impact as
with bursts as (
  select
    b.project_id,
    any_value(a.project_name) as project_name,
    b.overlap_group_id,
    min(b.date) as first_date,
    max(b.date) as last_date,
    count(*) as actions,
    string_agg(a.title, '; ' order by a."time", a.event_id) as titles
  from main.action_bursts b
  join main.event_annotations a on a.project_id = b.project_id and a.date = b.date and a.type = 'action'
  group by b.project_id, b.overlap_group_id
),
prompt_days as (
  select distinct project_id, date from core.events where type <> 'action'
),
changed as (
  select distinct b.overlap_group_id
  from bursts b
  join prompt_days e on e.project_id = b.project_id and e.date between b.first_date - 14 and b.last_date + 14
),
sides as (
  select
    b.overlap_group_id,
    bool_and(m.is_complete_14) as is_complete,
    any_value(m.mean_before_14) filter (where m.measure = 'visibility' and m.date = b.first_date) as visibility_before,
    any_value(m.mean_after_14) filter (where m.measure = 'visibility' and m.date = b.last_date) as visibility_after,
    coalesce(any_value(m.days_before_14) filter (where m.measure = 'visibility' and m.date = b.first_date), 0) as visibility_days_before,
    coalesce(any_value(m.days_after_14) filter (where m.measure = 'visibility' and m.date = b.last_date), 0) as visibility_days_after,
    any_value(t.typical_change_14_days) filter (where m.measure = 'visibility') as visibility_typical,
    any_value(t.drift_around_14_days) filter (where m.measure = 'visibility') as visibility_drift,
    any_value(m.mean_before_14) filter (where m.measure = 'sentiment' and m.date = b.first_date) as sentiment_before,
    any_value(m.mean_after_14) filter (where m.measure = 'sentiment' and m.date = b.last_date) as sentiment_after,
    coalesce(any_value(m.days_before_14) filter (where m.measure = 'sentiment' and m.date = b.first_date), 0) as sentiment_days_before,
    coalesce(any_value(m.days_after_14) filter (where m.measure = 'sentiment' and m.date = b.last_date), 0) as sentiment_days_after,
    any_value(t.typical_change_14_days) filter (where m.measure = 'sentiment') as sentiment_typical,
    any_value(t.drift_around_14_days) filter (where m.measure = 'sentiment') as sentiment_drift,
    any_value(m.mean_before_14) filter (where m.measure = 'share_of_voice' and m.date = b.first_date) as share_of_voice_before,
    any_value(m.mean_after_14) filter (where m.measure = 'share_of_voice' and m.date = b.last_date) as share_of_voice_after,
    coalesce(any_value(m.days_before_14) filter (where m.measure = 'share_of_voice' and m.date = b.first_date), 0) as share_of_voice_days_before,
    coalesce(any_value(m.days_after_14) filter (where m.measure = 'share_of_voice' and m.date = b.last_date), 0) as share_of_voice_days_after,
    any_value(t.typical_change_14_days) filter (where m.measure = 'share_of_voice') as share_of_voice_typical,
    any_value(t.drift_around_14_days) filter (where m.measure = 'share_of_voice') as share_of_voice_drift
  from (
    select project_id, overlap_group_id, first_date, last_date, unnest([first_date, last_date]) as date from bursts
  ) b
  join main.measure_windows m on m.project_id = b.project_id and m.date = b.date
  join main.typical_changes t on t.project_id = m.project_id and t.measure = m.measure
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
  i.visibility_before,
  i.visibility_after,
  i.visibility_after - i.visibility_before as visibility_change,
  i.visibility_typical as visibility_typical_change,
  case
    when i.is_complete and i.visibility_days_before >= 10 and i.visibility_days_after >= 10
      then round(abs(i.visibility_after - i.visibility_before - i.visibility_drift), 9) > i.visibility_typical
  end as visibility_exceeds_typical,
  i.sentiment_before,
  i.sentiment_after,
  i.sentiment_after - i.sentiment_before as sentiment_change,
  i.sentiment_typical as sentiment_typical_change,
  case
    when i.is_complete and i.sentiment_days_before >= 10 and i.sentiment_days_after >= 10
      then round(abs(i.sentiment_after - i.sentiment_before - i.sentiment_drift), 9) > i.sentiment_typical
  end as sentiment_exceeds_typical,
  i.share_of_voice_before,
  i.share_of_voice_after,
  i.share_of_voice_after - i.share_of_voice_before as share_of_voice_change,
  i.share_of_voice_typical as share_of_voice_typical_change,
  case
    when i.is_complete and i.share_of_voice_days_before >= 10 and i.share_of_voice_days_after >= 10
      then round(abs(i.share_of_voice_after - i.share_of_voice_before - i.share_of_voice_drift), 9) > i.share_of_voice_typical
  end as share_of_voice_exceeds_typical,
  coalesce(i.visibility_days_before, 0) as days_before,
  coalesce(i.visibility_days_after, 0) as days_after,
  c.overlap_group_id is not null as prompt_set_changed,
  coalesce(s.sync_day - (b.last_date + 14) >= s.lookback_days, false) as is_final
from bursts b
cross join main.sync_settings s
left join sides i on i.overlap_group_id = b.overlap_group_id
left join changed c on c.overlap_group_id = b.overlap_group_id;

comment on view main.action_group_impact is 'Figures of the 14 days before the first and after the last action of a burst: completed actions of a project with gaps of at most 3 days, which no figure can tell apart. One row per burst. It shows the change after the actions, never what they caused. Source: GET v2 events and the project series.';
-- comments: project_id, project_name, overlap_group_id
comment on column main.action_group_impact.first_date is 'Day (UTC) of the first action; belongs to neither side.';
comment on column main.action_group_impact.last_date is 'Day (UTC) of the last action; belongs to neither side, as all days between.';
comment on column main.action_group_impact.actions is 'Completed actions of the burst. Adds up over bursts.';
comment on column main.action_group_impact.titles is 'Titles of the actions, by time, separated by semicolons.';
comment on column main.action_group_impact.visibility_before is 'Mean daily visibility of the 14 days before the first action. Do not sum or average.';
comment on column main.action_group_impact.visibility_after is 'Mean daily visibility of the 14 days after the last action. Do not sum or average.';
comment on column main.action_group_impact.visibility_change is 'After less before, in the unit of visibility. Do not sum or average. Not a proof of cause.';
comment on column main.action_group_impact.visibility_typical_change is 'How far such a difference strays by itself (main.typical_changes), in the unit of visibility; NULL with fewer than 60 days to tell it from. Repeated on every row: do not sum or average.';
comment on column main.action_group_impact.visibility_exceeds_typical is 'True when the change, less the slow trend of the series, is larger than typical; NULL when that is not known, when a side has fewer than 10 days with a figure or the 14 days after are not over. Clear, not caused.';
comment on column main.action_group_impact.sentiment_before is 'Mean daily sentiment of the 14 days before the first action. Do not sum or average.';
comment on column main.action_group_impact.sentiment_after is 'Mean daily sentiment of the 14 days after the last action. Do not sum or average.';
comment on column main.action_group_impact.sentiment_change is 'After less before, in the unit of sentiment. Do not sum or average. Not a proof of cause.';
comment on column main.action_group_impact.sentiment_typical_change is 'How far such a difference strays by itself (main.typical_changes), in the unit of sentiment; NULL with fewer than 60 days to tell it from. Repeated on every row: do not sum or average.';
comment on column main.action_group_impact.sentiment_exceeds_typical is 'True when the change, less the slow trend of the series, is larger than typical; NULL when that is not known, when a side has fewer than 10 days with a figure or the 14 days after are not over. Clear, not caused.';
comment on column main.action_group_impact.share_of_voice_before is 'Brand mentions per 100 organic responses of the 14 days before the first action together, percent. Do not sum or average.';
comment on column main.action_group_impact.share_of_voice_after is 'Brand mentions per 100 organic responses of the 14 days after the last action together, percent. Do not sum or average.';
comment on column main.action_group_impact.share_of_voice_change is 'After less before, percentage points. Do not sum or average. Not a proof of cause.';
comment on column main.action_group_impact.share_of_voice_typical_change is 'How far such a difference strays by itself (main.typical_changes), percentage points; NULL with fewer than 60 days to tell it from. Repeated on every row: do not sum or average.';
comment on column main.action_group_impact.share_of_voice_exceeds_typical is 'True when the change, less the slow trend of the series, is larger than typical; NULL when that is not known, when a side has fewer than 10 days with a figure or the 14 days after are not over. Clear, not caused.';
comment on column main.action_group_impact.days_before is 'Days with a visibility value among the 14 before.';
comment on column main.action_group_impact.days_after is 'Days with a visibility value among the 14 after.';
-- comments: prompt_set_changed
comment on column main.action_group_impact.is_final is 'False while the 14 days after the last action are not over or may still change.';
