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
{{ comments("prompt_catalog", "project_id, project_name, prompt_id, prompt, prompt_type") }}
comment on column detail.prompt_catalog.intent is 'BRANDED, INFORMATIONAL, NAVIGATIONAL, COMMERCIAL or TRANSACTIONAL. Source: GET v1 prompts.';
comment on column detail.prompt_catalog.language_code is 'Language. Source: GET v1 prompts.';
comment on column detail.prompt_catalog.is_active is 'True when it is asked at present. Source: GET v1 prompts.';
{{ comments("prompt_catalog", "monitor_id, monitor_name") }}
comment on column detail.prompt_catalog.responses_count is 'Responses so far, over all time. Adds up over prompts. Source: GET v1 prompts.';
comment on column detail.prompt_catalog.search_volume is 'Weighted search volume over all keywords, generic ones included: similar prompts of one list differ a thousandfold. Weight no figure by it without saying so. Source: GET v1 prompts.';
comment on column detail.prompt_catalog.average_visibility is 'Average visibility over all responses, scale as the API reports it. Do not sum or average. Source: GET v1 prompts.';
comment on column detail.prompt_catalog.difficulty is 'Weighted average keyword difficulty. Do not sum or average. Source: GET v1 prompts.';
comment on column detail.prompt_catalog.created_at is 'Instant (UTC) of creation. Source: GET v1 prompts.';
comment on column detail.prompt_catalog.updated_at is 'Instant (UTC) of the last change. Source: GET v1 prompts.';
comment on column detail.prompt_catalog.first_seen_on is 'First day (UTC) of a sync that saw it listed; NULL when none did.';
comment on column detail.prompt_catalog.last_seen_on is 'Last day (UTC) of a sync that saw it listed; NULL when none did.';
comment on column detail.prompt_catalog.removed_at is 'Instant (UTC) at which it was first missing from the list; NULL while it is listed.';
comment on column detail.prompt_catalog.is_removed is 'True when it is no longer listed.';
