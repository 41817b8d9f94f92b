-- One row per project and endpoint that answers without figures: the day of its newest one.
select project_id, project_name, endpoint, last_row, last_covered_date
from known_freshness
where {{chosen}} and last_row < last_covered_date - (select max(lookback_days) from main.sync_settings)
  and status not in ('no_longer_asked_for', 'lost', 'failed')
order by project_id, endpoint
