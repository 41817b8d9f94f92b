-- Ends the alarms of requests that were refused before the endpoint's settings changed: endpoints $1, their digests $2.
delete from meta.alarms where reason = 'refused' and endpoint in (
  select n.endpoint
  from (select unnest($1::varchar[]) as endpoint, unnest($2::varchar[]) as asked_with) n
  join meta.settings s on s.name = {{asked_with}} || n.endpoint
  where s.value <> n.asked_with
)
