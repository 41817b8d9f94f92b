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
)
select cast(p.after_from as varchar) as first, cast(p.after_to as varchar) as last,
  cast(l.last_n - l.first_n as double) as listed_responses, (l.last_score - l.first_score) / (l.last_n - l.first_n) as listed_visibility,
  p.responses_after as responses, p.visibility_after as visibility, l.removed
from periods p, lists l
where l.last_n > l.first_n and p.visibility_after is not null and l.last_score is not null and l.first_score is not null
