-- Question: After which completed actions did visibility change more than it normally does?
-- Grain: one row per completed action, the 20 clearest changes
-- Key: project_id, event_id
-- Columns: project_id, project_name, event_id, date, action_type, action_title, visibility_before, visibility_after,
--   visibility_change, visibility_drift, visibility_typical_change, times_typical, visibility_exceeds_typical,
--   overlap_group_id, other_actions_count, prompt_set_changed, is_comparable
-- Caveat: change after, not caused by; about 1 idle action in 20 exceeds what is typical. times_typical is of the change
--   less drift, the slow trend of the series. Actions of one overlap_group_id share one rise: read them as a period
--   (action_group_impact). Where prompt_set_changed, other questions were asked. Only actions whose 14 days after are final.
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
  visibility_drift,
  visibility_typical_change,
  abs(visibility_change - visibility_drift) / nullif(visibility_typical_change, 0) as times_typical,
  visibility_exceeds_typical,
  overlap_group_id,
  other_actions_count,
  prompt_set_changed,
  is_comparable
from main.action_impact
where is_final and visibility_change is not null
order by visibility_exceeds_typical desc nulls last, times_typical desc nulls last, abs(visibility_change) desc, date, event_id
limit 20;
