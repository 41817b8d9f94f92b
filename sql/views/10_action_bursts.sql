-- One row per project and day with completed actions.
create view detail.action_bursts as
with gaps as (
  select
    project_id,
    date,
    actions,
    coalesce(date - lag(date) over (partition by project_id order by date asc) > 3, true) as is_first
  from (select project_id, date, count(*) as actions from core.events where type = 'action' group by project_id, date) counted
)
select
  project_id,
  date,
  actions as actions_completed,
  project_id || ':' || strftime(
    max(date) filter (where is_first) over (partition by project_id order by date asc rows unbounded preceding),
    '%Y-%m-%d'
  ) as overlap_group_id
from gaps;

comment on view detail.action_bursts is 'Which burst a day with completed actions belongs to: days of a project with gaps of at most 3 days. One row per project and day with completed actions. Source: GET v2 events.';
