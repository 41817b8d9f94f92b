-- Question: After which completed actions did visibility clearly change?
-- Words: did our content work pay off, impact of actions, worth it
-- Grain: one row per action, or burst of actions that cannot be told apart, with a clear effect, the clearest first, at most 20
-- Key: project_name, first_date
-- Columns: project_name, first_date, last_date, titles, before, effect, margin, judged
-- Caveat: clear is an effect beyond its margin, the half of its 95 % interval; about 1 idle action in 25 is clear too, and judged has the number of
--   how many these are the clear ones. Change after, not caused by: the effect is the change without weekdays, without what moved the
--   rivals as well and without the slow trend. Actions within 4 days of each other, or in the wake of the one before, are judged together.
--   Only those whose 14 days after are final.
select
  project_name,
  first_date,
  last_date,
  titles,
  visibility_before as before,
  visibility_effect as effect,
  visibility_effect_high - visibility_effect as margin,
  count(*) over () as judged
from main.action_group_impact
where is_final and visibility_effect is not null
qualify visibility_is_clear
order by abs(effect) / nullif(margin, 0) desc nulls last, first_date, overlap_group_id
limit 20;
