-- One row per project, endpoint, scope and period that is expected and not covered.
create view detail.sync_gaps as
select
  project_id,
  project_name,
  endpoint,
  grain,
  date,
  scope,
  scope_id,
  status,
  last_status,
  known_reason,
  known_first_on
from detail.sync_series_coverage
where not is_covered and status <> 'not_available';

comment on view detail.sync_gaps is 'Periods that the configuration asks for and no stored answer covers that was asked after they were over, up to the day before the newest run. One row per project, endpoint, grain, scope and period; empty when nothing is missing, with status known where the reason is listed (meta.alarms). Source: meta.expected_series and meta.asked_days.';
