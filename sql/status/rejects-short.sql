-- One row per endpoint and reason of refused rows.
select endpoint, reason, count(*) as rows, max(cast(rejected_at as date)) as last
from meta.rejects
where {{chosen}}
group by all
order by rows desc, endpoint
limit 10
