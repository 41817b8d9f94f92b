-- One row per project and period that kpi_changes compares: the last whole days, month and year, and what each is compared with.
create view detail.kpi_periods as
with newest as (
  select project_id, max(date) as last_date from detail.project_days where is_whole_day group by project_id
),
ends as (
  select
    n.project_id,
    n.last_date,
    w.period,
    w.days,
    case w.period
      when 'month' then cast(date_trunc('month', n.last_date + 1) as date) - 1
      when 'year' then cast(date_trunc('year', n.last_date + 1) as date) - 1
      else n.last_date
    end as last_day
  from newest n
  cross join (
    values ('last_7_days', 7), ('last_28_days', 28), ('last_90_days', 90), ('last_365_days', 365), ('month', null), ('year', null)
  ) w (period, days)
),
starts as (
  select
    *,
    case period
      when 'month' then cast(date_trunc('month', last_day) as date)
      when 'year' then cast(date_trunc('year', last_day) as date)
      else last_day - days + 1
    end as first_day
  from ends
)
select
  project_id,
  period,
  cast(days as integer) as window_days,
  last_date,
  first_day,
  last_day,
  case period
    when 'month' then cast(date_trunc('month', first_day - 1) as date)
    when 'year' then cast(date_trunc('year', first_day - 1) as date)
    else first_day - days
  end as first_against,
  first_day - 1 as last_against
from starts;

comment on view detail.kpi_periods is 'The periods that kpi_changes compares: the last whole days, the newest whole calendar month and year, and the days, month or year before. One row per project and period.';
