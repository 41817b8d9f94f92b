-- One row per part of the change of visibility over 28 days, or over 7 where those are not told, and then per prompt that moved it most: at most 8 of each.
with windows as (
  select project_id, max(window_days) as window_days
  from main.why_visibility_moved
  where window_days <= 28 and not_told is null and {{project}}
  group by project_id
),
parts as (
  select w.*
  from main.why_visibility_moved w
  join windows n on n.project_id = w.project_id and n.window_days = w.window_days
),
moves as (
  select m.*, row_number() over (partition by m.project_id order by abs(m.contribution) desc, m.prompt_id) as place
  from main.prompt_moves m
  join windows n on n.project_id = m.project_id and n.window_days = m.window_days
  where m.prompt_id <> '(other)'
)
select *
from (
  select project_id, before_from, before_to, after_from, after_to, change, 'part' as kind, part as label, points, visibility_before, visibility_after
  from parts
  where abs(points) >= 0.05
  union all
  select m.project_id, p.before_from, p.before_to, p.after_from, p.after_to, p.change, 'prompt', coalesce(m.prompt, m.prompt_id), m.contribution, m.visibility_before, m.visibility_after
  from moves m
  join (select distinct project_id, before_from, before_to, after_from, after_to, change from parts) p on p.project_id = m.project_id
  where m.place <= 6 and abs(m.contribution) >= 0.05
)
order by project_id, kind, abs(points) desc, label;
