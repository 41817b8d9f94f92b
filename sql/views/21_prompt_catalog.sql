-- One row per project and prompt.
create view detail.prompt_catalog as
with seen as (
  select project_id, prompt_id, min(date) as first_seen_on, max(date) as last_seen_on
  from core.prompt_snapshots
  group by project_id, prompt_id
)
select
  q.project_id,
  p.name as project_name,
  q.prompt_id,
  q.prompt,
  q.type as prompt_type,
  q.intent,
  q.language_code,
  q.is_active,
  q.monitor_id,
  m.name as monitor_name,
  q.amount_of_responses as responses_count,
  q.volume as search_volume,
  q.average_visibility,
  q.difficulty,
  q.created_at,
  q.updated_at,
  s.first_seen_on,
  s.last_seen_on,
  q.removed_at,
  q.removed_at is not null as is_removed
from core.prompts q
left join seen s on s.project_id = q.project_id and s.prompt_id = q.prompt_id
left join core.monitors m on m.project_id = q.project_id and m.monitor_id = q.monitor_id
left join core.projects p on p.project_id = q.project_id;

comment on view detail.prompt_catalog is 'Every prompt that was ever seen, removed ones included. One row per project and prompt. Source: GET v1 prompts.';
