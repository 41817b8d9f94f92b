-- Question: For which prompts are we most and least visible?
-- Words: best prompts, worst prompts, top questions
-- Grain: one row per project and prompt, five best and five worst
-- Key: project_id, prompt_id
-- Columns: project_id, project_name, prompt_id, prompt, prompt_type, monitor_name, side, place, average_visibility,
--   responses_count, search_volume
-- Caveat: an average over all responses since the prompt was created, as the API reports it. Prompts with fewer than 10
--   responses, and paused ones are left out. With fewer than ten prompts all of them appear once.
with ranked as (
  select
    *,
    row_number() over (partition by project_id order by average_visibility desc, prompt_id) as best_place,
    row_number() over (partition by project_id order by average_visibility, prompt_id) as worst_place
  from main.prompt_catalog
  where is_active and average_visibility is not null and responses_count >= 10
)
select
  project_id,
  project_name,
  prompt_id,
  prompt,
  prompt_type,
  monitor_name,
  case when best_place <= 5 then 'best' else 'worst' end as side,
  least(best_place, worst_place) as place,
  average_visibility,
  responses_count,
  search_volume
from ranked
where best_place <= 5 or worst_place <= 5
order by project_name, side, place, prompt_id;
