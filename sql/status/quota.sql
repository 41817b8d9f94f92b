-- One row per organization and server: the hourly quota as the newest run heard it.
select * from known_quotas order by base_url, organization_id
