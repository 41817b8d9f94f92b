-- One row per project and day, every day from the first to the last covered.
create view main.project_days as
with covered as (
  select project_id, window_start as first_date, coalesce(covered_end, window_end) as last_date
  from meta.slices
  where project_id is not null
    and scope = 'project'
    and window_kind is null
    and coalesce(grain, 'day') = 'day'
    and window_start <= coalesce(covered_end, window_end)
    and status in ({{answered_statuses}})
  union all
  select project_id, date, date from core.visibility where grain = 'day' and scope = 'project'
  union all
  select project_id, date, date from core.sentiment where grain = 'day' and scope = 'project'
  union all
  select project_id, date, date from core.share_of_voice where grain = 'day' and scope = 'project'
  union all
  select project_id, date, date from core.brand_visibility where grain = 'day' and scope = 'project'
  union all
  select project_id, date, date from core.domain_citations where grain = 'day' and scope = 'project'
  union all
  select project_id, date, date from core.citation_ranks where grain = 'day' and scope = 'project'
  union all
  select project_id, date, date from core.response_sentiment where grain = 'day' and scope = 'project'
  union all
  select project_id, date, date from core.crawler_requests where grain = 'day' and scope = 'project'
  union all
  select project_id, date, date from core.visitor_visits where grain = 'day' and scope = 'project'
  union all
  select project_id, date, date from core.events
),
days as (
  select
    project_id,
    cast(unnest(generate_series(min(first_date), max(last_date), interval '1 day')) as date) as date
  from covered
  group by project_id
)
select
  v.project_id,
  p.name as project_name,
  v.date,
  {{is_whole_answered_day}} as is_whole_day,
  {{is_final_answered_day}} as is_final
from days v
{{project_whole_joins}}
left join (
  select project_id, date, bool_or(is_partial) as is_partial, bool_or(is_open) as is_open
  from {{open_project_days}} days
  group by project_id, date
) early
  on early.project_id = v.project_id and early.date = v.date
left join core.projects p on p.project_id = v.project_id;

comment on view main.project_days is 'Every day from the first to the last day that a project has data or a stored answer for: a spine to LEFT JOIN to. One row per project and day. Source: meta.slices and core.';
-- comments: project_id, project_name, date, is_whole_day, is_final
