-- One row per burst of completed actions whose effect on visibility is judged: the clearest first, at most 8, and of how many. A change after, not a cause.
with bursts as materialized (
  select *
  from main.action_group_impact
  where {{project}}
),
reasons as (
  select
    project_id, count(*) as bursts,
    case not_judged
      when 'neighbour_too_close' then 'too close to another action'
      when 'in_the_wake' then 'in the wake of another action'
      when 'setup_changed' then 'prompts, models or monitors changed'
      when 'too_few_days' then 'too few days with figures'
      when 'not_over' then 'too recent'
      when 'young_series' then 'too little history'
      else replace(not_judged, '_', ' ')
    end as reason
  from bursts
  where not_judged is not null
  group by all
),
counted as (
  select
    b.project_id,
    count(b.visibility_effect) as judged_count,
    (
      select string_agg(concat(r.bursts, ' ', r.reason), ', ' order by r.bursts desc, r.reason)
      from reasons r
      where r.project_id = b.project_id
    ) as not_judged
  from bursts b
  group by b.project_id
)
select
  b.project_id, b.first_date, b.last_date, b.actions, b.titles, b.visibility_before, b.visibility_after,
  b.visibility_effect, b.visibility_effect_low, b.visibility_effect_high, coalesce(b.visibility_is_clear, false) as is_clear,
  b.setup_change_titles, b.other_actions_count, c.judged_count, c.not_judged
from bursts b
join counted c on c.project_id = b.project_id
where b.visibility_effect is not null and b.visibility_before is not null and b.visibility_after is not null
qualify row_number() over (
  partition by b.project_id
  order by coalesce(b.visibility_is_clear, false) desc, abs(b.visibility_effect) / nullif(b.visibility_effect_high - b.visibility_effect_low, 0) desc nulls last, b.first_date desc
) <= 8
order by b.project_id, b.first_date;
