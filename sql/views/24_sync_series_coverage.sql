-- One row per project, endpoint, scope and period.
create view main.sync_series_coverage as
with expected as (
  select
    e.endpoint,
    e.project_id,
    e.scope,
    e.scope_id,
    coalesce(e.grain, 'day') as grain,
    cast(
      unnest(
        generate_series(
          case coalesce(e.grain, 'day')
            when 'day' then e.start_date
            else cast(
              date_trunc(e.grain, e.start_date - 1)
              + case e.grain when 'week' then interval 7 days else interval 1 month end as date
            )
          end,
          case coalesce(e.grain, 'day')
            when 'day' then s.sync_day - 1
            else cast(date_trunc(e.grain, s.sync_day) as date) - 1
          end,
          case coalesce(e.grain, 'day')
            when 'day' then interval 1 day
            when 'week' then interval 7 days
            else interval 1 month
          end
        )
      ) as date
    ) as date
  from meta.expected_series e
  cross join main.sync_settings s
),
asked as (
  select
    endpoint,
    project_id,
    scope,
    scope_id,
    coalesce(grain, 'day') as grain,
    status,
    -- What came of an incomplete answer is stored, but its days are still owed.
    status in ({{answered_statuses}}) and error_class is null as is_answered,
    sync_day,
    fetched_at,
    coalesce(covered_end, window_end) as covered_end,
    cast(
      unnest(
        generate_series(
          case coalesce(grain, 'day')
            when 'day' then window_start
            else cast(
              date_trunc(grain, window_start - 1)
              + case grain when 'week' then interval 7 days else interval 1 month end as date
            )
          end,
          coalesce(covered_end, window_end),
          case coalesce(grain, 'day')
            when 'day' then interval 1 day
            when 'week' then interval 7 days
            else interval 1 month
          end
        )
      ) as date
    ) as date
  from meta.slices
  where window_kind is null and window_start is not null
    and project_id in (select project_id from meta.expected_series)
),
answered as (
  select
    a.endpoint,
    a.project_id,
    a.scope,
    a.scope_id,
    a.grain,
    a.date,
    bool_or(a.is_answered) as is_covered,
    bool_or(
      a.is_answered
      and a.sync_day - case a.grain
        when 'day' then a.date
        when 'week' then a.date + 6
        else cast(a.date + interval 1 month - interval 1 day as date)
      end >= s.lookback_days
    ) as is_settled,
    bool_or(a.status = 'not_enabled') as is_not_enabled,
    max(a.fetched_at) filter (where a.is_answered) as last_success_at,
    max_by(a.status, a.fetched_at) as last_status
  from asked a
  cross join main.sync_settings s
  where a.grain = 'day'
    or a.covered_end >= case a.grain
      when 'week' then a.date + 6
      else cast(a.date + interval 1 month - interval 1 day as date)
    end
  group by a.endpoint, a.project_id, a.scope, a.scope_id, a.grain, a.date
)
select
  e.project_id,
  p.name as project_name,
  e.endpoint,
  e.grain,
  e.date,
  e.scope,
  e.scope_id,
  coalesce(a.is_covered, false) as is_covered,
  coalesce(a.is_settled, false) as is_settled,
  case
    when coalesce(a.is_settled, false) then 'settled'
    when coalesce(a.is_covered, false) then 'covered'
    when a.last_status is not null then a.last_status
    else 'never_asked'
  end as status,
  a.last_status,
  a.last_success_at
from expected e
left join answered a
  on a.endpoint = e.endpoint
  and a.project_id = e.project_id
  and a.scope = e.scope
  and a.scope_id = e.scope_id
  and a.grain = e.grain
  and a.date = e.date
left join core.projects p on p.project_id = e.project_id;

comment on view main.sync_series_coverage is 'Which periods of each series are covered. One row per project, endpoint, grain, scope and period that the configuration asks for, up to the day before the sync day. Source: meta.expected_series and meta.slices.';
-- comments: project_id, project_name, endpoint, grain = grain_of_coverage, date = period, scope, scope_id
comment on column main.sync_series_coverage.is_covered is 'True when a stored answer covers the period, be it an empty one.';
comment on column main.sync_series_coverage.is_settled is 'True when an answer covers it that was asked after the look-back window: it is not expected to change.';
comment on column main.sync_series_coverage.status is 'settled, covered, never_asked, or the newest outcome (failed, suspicious).';
-- comments: last_status, last_success_at
