-- One row per project and monitor.
create view main.monitors as
with prompts as (
  select
    project_id,
    monitor_id,
    count(*) filter (where removed_at is null) as prompts_count,
    count(*) filter (where removed_at is null and is_active) as active_prompts_count
  from core.prompts
  group by project_id, monitor_id
)
select
  m.project_id,
  p.name as project_name,
  m.monitor_id,
  m.name as monitor_name,
  coalesce(q.prompts_count, 0) as prompts_count,
  coalesce(q.active_prompts_count, 0) as active_prompts_count
from core.monitors m
left join prompts q on q.project_id = m.project_id and q.monitor_id = m.monitor_id
left join core.projects p on p.project_id = m.project_id;

comment on view main.monitors is 'Monitors (sets of prompts). One row per project and monitor. Source: GET v1 prompts, GET v2 events.';
