-- Question: Which prompts moved visibility?
-- Grain: one row per project and prompt, last 28 days against the 28 before, the ten that moved it most
-- Key: project_id, prompt_id
-- Columns: project_id, project_name, prompt_id, prompt, monitor_name, contribution, visibility_before, visibility_after,
--   responses_before, responses_after, rounding_error
-- Caveat: contributions of all prompts sum to the change of the project; those of one prompt hold how often it was asked too.
--   A visibility is NULL without answers, and where the rounding of the list may change it by more than 2 points.
select
  project_id,
  project_name,
  prompt_id,
  prompt,
  monitor_name,
  contribution,
  visibility_before,
  visibility_after,
  responses_before,
  responses_after,
  rounding_error
from main.prompt_moves
where window_days = 28
qualify row_number() over (partition by project_id order by abs(contribution) desc, prompt_id) <= 10
order by project_name, abs(contribution) desc, prompt_id;
