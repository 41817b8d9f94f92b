-- Question: After which completed actions did visibility clearly change?
-- Grain: one row per completed action that could be judged, the clearest first, at most 20; shown_of says how many there are
-- Key: project_id, event_id
-- Columns: project_id, project_name, event_id, date, action_type, action_title, visibility_before, visibility_after,
--   visibility_change, visibility_effect, visibility_effect_low, visibility_effect_high, visibility_is_clear,
--   overlap_group_id, other_actions_count, setup_change_titles, shown_of
-- Caveat: change after, not caused by; about 1 idle action in 25 is clear too. The effect is the change without
--   weekdays, without what moved the rivals as well and without the slow trend, with its 95 % interval. Actions that stand too close
--   to others are not judged one by one: read them as a period (action_group_impact). Only actions whose 14 days after are final.
select
  project_id,
  project_name,
  event_id,
  date,
  action_type,
  action_title,
  visibility_before,
  visibility_after,
  visibility_change,
  visibility_effect,
  visibility_effect_low,
  visibility_effect_high,
  visibility_is_clear,
  overlap_group_id,
  other_actions_count,
  setup_change_titles,
  count(*) over () as shown_of
from main.action_impact
where is_final and visibility_effect is not null
order by visibility_is_clear desc, abs(visibility_effect) / nullif(visibility_effect_high - visibility_effect, 0) desc nulls last, date, event_id
limit 20;
