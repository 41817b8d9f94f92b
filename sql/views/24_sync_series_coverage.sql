-- One row per project, endpoint, scope and period.
{% from "days.sql" import final_after_days, period_end %}
{% set grain_interval %}case e.grain when 'day' then interval '1 day' when 'week' then interval '7 days' else interval '1 month' end{% endset %}
create view detail.sync_series_coverage as
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
              + case e.grain when 'week' then interval '7 days' else interval '1 month' end as date
            )
          end,
          case coalesce(e.grain, 'day')
            when 'day' then s.clock_day - 1
            else cast(date_trunc(e.grain, s.clock_day) as date) - 1
          end,
          {{ grain_interval | replace("e.grain", "coalesce(e.grain, 'day')") }}
        )
      ) as date
    ) as date
  from meta.expected_series e
  cross join main.sync_settings s
  where e.start_date is not null
),
told as (
  select
    a.endpoint,
    a.project_id,
    a.scope,
    a.scope_id,
    coalesce(a.grain, 'day') as grain,
    max_by(a.status, a.fetched_at) as last_status
  from meta.slices a
  where a.window_kind is null and a.window_start is not null
  group by a.endpoint, a.project_id, a.scope, a.scope_id, coalesce(a.grain, 'day')
),
-- Answers to an earlier question (another path, zone or end_date) no longer count.
asked as (
  select x.endpoint, x.project_id, x.scope, x.scope_id, coalesce(x.grain, 'day') as grain, x.date, x.state, x.reason, x.asked_on
  from meta.asked_days x
  left join meta.settings w on w.name = 'asked_with:' || x.endpoint
  where x.window_kind is null and coalesce(x.asked_with = w.value, true)
),
-- Few slices end badly.
failed as (
  select endpoint, project_id, scope, scope_id, grain, date, max_by(status, fetched_at) as status
  from (
    select
      e.endpoint,
      e.project_id,
      e.scope,
      e.scope_id,
      coalesce(e.grain, 'day') as grain,
      cast(
        unnest(
          generate_series(
            cast(date_trunc(coalesce(e.grain, 'day'), e.window_start) as date),
            e.window_end,
            {{ grain_interval | replace("e.grain", "coalesce(e.grain, 'day')") }}
          )
        ) as date
      ) as date,
      e.status,
      e.fetched_at
    from meta.slices e
    where e.window_kind is null and e.status in ('failed', 'suspicious')
  ) days
  group by endpoint, project_id, scope, scope_id, grain, date
),
known as (
  select endpoint, project_id, scope, scope_id, coalesce(grain, 'day') as grain, reason, min(first_on) as known_first_on
  from meta.alarms
  where window_kind is null and known_since is not null and reason <> 'shrunk'
  group by endpoint, project_id, scope, scope_id, coalesce(grain, 'day'), reason
),
known_series as (
  select endpoint, project_id, scope, scope_id, grain, min(reason) as reason, min(known_first_on) as known_first_on
  from known
  group by endpoint, project_id, scope, scope_id, grain
),
periods as (
  select
    v.endpoint,
    v.project_id,
    v.scope,
    v.scope_id,
    v.grain,
    v.date,
    x.state,
    x.reason,
    x.asked_on,
    coalesce(f.status, t.last_status) as last_status,
    f.status as failed_status,
    -- Asked before it was over, it has figures of a part of it; the night after the newest one may be still to come.
    coalesce(x.asked_on > {{ period_end() }}, false)
      or coalesce(x.asked_on >= {{ period_end() }} and {{ period_end() }} >= s.clock_day - 1 and f.status is null, false) as is_whole,
    coalesce(x.asked_on - {{ period_end() }} >= {{ final_after_days() }} and coalesce(x.reason, '') not in ('vanishing', 'bad_row', 'incomplete'), false) as is_settled
  from expected v
  cross join main.sync_settings s
  left join asked x
    on x.endpoint = v.endpoint and x.project_id = v.project_id and x.scope = v.scope and x.scope_id = v.scope_id and x.grain = v.grain and x.date = v.date
  left join failed f
    on f.endpoint = v.endpoint and f.project_id = v.project_id and f.scope = v.scope and f.scope_id = v.scope_id and f.grain = v.grain and f.date = v.date
  left join told t
    on t.endpoint = v.endpoint and t.project_id = v.project_id and t.scope = v.scope and t.scope_id = v.scope_id and t.grain = v.grain
)
select
  v.project_id,
  p.name as project_name,
  v.endpoint,
  v.grain,
  v.date,
  v.scope,
  v.scope_id,
  v.is_whole and coalesce(v.reason, '') not in ('bad_row', 'incomplete') as is_covered,
  v.is_settled,
  case
    -- The server has nothing of it any more: at most what came while it was running.
    when v.reason in ('too_old', 'kept') and not v.is_whole then 'not_available'
    when coalesce(v.reason, '') not in ('bad_row', 'incomplete') and v.is_whole and v.state = 'unconfirmed' then 'unconfirmed'
    when coalesce(v.reason, '') not in ('bad_row', 'incomplete') and v.is_settled then 'settled'
    when coalesce(v.reason, '') not in ('bad_row', 'incomplete') and v.is_whole then 'covered'
    when coalesce(l.reason, k.reason, r.reason, q.reason) is not null then 'known'
    when v.reason = 'bad_row' then 'refused'
    when v.reason = 'incomplete' then 'incomplete'
    when v.failed_status is not null then v.failed_status
    when v.asked_on is not null then 'partial'
    else 'never_asked'
  end as status,
  v.last_status,
  coalesce(l.reason, k.reason, r.reason, q.reason) as known_reason,
  coalesce(l.first_on, k.known_first_on, r.known_first_on, q.known_first_on) as known_first_on,
  v.asked_on
from periods v
-- An unreadable row is the known reason of its day; a day that was never answered has the known reason of its series.
left join known k
  on k.endpoint = v.endpoint and k.project_id = v.project_id and k.scope = v.scope and k.scope_id = v.scope_id and k.grain = v.grain
  and k.reason = case when v.reason in ('bad_row', 'incomplete') then v.reason end
left join known_series r
  on r.endpoint = v.endpoint and r.project_id = v.project_id and r.scope = v.scope and r.grain = v.grain
  and r.scope_id = case when v.last_status = 'failed' then v.scope_id end
-- Of a parameter that is refused, every value.
left join known_series q
  on q.endpoint = v.endpoint and q.project_id = v.project_id and q.scope = v.scope and q.grain = v.grain
  and q.scope_id = case when v.last_status = 'failed' then '' end
left join meta.alarms l on l.project_id = v.project_id and l.reason = 'lost' and l.known_since is not null
left join core.projects p on p.project_id = v.project_id;

comment on view detail.sync_series_coverage is 'Which periods of each series are covered. One row per project, endpoint, grain, scope and period that the configuration asks for, up to the day before the newest run. Source: meta.expected_series and meta.asked_days.';
