-- One row per id to look up, newest first: projects $1, at most $2 ids, endpoint $3. Ids of {{mentioning}} that {{table}} lacks although the list {{list}} was answered, and that were not looked up before.
select e.project_id as "projectId", e.{{id}} as id
from {{mentioning}} e
where e.project_id in (select unnest($1::varchar[]))
  and not exists (from {{table}} p where p.project_id = e.project_id and p.{{id}} = e.{{id}})
  and exists (
    from meta.slices s where s.endpoint = {{list}} and s.project_id = e.project_id and s.status in ('loaded', 'empty')
  )
  and not exists (
    from meta.slices s
    where s.endpoint = $3 and s.project_id = e.project_id and s.scope_id = e.{{id}} and (s.status <> 'failed' or s.error_class = 'contract')
  )
group by e.project_id, e.{{id}}
order by max(e.{{newest}}) desc, e.{{id}}
limit $2
