-- Question: When did visibility turn, and what happened in the week before?
-- Grain: one row per project and day, the three largest 7-day changes of each project, each more than 14 days from a larger one
-- Key: project_id, date
-- Columns: project_id, project_name, date, visibility_7_day_mean, visibility_previous_7_day_mean,
--   visibility_7_day_change, events_before_count, event_titles_before
-- Caveat: a 7-day mean against the mean of the 7 days before, days without a value left out. Events stand beside the
--   change because they came before it, not because they made it.
with changes as (
  select project_id, project_name, date, visibility_7_day_mean, visibility_previous_7_day_mean, visibility_7_day_change
  from main.visibility_with_events
  where scope = 'project' and is_final and visibility_7_day_change is not null
),
peaks as (
  select c.*
  from changes c
  where not exists (
    from changes o
    where o.project_id = c.project_id
      and o.date between c.date - 14 and c.date + 14
      and (
        abs(o.visibility_7_day_change) > abs(c.visibility_7_day_change)
        or (abs(o.visibility_7_day_change) = abs(c.visibility_7_day_change) and o.date < c.date)
      )
  )
  qualify row_number() over (partition by c.project_id order by abs(c.visibility_7_day_change) desc, c.date) <= 3
),
events as (
  select
    p.project_id,
    p.date,
    cast(sum(e.events_count) as bigint) as events_before_count,
    string_agg(e.event_titles, '; ' order by e.date) as event_titles_before
  from peaks p
  join main.event_days e on e.project_id = p.project_id and e.date between p.date - 7 and p.date
  group by p.project_id, p.date
)
select
  p.project_id,
  p.project_name,
  p.date,
  p.visibility_7_day_mean,
  p.visibility_previous_7_day_mean,
  p.visibility_7_day_change,
  e.events_before_count,
  e.event_titles_before
from peaks p
left join events e on e.project_id = p.project_id and e.date = p.date
order by p.project_name, abs(p.visibility_7_day_change) desc, p.date;
