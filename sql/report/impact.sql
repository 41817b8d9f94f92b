-- One row per action of project $1 completed from $2 to $3, newest first: means of the 14 days before and after. A change, not a cause.
select
  date,
  action_title,
  action_type,
  visibility_before,
  visibility_after,
  visibility_change,
  share_of_voice_change_points,
  sentiment_change,
  days_before,
  days_after,
  other_actions_count,
  coalesce(is_comparable, false) as is_comparable,
  coalesce(is_final, false) as is_final
from main.action_impact
where project_id = $1 and date between cast($2 as date) and cast($3 as date)
order by occurred_at desc, event_id;
