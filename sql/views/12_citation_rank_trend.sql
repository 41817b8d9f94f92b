-- One row per project, scope and period.
{% from "days.sql" import is_final, is_whole, join_series_state, period_end %}
{% from "figures.sql" import join_scope_names, scope_name %}
create view detail.citation_rank_trend as
with compared as (
  select
    v.*,
    lag(v.date) over series as previous_date,
    lag(v.average_rank) over series as previous_average_rank,
    lag({{ is_whole(period_end()) }}) over series as was_whole,
    {{ is_whole(period_end()) }} as is_whole_day,
    {{ is_final(period_end()) }} as is_final
  from core.citation_ranks v
  {{ join_series_state("citation_ranks") }}
  window series as (partition by v.project_id, v.grain, v.scope, v.scope_id order by v.date asc)
)
select
  v.project_id,
  p.name as project_name,
  v.grain,
  v.date,
  v.scope,
  v.scope_id,
  {{ scope_name() }} as scope_name,
  v.total_citations as citations_count,
  v.citations_with_rank as ranked_citations_count,
  100.0 * v.citations_with_rank / nullif(v.total_citations, 0) as ranked_citations_pct,
  v.average_rank as average_citation_rank,
  v.best_rank as best_citation_rank,
  v.worst_rank as worst_citation_rank,
  v.previous_date,
  v.previous_average_rank as previous_average_citation_rank,
  case when v.is_whole_day and v.was_whole then v.average_rank - v.previous_average_rank end as average_citation_rank_change,
  v.is_whole_day,
  v.is_final
from compared v
{{ join_scope_names() }};

comment on view detail.citation_rank_trend is 'Citations and their rank over time. One row per project, grain, scope and period. Source: GET v1 citations/rank-analysis.';
