-- One row per organization of the server that the data comes from.
select
  coalesce(o.name, x.organization_id) as organization,
  x.quota_limit as "limit",
  x.quota_remaining as remaining,
  strftime(x.quota_reset_at, '%Y-%m-%d %H:%M') as resets
from known_quotas x
left join core.organizations o using (organization_id)
where x.base_url = (select value from meta.settings where name = 'base_url')
order by 1
