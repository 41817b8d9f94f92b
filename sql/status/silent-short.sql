-- One row per project and endpoint that answers without figures, as a terminal shows it.
select coalesce(l.project_label, f.project_id) as project, f.endpoint, f.last_row as last_figures, f.last_covered_date as asked_to
from known_freshness f
left join detail.project_labels l using (project_id)
where {{chosen}} and last_row < last_covered_date - (select max(lookback_days) from main.sync_settings)
  and status not in ('no_longer_asked_for', 'lost', 'failed')
order by 1, 2
limit 10
