-- Keeps the hour of each organization: origin $1, ids $2, limits $3, remaining $4, resets $5, instant $6.
merge into meta.quotas q using (
  select
    $1 as base_url, unnest($2::varchar[]) as organization_id, cast(unnest($3::varchar[]) as bigint) as quota_limit,
    cast(unnest($4::varchar[]) as bigint) as quota_remaining, cast(unnest($5::varchar[]) as timestamp) as quota_reset_at,
    cast($6 as timestamp) as seen_at
) n on q.base_url = n.base_url and q.organization_id = n.organization_id
when matched
  and (q.quota_limit, q.quota_remaining, q.quota_reset_at) is distinct from (n.quota_limit, n.quota_remaining, n.quota_reset_at)
  then update set
    quota_limit = n.quota_limit, quota_remaining = n.quota_remaining, quota_reset_at = n.quota_reset_at, seen_at = n.seen_at
when not matched then insert by name
