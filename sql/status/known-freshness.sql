-- `known_freshness`, one row per project and endpoint, by the clock of this machine and today's configuration: an endpoint that it enables and that no run asked is no less missing.
create temp table known_freshness as
select * exclude (hours, most) replace (
  round(hours, 2) as age_hours,
  case when not {{left}} then most end as max_age_hours,
  case when not {{left}} then hours > most end as is_stale,
  case
    when {{left}} then 'no_longer_asked_for'
    when status not in ('current', 'behind', 'stale') then status
    when hours > most then 'stale'
    when lag_days > 1 then 'behind'
    else 'current'
  end as status
)
from (
  select *, ({{now}} - epoch_ms(last_success_at)) / 3600000.0 as hours, 
    case when max_age_hours is not null then cast({{fixed_hours}} as double) end as most
  from main.sync_freshness
)
union all by name
select p.project_id, p.project_name, e.endpoint, 'never_asked' as status
from (select distinct project_id, project_name from main.sync_freshness where project_id is not null) p
cross join (select unnest({{endpoints}}) as endpoint) e
where not {{left}} and not exists (from main.sync_freshness f where f.project_id = p.project_id and f.endpoint = e.endpoint)
