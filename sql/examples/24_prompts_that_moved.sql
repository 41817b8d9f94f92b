-- Question: Which prompts gained and lost visibility since they were first seen?
-- Grain: one row per project and prompt with at least two syncs
-- Key: project_id, prompt_id
-- Columns: project_id, project_name, prompt_id, prompt, monitor_name, first_date, last_date, visibility_first,
--   visibility_last, visibility_change, new_responses_count
-- Caveat: the figure is an average over all responses since the prompt was created, so that it moves slowly; a prompt
--   without new responses cannot move at all.
select
  project_id,
  project_name,
  prompt_id,
  max_by(prompt, date) as prompt,
  max_by(monitor_name, date) as monitor_name,
  min(date) as first_date,
  max(date) as last_date,
  min_by(average_visibility, date) as visibility_first,
  max_by(average_visibility, date) as visibility_last,
  max_by(average_visibility, date) - min_by(average_visibility, date) as visibility_change,
  cast(sum(new_responses_count) as bigint) as new_responses_count
from main.prompt_trend
group by project_id, project_name, prompt_id
having count(*) >= 2
order by project_name, abs(visibility_change) desc nulls last, prompt_id;
