-- One row per project of $1: how long its lists are.
select
  p.project_id as project,
  (select count(*) from core.brands b where b.project_id = p.project_id) as brands,
  (select count(*) from core.prompts q where q.project_id = p.project_id and q.removed_at is null) as prompts,
  coalesce((select list(distinct s.endpoint) from meta.slices s where s.project_id = p.project_id and s.truncated), []) as cut_lists
from (select unnest($1::varchar[]) as project_id) p
