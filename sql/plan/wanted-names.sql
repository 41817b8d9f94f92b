-- One row per name of {{table}} that a cut-off list should contain, in lower case: projects $1, relations $2, which also give the order.
select project_id as project, lower({{name}}) as name
from {{table}}
where project_id in (select unnest($1::varchar[])) and relation in (select unnest($2::varchar[])) and trim({{name}}) <> ''
group by 1, 2
order by 1, min(list_position($2::varchar[], relation)), 2
