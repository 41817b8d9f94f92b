-- One row per project, scope and value to ask for: what its lists name, and what they no longer name while it has rows. Projects $1, today $2, days without a row $3.
with
asked as (select unnest($1::varchar[]) as project_id),
newest as (
  select project_id, max(window_start) as window_start
  from core.competitor_heatmap semi join asked using (project_id) group by 1
),
listed as (
  select h.project_id, 'model' as scope, h.model_id as id
  from core.competitor_heatmap h join newest n using (project_id, window_start)
  union
  select project_id, 'model', model_id from core.models, asked where deprecated is distinct from true
  union
  select project_id, 'monitor', monitor_id
  from core.prompts semi join asked using (project_id) where removed_at is null and monitor_id is not null
  union
  select project_id, 'prompt', prompt_id
  from core.prompts semi join asked using (project_id) where removed_at is null
),
unlisted as (
  select project_id, 'model' as scope, model_id as id from core.competitor_heatmap semi join asked using (project_id)
  union
  select project_id, 'model', model_id from core.models, asked
  union
  select project_id, 'monitor', monitor_id from core.monitors semi join asked using (project_id)
),
others as (select * from unlisted anti join listed using (project_id, scope, id)),
seen as (
  select a.project_id, a.scope, a.scope_id as id, max(a.date) filter (where a.state = 'row') as last_row
  from meta.asked_days a semi join others o on o.project_id = a.project_id and o.scope = a.scope and o.id = a.scope_id
  group by all
)
select project_id as project, scope, id from listed
union
select o.project_id, o.scope, o.id
from others o left join seen s using (project_id, scope, id)
where s.id is null or s.last_row >= cast($2 as date) - cast($3 as integer)
order by all
