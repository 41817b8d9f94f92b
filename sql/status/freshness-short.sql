-- One row per project and status. What is looked up once gives the age only where nothing else does.
select
  project,
  status,
  endpoints,
  covered_to,
  case when hours >= 48 then cast(floor(hours / 24) as bigint) || ' d' else cast(floor(hours) as bigint) || ' h' end as age,
  which
from (
  select
    coalesce(any_value(project_label), project_id, '(all)') as project,
    project_id,
    replace(status, '_', ' ') as status,
    count(*) || ' of ' || sum(count(*)) over (partition by project_id) as endpoints,
    min(last_covered_date) as covered_to,
    coalesce(max(age_hours) filter (max_age_hours is not null), max(age_hours)) as hours,
    string_agg(endpoint, ', ' order by endpoint) filter (f.status not in ('current', 'no_longer_asked_for')) as which
  from known_freshness f
  left join detail.project_labels l using (project_id)
  where {{chosen}}
  group by project_id, f.status
)
order by project, project_id, status
