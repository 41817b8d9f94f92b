-- One row per parent of {{table}} to ask for: projects $1, endpoint $2, sync day $3, days until it is asked for again $4, at most $5 a project, of which the runs $6 have asked for some; waiting: how many a project has to ask for.
with
asked as (
  select project_id, scope_id, max(sync_day) as asked_on, bool_or(run_id in (select unnest($6::varchar[]))) as is_done
  from meta.slices
  where endpoint = $2 and scope = 'parent' and (status <> 'failed' or error_class = 'contract')
  group by all
),
done as (select project_id, count(*) filter (is_done) as done from asked group by 1)
select p.project_id as "projectId", cast(p.{{column}} as varchar) as id,
  count(*) over (partition by p.project_id) as waiting
from {{table}} p
left join asked a on a.project_id = p.project_id and a.scope_id = cast(p.{{column}} as varchar)
left join done d on d.project_id = p.project_id
where p.project_id in (select unnest($1::varchar[])) and p.removed_at is null
  and coalesce(a.asked_on <= cast($3 as date) - cast($4 as integer), true)
qualify row_number() over (partition by p.project_id order by a.asked_on nulls first, id) <= cast($5 as integer) - coalesce(d.done, 0)
order by all
