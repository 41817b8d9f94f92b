-- One row per project and endpoint that is not current, and one without an endpoint: a source may not be empty.
select project_label as project, endpoint, status, last_covered_date, lag_days, last_error
from (select 1)
left join main.sync_freshness f on f.status not in ('current', 'not_enabled')
left join detail.project_labels using (project_id)
union all
select null, null, 'nothing', null, null, null
order by lag_days desc nulls last, endpoint
