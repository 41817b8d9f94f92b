-- One row per burst of completed actions with visibility on at least 10 of the 14 days on either side: change of visibility, the clearest first, at most 8. A change, not a cause.
select
  project_id, first_date, last_date, actions, titles, visibility_before, visibility_after, visibility_change, visibility_typical_change,
  coalesce(visibility_is_clear, false) as is_clear, coalesce(prompt_set_changed, false) as prompt_set_changed, other_actions_count
from main.action_group_impact
where visibility_change is not null and days_before >= 10 and days_after >= 10 and {{project}}
qualify row_number() over (
  partition by project_id
  order by abs(visibility_effect) / nullif(visibility_effect_high - visibility_effect, 0) desc nulls last, first_date desc
) <= 8
order by project_id, first_date;
