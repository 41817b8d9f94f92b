-- Question: How did visibility move for the prompts that were asked in both periods?
-- Words: like for like, same prompts
-- Grain: one row per project, last 28 days against the 28 before
-- Key: project_id
-- Columns: project_id, project_name, prompts_count, visibility_before, visibility_after, change, change_of_all_prompts
-- Caveat: a fixed basket: each prompt weighs its mean share of the basket's answers in both periods, so that neither new prompts nor
--   how often one is asked moves the figure. Prompts whose visibility the rounding of the list hides are left out.
with basket as (
  select
    project_id,
    project_name,
    visibility_before,
    visibility_after,
    1.0 * responses_before / sum(responses_before) over project + 1.0 * responses_after / sum(responses_after) over project as weight
  from main.prompt_moves
  where window_days = 28 and change is not null
  window project as (partition by project_id)
)
select
  b.project_id,
  b.project_name,
  count(*) as prompts_count,
  sum(b.weight * b.visibility_before) / sum(b.weight) as visibility_before,
  sum(b.weight * b.visibility_after) / sum(b.weight) as visibility_after,
  sum(b.weight * (b.visibility_after - b.visibility_before)) / sum(b.weight) as change,
  max(w.change) as change_of_all_prompts
from basket b
join (select distinct project_id, change from main.why_visibility_moved where window_days = 28) w on w.project_id = b.project_id
group by b.project_id, b.project_name
order by b.project_name, b.project_id;
