-- One row per endpoint with answers to another question than today's: endpoints $1, their digests $2.
select distinct d.endpoint
from meta.asked_days d
join (select unnest($1::varchar[]) as endpoint, unnest($2::varchar[]) as asked_with) n on n.endpoint = d.endpoint
where d.asked_with <> n.asked_with and d.window_kind is null
order by 1
