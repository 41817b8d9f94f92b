-- Question: Which days can I trust?
-- Grain: one row per project and day, the last 60 days before the sync day
-- Key: project_id, date
-- Columns: project_id, project_name, date, endpoints_expected_count, endpoints_covered_count,
--   endpoints_settled_count, endpoints_missing, trust
-- Caveat: settled means asked again after the look-back window: no change is expected. Covered figures may still change,
--   missing ones are not zero. endpoints_missing names what to leave out of a chart of that day.
select
  c.project_id,
  c.project_name,
  c.date,
  count(*) as endpoints_expected_count,
  count(*) filter (where c.is_covered) as endpoints_covered_count,
  count(*) filter (where c.is_settled) as endpoints_settled_count,
  string_agg(c.endpoint, ', ' order by c.endpoint) filter (where not c.is_covered) as endpoints_missing,
  case
    when bool_and(c.is_settled) then 'settled'
    when bool_and(c.is_covered) then 'may still change'
    when bool_or(c.is_covered) then 'partly missing'
    else 'missing'
  end as trust
from main.sync_coverage c
cross join main.sync_settings s
where c.date >= s.sync_day - 60
group by c.project_id, c.project_name, c.date
order by c.project_name, c.date desc;
