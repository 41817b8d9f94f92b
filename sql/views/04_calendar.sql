-- One row per day, every day that any project covers.
create view main.calendar as
with bounds as (
  select min(date) as first_date, max(date) as last_date from detail.project_days
),
days as (
  select cast(unnest(generate_series(first_date, last_date, interval '1 day')) as date) as date from bounds
)
select
  date,
  cast(isoyear(date) as integer) as iso_year,
  cast(weekofyear(date) as integer) as iso_week,
  cast(isodow(date) as integer) as iso_day_of_week,
  dayname(date) as day_name,
  cast(date_trunc('week', date) as date) as week_start,
  cast(date_trunc('month', date) as date) as month_start,
  cast(date_trunc('quarter', date) as date) as quarter_start,
  cast(year(date) as integer) as year,
  cast(month(date) as integer) as month,
  isodow(date) in (6, 7) as is_weekend,
  coalesce(date < s.sync_day, true) as is_whole_day
from days
cross join main.sync_settings s;

comment on view main.calendar is 'Days with their week, month and quarter. One row per day from the first to the last covered day of any project. Source: computed.';
