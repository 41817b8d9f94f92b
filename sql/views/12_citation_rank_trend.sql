-- One row per project, scope and period.
create view main.citation_rank_trend as
select
  v.project_id,
  p.name as project_name,
  v.grain,
  v.date,
  v.scope,
  v.scope_id,
  case v.scope
    when 'project' then p.name
    when 'model' then m.label
    when 'monitor' then n.name
    when 'prompt' then q.prompt
    else v.scope_id
  end as scope_name,
  v.total_citations as citations_count,
  v.citations_with_rank as ranked_citations_count,
  100.0 * v.citations_with_rank / nullif(v.total_citations, 0) as ranked_citations_pct,
  v.average_rank as average_citation_rank,
  v.best_rank as best_citation_rank,
  v.worst_rank as worst_citation_rank,
  lag(v.date) over series as previous_date,
  lag(v.average_rank) over series as previous_average_citation_rank,
  v.average_rank - lag(v.average_rank) over series as average_citation_rank_change,
  coalesce(
    s.sync_day - case v.grain
      when 'week' then v.date + 6
      when 'month' then cast(v.date + interval 1 month - interval 1 day as date)
      else v.date
    end >= s.lookback_days,
    false
  ) as is_final
from core.citation_ranks v
cross join main.sync_settings s
left join core.projects p on p.project_id = v.project_id
left join core.models m on v.scope = 'model' and m.model_id = v.scope_id
left join core.monitors n on v.scope = 'monitor' and n.project_id = v.project_id and n.monitor_id = v.scope_id
left join core.prompts q on v.scope = 'prompt' and q.project_id = v.project_id and q.prompt_id = v.scope_id
window series as (partition by v.project_id, v.grain, v.scope, v.scope_id order by v.date);

comment on view main.citation_rank_trend is 'Citations and their rank over time. One row per project, grain, scope and period. Source: GET v1 citations/rank-analysis.';
comment on column main.citation_rank_trend.project_id is 'Project id (core.projects).';
comment on column main.citation_rank_trend.project_name is 'Name of the project; NULL when unknown.';
comment on column main.citation_rank_trend.grain is 'Length of the period: day, week (starts on Monday) or month. Filter on one; never add or average different grains.';
comment on column main.citation_rank_trend.date is 'First day of the period (UTC).';
comment on column main.citation_rank_trend.scope is 'Filter the figures were asked with: project (none), model, monitor, prompt or prompt_type. Filter on one; never add or average different scopes.';
comment on column main.citation_rank_trend.scope_id is 'Value of that filter; the project id in scope project.';
comment on column main.citation_rank_trend.scope_name is 'The filter for people: name of the project, model or monitor, or text of the prompt; NULL when unknown.';
comment on column main.citation_rank_trend.citations_count is 'Citations. Adds up over periods of one grain. Source: GET v1 citations/rank-analysis.';
comment on column main.citation_rank_trend.ranked_citations_count is 'Citations that have a rank. Adds up over periods of one grain. Source: GET v1 citations/rank-analysis.';
comment on column main.citation_rank_trend.ranked_citations_pct is 'Share of citations that have a rank, percent. Do not sum or average.';
comment on column main.citation_rank_trend.average_citation_rank is 'Average rank, 1 is best. Do not sum or average. Source: GET v1 citations/rank-analysis.';
comment on column main.citation_rank_trend.best_citation_rank is 'Best (lowest) rank. Minimum over periods only. Source: GET v1 citations/rank-analysis.';
comment on column main.citation_rank_trend.worst_citation_rank is 'Worst (highest) rank. Maximum over periods only. Source: GET v1 citations/rank-analysis.';
comment on column main.citation_rank_trend.previous_date is 'First day of the period before it that has data: look at it before reading a change, a period may be missing.';
comment on column main.citation_rank_trend.previous_average_citation_rank is 'Average rank of the period before that has data. Do not sum or average.';
comment on column main.citation_rank_trend.average_citation_rank_change is 'Change against that period; negative: better. Do not sum or average.';
comment on column main.citation_rank_trend.is_final is 'False while the figures are younger than the look-back window and may still change.';
