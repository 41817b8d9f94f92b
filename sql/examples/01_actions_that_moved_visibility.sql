-- Question: After which completed actions did visibility change most?
-- Grain: one row per completed action, the 20 largest changes
-- Key: project_id, event_id
-- Columns: project_id, project_name, event_id, date, action_type, action_title, visibility_before, visibility_after,
--   visibility_change, share_of_voice_change_points, days_before, days_after, other_actions_count, is_comparable
-- Caveat: change after, not caused by. Where is_comparable is false other actions were completed nearby or days are
--   missing: read such rows as a period, not as the effect of one action. Only actions whose 14 days after are final.
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
  share_of_voice_change_points,
  days_before,
  days_after,
  other_actions_count,
  is_comparable
from main.action_impact
where is_final and visibility_change is not null
order by is_comparable desc, abs(visibility_change) desc, date, event_id
limit 20;
