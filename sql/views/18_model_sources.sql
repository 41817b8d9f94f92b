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
