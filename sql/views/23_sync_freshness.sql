-- One row per project and endpoint.
{% from "days.sql" import covered_end, is_answered %}
create view main.sync_freshness as
-- What belongs to no project has an empty project id until the end: a join of NULLs is a slow one.
with last_run as (
  select endpoint, project_id, {{ max_by("run_id", "fetched_at") }} as run_id, max(fetched_at) as last_asked_at
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
    {{ covered_end("x") }} as covered_end,
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
    {{ max_by("error_message", "fetched_at", "is_newest and (status = 'failed' or is_incomplete)") }} as last_error
  from told
  group by endpoint, project_id
),
asked as (
  select endpoint, project_id from outcomes
  union
  select endpoint, project_id from meta.expected_series
)
select
  nullif(a.project_id, '') as project_id,
  p.name as project_name,
  a.endpoint,
  case
    when u.project_id is not null then 'unreached'
    when o.last_asked_at is null then 'never_asked'
    when o.slices_failed_count > 0 and o.slices_done_count + o.slices_incomplete_count = 0 then 'failed'
    when o.slices_failed_count + o.slices_incomplete_count > 0 then 'partial'
    when o.slices_suspicious_count > 0 then 'suspicious'
    when o.slices_not_enabled_count > 0 and o.slices_not_enabled_count = o.slices_done_count then 'not_enabled'
    when s.sync_day - o.last_covered_date > 1 then 'behind'
    else 'current'
  end as status,
  o.last_asked_at,
  o.last_success_at,
  o.last_covered_date,
  s.sync_day - o.last_covered_date as lag_days,
  coalesce(o.slices_done_count, 0) as slices_done_count,
  coalesce(o.slices_failed_count, 0) as slices_failed_count,
  coalesce(o.slices_suspicious_count, 0) as slices_suspicious_count,
  o.last_error
from asked a
cross join main.sync_settings s
left join outcomes o on o.endpoint = a.endpoint and o.project_id = a.project_id
left join core.projects p on p.project_id = a.project_id
left join meta.unreached_projects u on u.project_id = a.project_id;

comment on view main.sync_freshness is 'How fresh each endpoint of each project is. One row per project and endpoint; the project is NULL for endpoints without a project. Source: meta.slices.';
comment on column main.sync_freshness.project_id is 'Project id (core.projects); NULL for endpoints without a project.';
{{ comments("sync_freshness", "project_name, endpoint") }}
comment on column main.sync_freshness.status is 'current, behind (more than one day), partial (some answers failed, or came incomplete), suspicious, failed, not_enabled, never_asked or unreached (no configured key reaches the project any more): outcome of the run that asked last.';
comment on column main.sync_freshness.last_asked_at is 'Instant (UTC) of the newest outcome, failures included.';
comment on column main.sync_freshness.last_success_at is 'Instant (UTC) of the newest answer that was stored and whole.';
comment on column main.sync_freshness.last_covered_date is 'Last day (UTC) that a stored, whole answer covers; NULL for lists without dates.';
comment on column main.sync_freshness.lag_days is 'Days from there to the sync day of the newest run.';
comment on column main.sync_freshness.slices_done_count is 'Whole answers stored by the run that asked last.';
comment on column main.sync_freshness.slices_failed_count is 'Answers that failed in the run that asked last.';
comment on column main.sync_freshness.slices_suspicious_count is 'Answers held back in the run that asked last.';
comment on column main.sync_freshness.last_error is 'Why an answer of that run failed or is incomplete; NULL when none did.';
