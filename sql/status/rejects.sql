-- One row per endpoint, project, path and reason of refused rows.
select endpoint, project_id, path, reason, count(*) as rows, max(rejected_at) as last_rejected_at
from meta.rejects
where {{chosen}}
group by all
order by rows desc, endpoint
