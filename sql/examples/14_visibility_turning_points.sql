-- Question: When did the level of visibility shift, and what happened in the two weeks before?
-- Grain: one row per project and day on which the level shifted, the clearest first
-- Key: project_id, date
-- Columns: project_id, project_name, date, value_before, value_after, change, drift, typical_change,
--   candidates_count, candidate_titles, is_final
-- Caveat: means of 14 days, less drift (the slow trend of the series) beyond 1.35 times the normal variation of the series.
--   The day is right give or take a few, and an idle project has one in a year or two. Events are listed with the
--   shift because they came before it, not because they made it.
select
  project_id,
  project_name,
  date,
  value_before,
  value_after,
  change,
  drift,
  typical_change,
  candidates_count,
  candidate_titles,
  is_final
from main.turning_points
where measure = 'visibility'
order by project_name, abs(change - drift) / nullif(typical_change, 0) desc nulls first, date;
