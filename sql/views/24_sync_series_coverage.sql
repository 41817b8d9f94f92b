-- One row per project, endpoint, scope and period.
{% from "days.sql" import covered_end, final_after_days_of, is_answered, period_end %}
{% set grain_interval %}case e.grain when 'day' then interval '1 day' when 'week' then interval '7 days' else interval '1 month' end{% endset %}
create view detail.sync_series_coverage as
-- A number stands for a series while its periods are matched: far cheaper than its five names.
with series as materialized (
  select
    row_number() over () as series_id,
    endpoint,
    project_id,
    scope,
    scope_id,
    coalesce(grain, 'day') as grain,
    start_date
  from meta.expected_series
),
expected as (
  select
    e.series_id,
    e.grain,
    cast(
      unnest(
        generate_series(
          case e.grain
            when 'day' then e.start_date
            else cast(
              date_trunc(e.grain, e.start_date - 1)
              + case e.grain when 'week' then interval '7 days' else interval '1 month' end as date
            )
          end,
          case e.grain
            when 'day' then s.sync_day - 1
            else cast(date_trunc(e.grain, s.sync_day) as date) - 1
          end,
          {{ grain_interval }}
        )
      ) as date
    ) as date
  from series e
  cross join main.sync_settings s
),
told as (
  select
    e.series_id,
    e.grain,
    a.status,
    -- Answers to an earlier question (another path, zone or end_date) no longer count.
    {{ is_answered("a.status") }} and coalesce(a.asked_with = t.value, true) as is_answered,
    a.sync_day,
    a.sync_day - {{ final_after_days_of("a") }} as final_day,
    a.fetched_at,
    a.window_start,
    {{ covered_end("a") }} as covered_end
  from meta.slices a
  join series e
    on e.endpoint = a.endpoint
    and e.project_id = a.project_id
    and e.scope = a.scope
    and e.scope_id = a.scope_id
    and e.grain = coalesce(a.grain, 'day')
  left join meta.settings t on t.name = 'asked_with:' || a.endpoint
  cross join main.sync_settings s
  where a.window_kind is null and a.window_start is not null
),
-- Days that stay owed although an answer was loaded for them.
owed as (
  select
    e.series_id,
    cast(
      unnest(
        generate_series(
          o.first_day,
          o.last_day,
          case e.grain when 'week' then interval '7 days' when 'month' then interval '1 month' else interval '1 day' end
        )
      ) as date
    ) as date,
    o.reason
  from meta.owed_days o
  join series e
    on e.endpoint = o.endpoint
    and e.project_id = o.project_id
    and e.scope = o.scope
    and e.scope_id = o.scope_id
    and e.grain = coalesce(o.grain, 'day')
),
-- Of a year of nights that each look back nine days, a day keeps the newest: what the next entry also covers, asked later, nothing is left to say about.
newest as (
  select
    t.*,
    case
      when lead(t.covered_end) over later >= t.covered_end and lead(t.sync_day) over later >= t.sync_day
        then least(t.covered_end, lead(t.window_start) over later - 1)
      else t.covered_end
    end as last_day
  from told t
  window later as (partition by t.series_id, t.is_answered order by t.fetched_at)
),
asked as (
  select
    e.series_id,
    e.grain,
    e.status,
    e.is_answered,
    e.sync_day,
    e.final_day,
    e.fetched_at,
    e.covered_end,
    cast(
      unnest(
        generate_series(
          case e.grain
            when 'day' then e.window_start
            else cast(
              date_trunc(e.grain, e.window_start - 1)
              + case e.grain when 'week' then interval '7 days' else interval '1 month' end as date
            )
          end,
          e.last_day,
          {{ grain_interval }}
        )
      ) as date
    ) as date
  from newest e
),
answered as (
  select
    v.series_id,
    v.date,
    -- Asked before the period was over, it has figures of a part of it.
    bool_or(v.is_answered and v.covered_end >= {{ period_end() }} and coalesce(v.sync_day > {{ period_end() }}, true)) as is_whole,
    bool_or(v.is_answered) as is_begun,
    bool_or(
      v.is_answered and v.covered_end >= {{ period_end() }} and {{ period_end() }} <= v.final_day
    ) as is_settled,
    max(v.fetched_at) filter (where v.is_answered and v.covered_end >= {{ period_end() }}) as last_success_at,
    {{ max_by("v.status", "v.fetched_at") }} as last_status
  from asked v
  group by v.series_id, v.date
)
select
  e.project_id,
  p.name as project_name,
  e.endpoint,
  e.grain,
  v.date,
  e.scope,
  e.scope_id,
  -- The night after the newest period may be still to come: an hourly look at events moves the sync day before.
  coalesce(
    a.is_whole
    or a.last_success_at is not null and {{ period_end() }} >= s.sync_day - 1 and {{ is_answered("a.last_status") }},
    false
  )
  and coalesce(o.reason = 'unconfirmed', true) as is_covered,
  coalesce(a.is_settled, false) and coalesce(o.reason = 'unconfirmed', true) as is_settled,
  case
    when o.reason is not null then o.reason
    when a.last_status = 'refused' and not coalesce(a.is_whole, false) then 'not_available'
    when a.is_settled then 'settled'
    when a.is_whole then 'covered'
    when a.is_begun and {{ is_answered("a.last_status") }} then 'partial'
    else coalesce(a.last_status, 'never_asked')
  end as status,
  a.last_status,
  a.last_success_at
from expected v
cross join main.sync_settings s
join series e on e.series_id = v.series_id
left join answered a on a.series_id = v.series_id and a.date = v.date
left join owed o on o.series_id = v.series_id and o.date = v.date
left join core.projects p on p.project_id = e.project_id;

comment on view detail.sync_series_coverage is 'Which periods of each series are covered. One row per project, endpoint, grain, scope and period that the configuration asks for, up to the day before the sync day. Source: meta.expected_series and meta.slices.';
{{ comments("sync_series_coverage", "project_id, project_name, endpoint, grain = grain_of_coverage, date = period, scope, scope_id") }}
comment on column detail.sync_series_coverage.is_covered is 'True when a stored answer covers the period, be it an empty one, and was asked after the period was over; for the newest period also before, as long as nothing failed since.';
comment on column detail.sync_series_coverage.is_settled is 'True when an answer covers it that was asked after the look-back window: it is not expected to change.';
comment on column detail.sync_series_coverage.status is 'settled, covered, partial (its only answers were asked before it was over, or cover a part of it), unconfirmed (no row, by one sync day only; asked once more), refused (a row could not be read), incomplete (the list is not proven whole), not_available (too old for the server), never_asked, or the newest outcome (failed, suspicious).';
{{ comments("sync_series_coverage", "last_status, last_success_at") }}
