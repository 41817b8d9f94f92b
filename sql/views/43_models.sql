-- One row per AI model that is listed or has figures.
create view main.models as
with seen as (
  select model_id from core.models
  union
  select scope_id from core.visibility where scope = 'model'
  union
  select scope_id from core.share_of_voice where scope = 'model'
  union
  select model_id from core.competitor_heatmap
  union
  select llm from core.llm_sources
),
-- Marks between words count as blanks.
named as (
  select s.model_id, lower(regexp_replace(concat_ws(' ', s.model_id, m.label), '[_-]', ' ', 'g')) as words
  from seen s
  left join core.models m on m.model_id = s.model_id
),
assistants as (
  select n.model_id, max_by(a.assistant, -a.place) as assistant
  from named n
  join main.ai_assistants a on strpos(n.words, a.word) > 0
  group by n.model_id
)
select
  s.model_id,
  m.label as model_name,
  a.assistant,
  m.provider as provider_id,
  m.provider_name,
  m.model_name as provider_model_name,
  m.api_identifier,
  m.description,
  m.search_enabled as is_search_enabled,
  m.live_search as is_live_search,
  m.model_id is not null as is_known_model,
  coalesce(m.deprecated, false) as is_deprecated_model
from seen s
left join core.models m on m.model_id = s.model_id
left join assistants a on a.model_id = s.model_id;

comment on view main.models is 'AI models: those of the model list, and those that only figures name. One row per model. Source: GET v1 models.';
