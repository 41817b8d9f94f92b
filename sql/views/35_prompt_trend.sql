-- One row per project, prompt and day of a sync.
create view main.prompt_trend as
with compared as (
  select
    project_id,
    prompt_id,
    date,
    average_visibility,
    amount_of_responses,
    volume,
    difficulty,
    is_active,
    lag(date) over prompt as previous_date,
    lag(average_visibility) over prompt as previous_average_visibility,
    lag(amount_of_responses) over prompt as previous_amount_of_responses
  from core.prompt_snapshots
  window prompt as (partition by project_id, prompt_id order by date asc)
)
select
  v.project_id,
  p.name as project_name,
  v.prompt_id,
  q.prompt,
  q.type as prompt_type,
  q.monitor_id,
  m.name as monitor_name,
  v.date,
  v.is_active,
  v.average_visibility,
  v.amount_of_responses as responses_count,
  v.volume as search_volume,
  v.difficulty,
  v.previous_date,
  v.previous_average_visibility,
  v.average_visibility - v.previous_average_visibility as average_visibility_change,
  v.amount_of_responses - v.previous_amount_of_responses as new_responses_count
from compared v
left join core.projects p on p.project_id = v.project_id
left join core.prompts q on q.project_id = v.project_id and q.prompt_id = v.prompt_id
left join core.monitors m on m.project_id = q.project_id and m.monitor_id = q.monitor_id;

comment on view main.prompt_trend is 'State of every listed prompt on each day of a sync, with the sync before next to it. One row per project, prompt and day of a sync. Source: GET v1 prompts.';
