-- At most one row: two stored nights of the prompt list against the daily figures between them.
with periods as (
  select middle_night, to_night, after_from, after_to, responses_after, visibility_after
  from detail.visibility_periods
  where project_id = {{project_id}} and responses_after > 0
  order by window_days limit 1
),
lists as (
  select
    sum(s.amount_of_responses) filter (where s.date = p.middle_night) as first_n,
    sum(s.amount_of_responses) filter (where s.date = p.to_night) as last_n,
    sum(s.amount_of_responses * s.average_visibility) filter (where s.date = p.middle_night) as first_score,
    sum(s.amount_of_responses * s.average_visibility) filter (where s.date = p.to_night) as last_score,
    count(distinct s.prompt_id) > count(distinct s.prompt_id) filter (where s.date = p.to_night) as removed
  from core.prompt_snapshots s
  join periods p on s.date in (p.middle_night, p.to_night)
  where s.project_id = {{project_id}}
),
compared as (
  select p.*, l.removed, l.last_n - l.first_n as listed, (l.last_score - l.first_score) / (l.last_n - l.first_n) as rated
  from periods p, lists l
  where l.last_n > l.first_n and p.visibility_after is not null and l.last_score is not null and l.first_score is not null
)
select
  -- Above these errors, the parts of `why_visibility_moved` are NULL.
  case
    when abs(listed - responses_after) <= 0.05 * responses_after and abs(rated - visibility_after) <= 1
      then 'as documented'
    when removed then 'cannot tell'
    else 'nothing to set'
  end as verdict,
  case verdict
    when 'as documented' then 'the prompt list holds running totals of all answers'
    when 'cannot tell' then 'prompts were removed between the two stored nights'
    else 'the prompt list contradicts the daily figures, so why_visibility_moved stays empty'
  end as text,
  format('{} to {}: {} answers, visibility {:.1f}; by day {}, {:.1f}',
    after_from, after_to, listed, rated, responses_after, visibility_after) as detail
from compared
