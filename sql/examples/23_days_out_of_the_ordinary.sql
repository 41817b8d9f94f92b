-- Question: Which days were out of the ordinary?
-- Grain: one row per project, measure and day, the last 90 days, newest first
-- Key: project_id, measure, date
-- Columns: project_id, project_name, measure, date, value, expected_value, deviations, event_titles
-- Caveat: against the same weekday of the 8 weeks before, beyond 3.5 robust standard deviations. A day to look at, not an
--   error: an event of that day stands next to it and need not be the reason.
select
  a.project_id,
  a.project_name,
  a.measure,
  a.date,
  a.value,
  a.expected_value,
  a.deviations,
  e.event_titles
from main.anomalies a
cross join main.sync_settings s
left join main.daily_kpis e on e.project_id = a.project_id and e.date = a.date
where a.date >= s.sync_day - 90
order by a.date desc, a.project_name, a.measure;
