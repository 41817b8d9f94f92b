-- One row per project, measure and period: the last whole days, month or year against those before.
{% from "basket.sql" import real_steps %}
{% from "numbers.sql" import half, two_sided %}
{% from "typical.sql" import typical_steps %}
create view main.kpi_changes as
with every_day as materialized (
  select * from detail.measure_days
),
{{ typical_steps() }},
setup as materialized (
  select project_id, date, what, title from main.setup_changes where moves_figures
),
wanted as materialized (
  select * from detail.kpi_periods
),
{{ real_steps() }},
weekdays as (
  select
    d.project_id,
    d.measure,
    w.period,
    d.date >= w.first_day as is_last,
    isodow(d.date) as weekday,
    sum(d.numerator) filter (where d.is_whole_day) as numerator,
    sum(d.denominator) filter (where d.is_whole_day) as denominator,
    count(d.numerator) filter (where d.is_whole_day) as days
  from wanted w
  join every_day d on d.project_id = w.project_id and d.date between w.first_against and w.last_day
  group by d.project_id, d.measure, w.period, d.date >= w.first_day, isodow(d.date)
),
side_sums as (
  select
    project_id,
    measure,
    period,
    {% for side, is_here in [["", "is_last"], ["previous_", "not is_last"]] %}
    sum(numerator) filter (where {{ is_here }}) / nullif(sum(denominator) filter (where {{ is_here }}), 0) as {{ side }}plain,
    avg(numerator / nullif(denominator, 0)) filter (where {{ is_here }}) as {{ side }}balanced,
    coalesce(sum(days) filter (where {{ is_here }}), 0) as {{ side }}days,
    count(*) filter (where {{ is_here }} and days >= 2) as {{ side }}weekdays{{ "," if not loop.last }}
    {% endfor %}
  from weekdays
  group by project_id, measure, period
),
compared as (
  select
    t.project_id,
    t.project_name,
    t.measure,
    w.period,
    w.window_days,
    w.first_day,
    w.last_day,
    w.first_against,
    w.last_against,
    cast(s.days as bigint) as days,
    cast(s.previous_days as bigint) as previous_days,
    s.days >= floor(5.0 * (w.last_day - w.first_day + 1) / 7) * t.sampled_share - 0.5
      and s.previous_days >= floor(5.0 * (w.last_against - w.first_against + 1) / 7) * t.sampled_share - 0.5 as has_days,
    case w.window_days
      when 7 then t.typical_change_7_days
      when 28 then t.typical_change_28_days
      when 90 then t.typical_change_90_days
      when 365 then t.typical_change_365_days
      else {{ half("t.typical_change_7_days", "s.days", "s.previous_days", "(w.first_day - w.first_against + (w.last_day - w.last_against)) / 2.0") }}
    end as typical_change,
    -- A steady trend moves the mean of so many days by as many times what it moves in 28.
    t.steady_drift_28_days * (w.first_day - w.first_against) / 28.0 as drift,
    -- Months and years have other weekdays than those before: each counts alike, as in compare_periods.
    {% set is_balanced = "w.window_days is null and t.measure not in ('share_of_voice', 'net_sentiment_known') and s.weekdays = 7 and s.previous_weekdays = 7" %}
    case when {{ is_balanced }} then s.balanced else s.plain end as value,
    case when {{ is_balanced }} then s.previous_balanced else s.previous_plain end as previous_value
  from typical t
  join wanted w on w.project_id = t.project_id
  join side_sums s on s.project_id = t.project_id and s.measure = t.measure and s.period = w.period
),
titles as (
  select w.project_id, w.period, string_agg(cast(s.date as varchar) || ' ' || s.title, '; ' order by s.date asc, s.what asc) as titles
  from wanted w
  join setup s on s.project_id = w.project_id and s.date between w.first_against and w.last_day
  group by w.project_id, w.period
),
measured as (
  select
    c.*,
    u.titles as setup_changes,
    case when c.has_days then c.value - c.previous_value end as change,
    case when c.has_days then coalesce(r.real_change, c.value - c.previous_value - r.change_of_questions) end as real_change
  from compared c
  left join titles u on u.project_id = c.project_id and u.period = c.period and c.measure not in ('crawler_requests', 'ai_visits')
  left join real r on r.project_id = c.project_id and r.period = c.period and r.measure = c.measure
),
strayed as (
  -- At most 30, because PostgreSQL refuses smaller probabilities; 0 where nothing strays.
  select
    m.*,
    p.organization_id,
    {% for change in ["change", "real_change"] %}
    case
      when m.{{ change }} is null or m.typical_change is null then null
      when m.{{ change }} = 0 then 0
      else least(1.96 * abs(m.{{ change }}) / nullif(m.typical_change, 0), 30)
    end as {{ change }}_deviations{{ "," if not loop.last }}
    {% endfor %}
  from measured m
  left join core.projects p on p.project_id = m.project_id
),
probable as (
  select
    *,
    {% for change in ["change", "real_change"] %}
    {{ two_sided(change ~ "_deviations") }} as {{ change }}_probability{{ "," if not loop.last }}
    {% endfor %}
  from strayed
),
-- Where the questions changed, only the real change is judged.
tested as (
  select *, case when setup_changes is null then change_probability else real_change_probability end as probability
  from probable
),
ranked as (
  select
    *,
    row_number() over (partition by organization_id, period order by probability asc nulls last) as place,
    count(probability) over (partition by organization_id, period) as places
  from tested
),
-- Benjamini and Hochberg: of the rows of a window and organization that are called clear, at most 5 % move by themselves.
bounded as (
  select
    *,
    coalesce(max(case when probability <= 0.05 * place / nullif(places, 0) then probability end) over (partition by organization_id, period), -1) as bound
  from ranked
),
verdicts as (
  select
    *,
    case when setup_changes is null then change_probability <= bound end as is_clear,
    real_change_probability <= bound as real_is_clear
  from bounded
)
select
  project_id,
  project_name,
  measure,
  period,
  window_days,
  last_day as last_date,
  value,
  previous_value,
  change,
  change - typical_change as change_low,
  change + typical_change as change_high,
  typical_change,
  case when setup_changes is null then change / nullif(typical_change, 0) end as change_in_typical,
  is_clear,
  case when drift is not null then is_clear and drift <> 0 and abs(change - drift) <= typical_change end as is_trend,
  case when setup_changes is not null then 'setup_changed' end as not_judged,
  real_change,
  real_change - typical_change as real_low,
  real_change + typical_change as real_high,
  real_is_clear,
  setup_changes,
  days as days_with_value,
  previous_days as previous_days_with_value
from verdicts
-- A year against the year before needs two years; a window that never was whole has no change.
where period in ('last_7_days', 'last_28_days') or change is not null;

comment on view main.kpi_changes is 'The last whole days of each figure against the days before, the newest whole calendar month and year against the ones before, and whether the change exceeds the normal variation of the series. Other periods: the macro compare_periods. One row per project, measure and period; all but 7 and 28 days where both sides are known. Source: the project series.';
