-- One row per project: the oldest answer that its days have, for the endpoint {{endpoint}}. A day that lacks a row is asked about with the others.
select project_id, min(asked_on) as asked_on
from meta.asked_days
where endpoint = {{endpoint}} and asked_on is not null and coalesce(reason, '') not in ('vanishing', 'bad_row', 'too_old')
group by project_id
