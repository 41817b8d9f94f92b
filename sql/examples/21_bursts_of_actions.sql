-- Question: Which bursts of actions were followed by a clear change?
-- Grain: one row per burst of completed actions (those that cannot be judged separately), the clearest first, at most 20; shown_of is their number
-- Key: overlap_group_id
-- Columns: project_id, project_name, overlap_group_id, first_date, last_date, actions, titles, visibility_before,
--   visibility_after, visibility_change, visibility_effect, visibility_effect_low, visibility_effect_high, visibility_is_clear,
--   visibility_effect_15_28, visibility_effect_29_56, sentiment_is_clear, share_of_voice_is_clear, not_judged, setup_change_titles,
--   shown_of
-- Caveat: change after, not caused by. not_judged says why a burst has no effect. The longer a burst, the further apart the
--   two sides, and the more may lie between them (at most 28 days): for a project that never pauses, turning points say more.
--   Content works slowly: the effects of days 15 to 28 and 29 to 56 have intervals in the view.
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
  visibility_effect,
  visibility_effect_low,
  visibility_effect_high,
  visibility_is_clear,
  visibility_effect_15_28,
  visibility_effect_29_56,
  sentiment_is_clear,
  share_of_voice_is_clear,
  not_judged,
  setup_change_titles,
  count(*) over () as shown_of
from main.action_group_impact
order by visibility_is_clear desc nulls last, abs(visibility_effect) / nullif(visibility_effect_high - visibility_effect, 0) desc nulls last, overlap_group_id
limit 20;
