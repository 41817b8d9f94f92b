-- One row per project, window and model.
{% from "days.sql" import is_whole_window, join_window_state %}
create view detail.model_sources as
with first_days as (
  select project_id, min(date) as first_date
  from core.citation_ranks
  where grain = 'day' and scope = 'project' and total_citations > 0
  group by project_id
)
select
  v.project_id,
  p.name as project_name,
  v.window_kind,
  v.window_start,
  v.window_end,
  cast(v.window_end - v.window_start + 1 as integer) as days_in_window,
  {{ is_whole_window() }} as is_whole_window,
  v.llm as model_id,
  coalesce(m.label, v.model) as model_name,
  coalesce(m.provider_name, v.provider) as provider_name,
  m.model_id is not null as is_known_model,
  coalesce(m.deprecated, false) as is_deprecated_model,
  v.total_citations as citations_count,
  100.0 * v.total_citations / nullif(
    sum(v.total_citations) over (partition by v.project_id, v.window_kind, v.window_start),
    0
  ) as citations_share_pct,
  v.unique_domains as unique_domains_count,
  v.unique_prompts as unique_prompts_count
from core.llm_sources v
{{ join_window_state("llm_sources") }}
left join first_days f on f.project_id = v.project_id
left join core.models m on m.model_id = v.llm
left join core.projects p on p.project_id = v.project_id
where v.scope = 'project';

comment on view detail.model_sources is 'Citations by AI model, with the names of the model list. One row per project, window and model. Source: GET v1 citations/llm-sources, GET v1 models.';
{{ comments("model_sources", "project_id, project_name, window_kind, window_start, window_end, days_in_window, is_whole_window, model_id") }}
comment on column detail.model_sources.model_name is 'Name of the model for people. Source: GET v1 models, else GET v1 citations/llm-sources.';
comment on column detail.model_sources.provider_name is 'Name of the provider. Source: GET v1 models, else GET v1 citations/llm-sources.';
{{ comments("model_sources", "is_known_model") }}
{{ comments("model_sources", "is_deprecated_model") }}
comment on column detail.model_sources.citations_count is 'Citations. Adds up over models of one window, not over windows. Source: GET v1 citations/llm-sources.';
comment on column detail.model_sources.citations_share_pct is 'Share of the citations of the listed models, percent. Do not add over windows, and do not average.';
comment on column detail.model_sources.unique_domains_count is 'Different domains. Do not sum. Source: GET v1 citations/llm-sources.';
comment on column detail.model_sources.unique_prompts_count is 'Different prompts. Do not sum. Source: GET v1 citations/llm-sources.';
