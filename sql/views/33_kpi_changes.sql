-- One row per project, measure and length of window: the last whole days against the days before.
{% from "numbers.sql" import two_sided %}
{% from "typical.sql" import typical_steps %}
create view main.kpi_changes as
with every_day as materialized (
  select * from detail.measure_days
),
{{ typical_steps() }},
sides as (
  select
    t.project_id,
    t.project_name,
    t.measure,
    w.window_days,
    w.days_needed * t.sampled_share - 0.5 as days_needed,
    t.last_date,
    case w.window_days
      when 7 then t.typical_change_7_days
      when 28 then t.typical_change_28_days
      when 90 then t.typical_change_90_days
      else t.typical_change_365_days
    end as typical_change,
    -- A steady trend moves the mean of so many days by as many times what it moves in 28.
    t.steady_drift_28_days * w.window_days / 28.0 as drift,
    d.date > t.last_date - w.window_days as is_last,
    sum(d.numerator) filter (where d.is_whole_day) / nullif(sum(d.denominator) filter (where d.is_whole_day), 0) as value,
    count(d.numerator) filter (where d.is_whole_day) as days
  from typical t
  cross join (values (7, 5), (28, 20), (90, 64), (365, 260)) w(window_days, days_needed)
  join every_day d
    on d.project_id = t.project_id and d.measure = t.measure
    and d.date between t.last_date - 2 * w.window_days + 1 and t.last_date
  group by
    t.project_id,
    t.project_name,
    t.measure,
    w.window_days,
    w.days_needed,
    t.sampled_share,
    t.last_date,
    typical_change,
    drift,
    is_last
),
compared as (
  select
    project_id,
    project_name,
    measure,
    window_days,
    days_needed,
    last_date,
    typical_change,
    drift,
    any_value(value) filter (where is_last) as value,
    any_value(value) filter (where not is_last) as previous_value,
    coalesce(any_value(days) filter (where is_last), 0) as days,
    coalesce(any_value(days) filter (where not is_last), 0) as previous_days
  from sides
  group by project_id, project_name, measure, window_days, days_needed, last_date, typical_change, drift
),
measured as (
  select
    *,
    case when days >= days_needed and previous_days >= days_needed then value - previous_value end as change
  from compared
),
strayed as (
  -- At most 30, because PostgreSQL refuses smaller probabilities; 0 where nothing strays.
  select
    m.*,
    p.organization_id,
    case when m.change = 0 then 0 else least(1.96 * abs(m.change) / nullif(m.typical_change, 0), 30) end as deviations
  from measured m
  left join core.projects p on p.project_id = m.project_id
),
probable as (
  select
    *,
    case
      when typical_change is not null and change is not null
        then {{ two_sided("deviations") }}
    end as probability
  from strayed
),
ranked as (
  select
    *,
    row_number() over (partition by organization_id, window_days order by probability asc nulls last) as place,
    count(probability) over (partition by organization_id, window_days) as places
  from probable
),
-- Benjamini and Hochberg: of the rows of a window and organization that are called clear, at most 5 % move by themselves.
judged as (
  select
    *,
    max(case when probability <= 0.05 * place / nullif(places, 0) then probability end) over (partition by organization_id, window_days) as bound
  from ranked
),
setup as (
  select n.project_id, w.window_days, string_agg(cast(s.date as varchar) || ' ' || s.title, '; ' order by s.date asc, s.what asc) as titles
  from newest n
  cross join (values (7), (28), (90), (365)) w (window_days)
  join main.setup_changes s
    on s.project_id = n.project_id and s.moves_figures and s.date > n.last_date - 2 * w.window_days and s.date <= n.last_date
  group by n.project_id, w.window_days
)
select
  j.project_id,
  j.project_name,
  j.measure,
  cast(j.window_days as integer) as window_days,
  j.last_date,
  j.value,
  j.previous_value,
  j.change,
  j.change - j.typical_change as change_low,
  j.change + j.typical_change as change_high,
  j.typical_change,
  case when j.probability is not null then coalesce(j.probability <= j.bound, false) end as is_clear,
  case when j.probability is not null and j.drift is not null then coalesce(j.probability <= j.bound, false) and j.drift <> 0 and abs(j.change - j.drift) <= j.typical_change end as is_trend,
  u.titles as setup_changes,
  j.days as days_with_value,
  j.previous_days as previous_days_with_value
from judged j
left join setup u on u.project_id = j.project_id and u.window_days = j.window_days and j.measure not in ('crawler_requests', 'ai_visits')
-- A year against the year before needs two years; a window that never was whole has no change.
where j.window_days < 90 or j.change is not null;

comment on view main.kpi_changes is 'The last whole days of each figure against the days before, and whether the change exceeds the normal variation of the series. One row per project, measure and length of window; 90 and 365 days where both sides are known. Source: the project series.';
