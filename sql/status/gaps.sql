-- One row per project and endpoint with expected days that are not covered, and whose reason is not known.
select project_id, endpoint, count(*) as gaps, min(date) as first, max(date) as last
from detail.sync_gaps
where status <> 'known' and {{chosen}}
group by all
order by 1, 2
