-- One row per project, measure and length of window: the last whole days against the days before.
create view main.kpi_changes as
with newest as (
  select m.*, t.typical_change_7_days, t.typical_change_28_days, t.drift_last_7_days, t.drift_last_28_days
  from main.measure_windows m
  join main.typical_changes t on t.project_id = m.project_id and t.measure = m.measure and t.last_date = m.date
),
compared as (
  select
    project_id, project_name, measure, 7 as window_days, date,
    mean_last_7 as value, mean_previous_7 as previous_value, days_last_7 as days, days_previous_7 as previous_days,
    5 as days_needed, typical_change_7_days as typical_change, drift_last_7_days as drift
  from newest
  union all
  select
    project_id, project_name, measure, 28, date,
    mean_last_28, mean_previous_28, days_last_28, days_previous_28,
    20, typical_change_28_days, drift_last_28_days
  from newest
),
judged as (
  select
    *,
    case when days >= days_needed and previous_days >= days_needed then value - previous_value end as change
  from compared
)
select
  project_id,
  project_name,
  measure,
  cast(window_days as integer) as window_days,
  date as last_date,
  value,
  previous_value,
  change,
  typical_change,
  round(abs(change - drift), 9) > typical_change as is_clear,
  days as days_with_value,
  previous_days as previous_days_with_value
from judged;

comment on view main.kpi_changes is 'The last whole days of each figure against the days before, and whether the change is more than the series does by itself. One row per project, measure and length of window. Source: the project series.';
-- comments: project_id, project_name, measure
comment on column main.kpi_changes.window_days is 'Days on each side: 7 or 28. Filter on one.';
comment on column main.kpi_changes.last_date is 'Last whole day (UTC); the window ends here.';
comment on column main.kpi_changes.value is 'Mean of the last days; a share is computed from the counts of the days together; requests, visits and citations are per day. Do not sum or average.';
comment on column main.kpi_changes.previous_value is 'The same for as many days before. Do not sum or average.';
comment on column main.kpi_changes.change is 'Value less previous value, in the unit of the measure; NULL when a side has fewer than 5 of 7 or 20 of 28 days. Do not sum or average.';
comment on column main.kpi_changes.typical_change is 'How far such a difference strays by itself (main.typical_changes); NULL with fewer than 60 days to tell it from. Do not sum or average.';
comment on column main.kpi_changes.is_clear is 'True when the change, less the slow trend of the series, is larger than typical: only then colour it. NULL when not known.';
comment on column main.kpi_changes.days_with_value is 'Days with a figure in the window.';
comment on column main.kpi_changes.previous_days_with_value is 'Days with a figure in the window before.';
