-- One row per project, window and model.
create view main.model_sources as
select
  l.project_id,
  p.name as project_name,
  l.window_kind,
  l.window_start,
  l.window_end,
  l.llm as model_id,
  coalesce(m.label, l.model) as model_name,
  coalesce(m.provider_name, l.provider) as provider_name,
  m.model_id is not null as is_known_model,
  coalesce(m.deprecated, false) as is_deprecated_model,
  l.total_citations as citations_count,
  100.0 * l.total_citations / nullif(
    sum(l.total_citations) over (partition by l.project_id, l.window_kind, l.window_start),
    0
  ) as citations_share_pct,
  l.unique_domains as unique_domains_count,
  l.unique_prompts as unique_prompts_count
from core.llm_sources l
left join core.models m on m.model_id = l.llm
left join core.projects p on p.project_id = l.project_id
where l.scope = 'project';

comment on view main.model_sources is 'Citations by AI model, with the names of the model list. One row per project, window and model. Source: GET v1 citations/llm-sources, GET v1 models.';
-- comments: project_id, project_name, window_kind, window_start, window_end, model_id
comment on column main.model_sources.model_name is 'Name of the model for people. Source: GET v1 models, else GET v1 citations/llm-sources.';
comment on column main.model_sources.provider_name is 'Name of the provider. Source: GET v1 models, else GET v1 citations/llm-sources.';
-- comments: is_known_model
-- comments: is_deprecated_model
comment on column main.model_sources.citations_count is 'Citations. Adds up over models of one window, not over windows. Source: GET v1 citations/llm-sources.';
comment on column main.model_sources.citations_share_pct is 'Share of the citations of the listed models, percent. Do not add over windows.';
comment on column main.model_sources.unique_domains_count is 'Different domains. Do not sum. Source: GET v1 citations/llm-sources.';
comment on column main.model_sources.unique_prompts_count is 'Different prompts. Do not sum. Source: GET v1 citations/llm-sources.';
