-- One row per project and endpoint: all but what the clock of the reader says (main.sync_freshness).
{% from "days.sql" import is_answered %}
create view detail.sync_freshness as
-- What belongs to no project has an empty project id until the end: a join of NULLs is a slow one.
with last_run as (
  select endpoint, project_id, max_by(run_id, fetched_at) as run_id, max(fetched_at) as last_asked_at
  from meta.slices
  group by endpoint, project_id
),
-- What came of an incomplete answer is stored, but it is no success: the slice is asked again.
told as (
  select
    x.endpoint,
    x.project_id,
    x.status,
    x.fetched_at,
    x.error_message,
    x.window_end as covered_end,
    {{ is_answered("x.status") }} and x.error_class is null as is_done,
    {{ is_answered("x.status") }} and x.error_class is not null as is_incomplete,
    x.run_id = r.run_id as is_newest,
    r.last_asked_at
  from meta.slices x
  join last_run r on r.endpoint = x.endpoint and r.project_id = x.project_id
),
outcomes as (
  select
    endpoint,
    project_id,
    max(last_asked_at) as last_asked_at,
    max(fetched_at) filter (where is_done) as last_success_at,
    max(covered_end) filter (where is_done) as last_covered_date,
    count(*) filter (where is_newest and is_done) as slices_done_count,
    count(*) filter (where is_newest and is_incomplete) as slices_incomplete_count,
    count(*) filter (where is_newest and status = 'failed') as slices_failed_count,
    count(*) filter (where is_newest and status = 'suspicious') as slices_suspicious_count,
    count(*) filter (where is_newest and status = 'not_enabled') as slices_not_enabled_count,
    max_by(error_message, fetched_at) filter (where is_newest and (status = 'failed' or is_incomplete)) as last_error
  from told
  group by endpoint, project_id
),
-- In hours, by endpoint, and by endpoint and project; endpoints that are not requested regularly, or no longer, have none.
max_ages as (
  select substr(name, 15) as asked, try_cast(value as double) as hours
  from meta.settings
  where name like 'max_age_hours:%'
),
asked as (
  select
    x.endpoint,
    x.project_id,
    x.project_id <> '' and exists (select 1 from meta.expected_series)
      and not exists (select 1 from meta.expected_series e where e.project_id = x.project_id and e.endpoint = x.endpoint) as is_left,
    exists (select 1 from meta.alarms m where m.project_id = x.project_id and m.reason = 'lost') as is_lost,
    -- A plan that no longer has it.
    exists (
      select 1 from meta.alarms m
      where m.endpoint = x.endpoint and m.project_id = x.project_id and m.scope = 'project' and m.reason = 'refused' and m.known_since is not null
    ) as is_let_go
  from (
    select endpoint, project_id from outcomes
    union
    -- A look-up that nothing has needed yet is not missing.
    select endpoint, project_id from meta.expected_series
    where grain is not null or endpoint in (select m.asked from max_ages m)
  ) x
),
-- The newest day with a figure, whatever was asked since: a list of events has none. A period or window reaches to its last day, and no further than it was asked.
figures as (
  select endpoint, project_id, max(least({{ asked_end_of('x') }}, asked_on)) as last_row
  from meta.asked_days x
  where scope = 'project' and state = 'row' and coalesce(grain, window_kind) is not null
  group by endpoint, project_id
),
limits as (
  select
    a.endpoint,
    a.project_id,
    a.is_left,
    a.is_lost,
    case
      when a.project_id = '' or a.is_left or a.is_lost or a.is_let_go then null
      when exists (select 1 from max_ages) then coalesce(own.hours, every.hours)
      else 36.0
    end as max_age_hours
  from asked a
  left join max_ages own on own.asked = a.endpoint || ':' || a.project_id
  left join max_ages every on every.asked = a.endpoint
)
select
  nullif(a.project_id, '') as project_id,
  p.name as project_name,
  a.endpoint,
  case
    when a.is_left then 'no_longer_asked_for'
    when a.is_lost then 'lost'
    when o.last_asked_at is null then 'never_asked'
    when o.slices_failed_count > 0 and o.slices_done_count + o.slices_incomplete_count = 0 then 'failed'
    when o.slices_failed_count + o.slices_incomplete_count > 0 then 'partial'
    when o.slices_suspicious_count > 0 then 'suspicious'
    when o.slices_not_enabled_count > 0 and o.slices_not_enabled_count = o.slices_done_count then 'not_enabled'
    when s.clock_day - o.last_covered_date > 1 then 'behind'
    else 'current'
  end as status,
  o.last_asked_at,
  o.last_success_at,
  o.last_covered_date,
  f.last_row,
  s.clock_day - o.last_covered_date as lag_days,
  cast(a.max_age_hours as double) as max_age_hours,
  coalesce(o.slices_done_count, 0) as slices_done_count,
  coalesce(o.slices_failed_count, 0) as slices_failed_count,
  coalesce(o.slices_suspicious_count, 0) as slices_suspicious_count,
  o.last_error
from limits a
cross join main.sync_settings s
left join outcomes o on o.endpoint = a.endpoint and o.project_id = a.project_id
left join figures f on f.endpoint = a.endpoint and f.project_id = a.project_id
left join core.projects p on p.project_id = a.project_id;

comment on view detail.sync_freshness is 'How fresh each endpoint of each project was when this was computed: status is stale in main alone, by the clock of the reader. One row per project and endpoint; the project is NULL for endpoints without a project. Source: meta.slices.';
