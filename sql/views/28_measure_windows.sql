-- One row per project, measure and day: means of the days around it.
create view main.measure_windows as
with whole as (
  select
    project_id,
    project_name,
    measure,
    date,
    case when is_whole_day then numerator end as numerator,
    case when is_whole_day then denominator end as denominator,
    is_whole_day,
    is_final,
    min(date) over series as first_date,
    max(case when is_whole_day then date end) over series as last_date
  from main.measure_days
  window series as (partition by project_id, measure)
)
select
  project_id,
  project_name,
  measure,
  date,
  sum(numerator) over before_7 / nullif(sum(denominator) over before_7, 0) as mean_before_7,
  count(numerator) over before_7 as days_before_7,
  sum(numerator) over after_7 / nullif(sum(denominator) over after_7, 0) as mean_after_7,
  count(numerator) over after_7 as days_after_7,
  sum(numerator) over before_14 / nullif(sum(denominator) over before_14, 0) as mean_before_14,
  count(numerator) over before_14 as days_before_14,
  sum(numerator) over after_14 / nullif(sum(denominator) over after_14, 0) as mean_after_14,
  count(numerator) over after_14 as days_after_14,
  sum(numerator) over from_14 / nullif(sum(denominator) over from_14, 0) as mean_from_14,
  count(numerator) over from_14 as days_from_14,
  sum(numerator) over last_7 / nullif(sum(denominator) over last_7, 0) as mean_last_7,
  count(numerator) over last_7 as days_last_7,
  sum(numerator) over previous_7 / nullif(sum(denominator) over previous_7, 0) as mean_previous_7,
  count(numerator) over previous_7 as days_previous_7,
  sum(numerator) over last_28 / nullif(sum(denominator) over last_28, 0) as mean_last_28,
  count(numerator) over last_28 as days_last_28,
  sum(numerator) over previous_28 / nullif(sum(denominator) over previous_28, 0) as mean_previous_28,
  count(numerator) over previous_28 as days_previous_28,
  coalesce(date - 14 >= first_date and date + 14 <= last_date, false) as is_complete_14,
  is_whole_day,
  is_final
from whole
window
  before_7 as (partition by project_id, measure order by date rows between 7 preceding and 1 preceding),
  after_7 as (partition by project_id, measure order by date rows between 1 following and 7 following),
  before_14 as (partition by project_id, measure order by date rows between 14 preceding and 1 preceding),
  after_14 as (partition by project_id, measure order by date rows between 1 following and 14 following),
  from_14 as (partition by project_id, measure order by date rows between current row and 13 following),
  last_7 as (partition by project_id, measure order by date rows between 6 preceding and current row),
  previous_7 as (partition by project_id, measure order by date rows between 13 preceding and 7 preceding),
  last_28 as (partition by project_id, measure order by date rows between 27 preceding and current row),
  previous_28 as (partition by project_id, measure order by date rows between 55 preceding and 28 preceding);

comment on view main.measure_windows is 'Means of the days before and after each day, for comparing periods. One row per project, measure and day. What action_impact, turning_points and kpi_changes are made of. Source: the project series.';
-- comments: project_id, project_name, measure, date
comment on column main.measure_windows.mean_before_7 is 'Mean of the 7 days before the day, whole days alone; NULL without a figure. Do not sum or average.';
comment on column main.measure_windows.days_before_7 is 'Days with a figure among the 7 days before the day. Windows overlap: do not sum.';
comment on column main.measure_windows.mean_after_7 is 'Mean of the 7 days after the day, whole days alone; NULL without a figure. Do not sum or average.';
comment on column main.measure_windows.days_after_7 is 'Days with a figure among the 7 days after the day. Windows overlap: do not sum.';
comment on column main.measure_windows.mean_before_14 is 'Mean of the 14 days before the day, whole days alone; NULL without a figure. Do not sum or average.';
comment on column main.measure_windows.days_before_14 is 'Days with a figure among the 14 days before the day. Windows overlap: do not sum.';
comment on column main.measure_windows.mean_after_14 is 'Mean of the 14 days after the day, whole days alone; NULL without a figure. Do not sum or average.';
comment on column main.measure_windows.days_after_14 is 'Days with a figure among the 14 days after the day. Windows overlap: do not sum.';
comment on column main.measure_windows.mean_from_14 is 'Mean of the 14 days that begin with the day, whole days alone; NULL without a figure. Do not sum or average.';
comment on column main.measure_windows.days_from_14 is 'Days with a figure among the 14 days that begin with the day. Windows overlap: do not sum.';
comment on column main.measure_windows.mean_last_7 is 'Mean of the 7 days that end with the day, whole days alone; NULL without a figure. Do not sum or average.';
comment on column main.measure_windows.days_last_7 is 'Days with a figure among the 7 days that end with the day. Windows overlap: do not sum.';
comment on column main.measure_windows.mean_previous_7 is 'Mean of the 7 days before those, whole days alone; NULL without a figure. Do not sum or average.';
comment on column main.measure_windows.days_previous_7 is 'Days with a figure among the 7 days before those. Windows overlap: do not sum.';
comment on column main.measure_windows.mean_last_28 is 'Mean of the 28 days that end with the day, whole days alone; NULL without a figure. Do not sum or average.';
comment on column main.measure_windows.days_last_28 is 'Days with a figure among the 28 days that end with the day. Windows overlap: do not sum.';
comment on column main.measure_windows.mean_previous_28 is 'Mean of the 28 days before those, whole days alone; NULL without a figure. Do not sum or average.';
comment on column main.measure_windows.days_previous_28 is 'Days with a figure among the 28 days before those. Windows overlap: do not sum.';
comment on column main.measure_windows.is_complete_14 is 'True when the 14 whole days before and after are all within the covered days: a cut window holds some weekdays more often than others.';
-- comments: is_whole_day, is_final
