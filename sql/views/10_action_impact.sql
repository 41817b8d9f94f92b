-- One row per completed action.
create view main.action_impact as
with days as (
  select
    coalesce(v.project_id, t.project_id, o.project_id) as project_id,
    coalesce(v.date, t.date, o.date) as date,
    v.visibility,
    t.sentiment,
    o.total_responses,
    o.brand_mentions
  from (select * from core.visibility where grain = 'day' and scope = 'project') v
  full join (select * from core.sentiment where grain = 'day' and scope = 'project') t
    on t.project_id = v.project_id and t.date = v.date
  full join (select * from core.share_of_voice where grain = 'day' and scope = 'project') o
    on o.project_id = coalesce(v.project_id, t.project_id) and o.date = coalesce(v.date, t.date)
),
actions as (
  select * from main.event_annotations where type = 'action'
),
sides as (
  select
    a.project_id,
    a.event_id,
    avg(d.visibility) filter (where d.date < a.date) as visibility_before,
    avg(d.visibility) filter (where d.date > a.date) as visibility_after,
    count(d.visibility) filter (where d.date < a.date) as days_before,
    count(d.visibility) filter (where d.date > a.date) as days_after,
    avg(d.sentiment) filter (where d.date < a.date) as sentiment_before,
    avg(d.sentiment) filter (where d.date > a.date) as sentiment_after,
    count(d.sentiment) filter (where d.date < a.date) as sentiment_days_before,
    count(d.sentiment) filter (where d.date > a.date) as sentiment_days_after,
    100.0 * sum(d.brand_mentions) filter (where d.date < a.date)
      / nullif(sum(d.total_responses) filter (where d.date < a.date), 0) as share_before,
    100.0 * sum(d.brand_mentions) filter (where d.date > a.date)
      / nullif(sum(d.total_responses) filter (where d.date > a.date), 0) as share_after
  from actions a
  join days d
    on d.project_id = a.project_id
    and d.date between a.date - 14 and a.date + 14
    and d.date <> a.date
  group by a.project_id, a.event_id
),
others as (
  select
    a.project_id,
    a.event_id,
    count(*) as other_events_count,
    count(*) filter (where o.type = 'action') as other_actions_count
  from actions a
  join core.events o
    on o.project_id = a.project_id
    and o.date between a.date - 14 and a.date + 14
    and o.event_id <> a.event_id
  group by a.project_id, a.event_id
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
  i.visibility_before,
  i.visibility_after,
  i.visibility_after - i.visibility_before as visibility_change,
  i.sentiment_before,
  i.sentiment_after,
  i.sentiment_after - i.sentiment_before as sentiment_change,
  i.share_before as share_of_voice_before_pct,
  i.share_after as share_of_voice_after_pct,
  i.share_after - i.share_before as share_of_voice_change_points,
  coalesce(i.days_before, 0) as days_before,
  coalesce(i.days_after, 0) as days_after,
  coalesce(i.sentiment_days_before, 0) as sentiment_days_before,
  coalesce(i.sentiment_days_after, 0) as sentiment_days_after,
  coalesce(o.other_events_count, 0) as other_events_count,
  coalesce(o.other_actions_count, 0) as other_actions_count,
  coalesce(i.days_before, 0) >= 10
    and coalesce(i.days_after, 0) >= 10
    and coalesce(o.other_actions_count, 0) = 0 as is_comparable,
  coalesce(s.sync_day - (a.date + 14) >= s.lookback_days, false) as is_final
from actions a
cross join main.sync_settings s
left join sides i on i.project_id = a.project_id and i.event_id = a.event_id
left join others o on o.project_id = a.project_id and o.event_id = a.event_id;

comment on view main.action_impact is 'Figures of the 14 days before and after a completed action, the day itself left out. One row per action. It shows the change after an action, never what the action caused. Source: GET v2 events and the project series.';
-- comments: project_id, project_name, event_id, action_id, action_type
comment on column main.action_impact.action_title is 'Title of the action. Source: GET v2 events.';
comment on column main.action_impact.date is 'Day (UTC) of completion; belongs to neither side.';
comment on column main.action_impact.occurred_at is 'Instant (UTC) of completion. Source: GET v2 events.';
comment on column main.action_impact.visibility_before is 'Mean daily visibility of the 14 days before. Do not sum or average.';
comment on column main.action_impact.visibility_after is 'Mean daily visibility of the 14 days after. Do not sum or average.';
comment on column main.action_impact.visibility_change is 'After less before, in the unit of visibility. Not a proof of cause.';
comment on column main.action_impact.sentiment_before is 'Mean daily sentiment of the 14 days before. Do not sum or average.';
comment on column main.action_impact.sentiment_after is 'Mean daily sentiment of the 14 days after. Do not sum or average.';
comment on column main.action_impact.sentiment_change is 'After less before, in the unit of sentiment. Not a proof of cause.';
comment on column main.action_impact.share_of_voice_before_pct is 'Brand mentions per 100 organic responses of the 14 days before together. Do not sum or average.';
comment on column main.action_impact.share_of_voice_after_pct is 'Brand mentions per 100 organic responses of the 14 days after together. Do not sum or average.';
comment on column main.action_impact.share_of_voice_change_points is 'After less before, percentage points. Not a proof of cause.';
comment on column main.action_impact.days_before is 'Days with a visibility value among the 14 before.';
comment on column main.action_impact.days_after is 'Days with a visibility value among the 14 after.';
comment on column main.action_impact.sentiment_days_before is 'Days with a sentiment value among the 14 before.';
comment on column main.action_impact.sentiment_days_after is 'Days with a sentiment value among the 14 after.';
comment on column main.action_impact.other_events_count is 'Other events of the project from 14 days before to 14 days after, the day itself included.';
comment on column main.action_impact.other_actions_count is 'Other completed actions among them.';
comment on column main.action_impact.is_comparable is 'True when both sides have at least 10 days with a visibility value and no other action was completed from 14 days before to 14 days after.';
comment on column main.action_impact.is_final is 'False while the 14 days after are not over or may still change.';
