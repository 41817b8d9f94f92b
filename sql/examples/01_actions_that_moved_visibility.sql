-- Question: After which completed actions did visibility clearly change?
-- Words: did our content work pay off, impact of actions, worth it
-- Grain: one row per completed action with a clear effect, the clearest first, at most 20
-- Key: project_name, date, action_title
-- Columns: project_name, date, action_title, before, effect, margin, judged
-- Caveat: clear is an effect beyond its margin, the half of its 95 % interval; about 1 idle action in 25 is clear too, and judged says of
--   how many actions these are the clear ones. Change after, not caused by: the effect is the change without weekdays, without what moved the
--   rivals as well and without the slow trend. Actions that stand too close to others are not judged one by one: read them as a period
--   (action_group_impact). Only actions whose 14 days after are final.
select
  project_name,
  date,
  action_title,
  visibility_before as before,
  visibility_effect as effect,
  visibility_effect_high - visibility_effect as margin,
  count(*) over () as judged
from main.action_impact
where is_final and visibility_effect is not null
qualify visibility_is_clear
order by abs(effect) / nullif(margin, 0) desc nulls last, date, event_id
limit 20;
