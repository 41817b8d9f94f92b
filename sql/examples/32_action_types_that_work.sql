-- Question: Which types of actions work, over all projects?
-- Grain: one row per action type, the clear ones first
-- Key: action_type
-- Columns: action_type, actions_count, judged_count, mean_effect, effect_low, effect_high, is_clear
-- Caveat: mean of the effects on visibility, in points, that could be judged, with its 95 % interval; change after, not
--   caused by. About 1 type in 20 is clear by chance. Put sentiment or share_of_voice for another measure, or a project
--   for 'all'.
select action_type, actions_count, judged_count, mean_effect, effect_low, effect_high, is_clear
from main.action_type_impact
where project_id = 'all' and measure = 'visibility'
order by is_clear desc nulls last, mean_effect desc nulls last, action_type;
