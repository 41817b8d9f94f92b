-- One row per part of the change of visibility over each window, and then per prompt that moved it most, at most 6.
with parts as materialized (
  select *
  from main.why_visibility_moved
  where not_told is null and {{project}}
),
moves as (
  select *, row_number() over (partition by project_id, window_days order by abs(contribution) desc, prompt_id) as place
  from main.prompt_moves
  where prompt_id <> '(other)' and {{project}}
)
select *
from (
  select project_id, window_days, before_from, before_to, after_from, after_to, change, 'part' as kind, part as label, points, visibility_before, visibility_after
  from parts
  where abs(points) >= 0.05
  union all
  select m.project_id, m.window_days, p.before_from, p.before_to, p.after_from, p.after_to, p.change, 'prompt', coalesce(m.prompt, m.prompt_id), m.contribution, m.visibility_before, m.visibility_after
  from moves m
  join (select distinct project_id, window_days, before_from, before_to, after_from, after_to, change from parts) p
    on p.project_id = m.project_id and p.window_days = m.window_days
  where m.place <= 6 and abs(m.contribution) >= 0.05
)
order by project_id, window_days, kind, abs(points) desc, label;
