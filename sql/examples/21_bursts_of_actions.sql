-- Question: Which bursts of actions were followed by a clear change?
-- Grain: one row per burst of completed actions (gaps of at most 3 days), the clearest first
-- Key: overlap_group_id
-- Columns: project_id, project_name, overlap_group_id, first_date, last_date, actions, titles, visibility_before,
--   visibility_after, visibility_change, visibility_drift, visibility_typical_change, visibility_exceeds_typical,
--   sentiment_exceeds_typical, share_of_voice_exceeds_typical, other_actions_count, prompt_set_changed
-- Caveat: change after, not caused by. Where other_actions_count is not 0, other bursts within 14 days stand beside the same change. The longer a burst, the further apart the two sides, and the more may lie between
--   them: a project that never pauses has one burst, for which turning points say more.
select
  project_id,
  project_name,
  overlap_group_id,
  first_date,
  last_date,
  actions,
  titles,
  visibility_before,
  visibility_after,
  visibility_change,
  visibility_drift,
  visibility_typical_change,
  visibility_exceeds_typical,
  sentiment_exceeds_typical,
  share_of_voice_exceeds_typical,
  other_actions_count,
  prompt_set_changed
from main.action_group_impact
order by visibility_exceeds_typical desc nulls last, abs(visibility_change - visibility_drift) / nullif(visibility_typical_change, 0) desc nulls last, overlap_group_id;
