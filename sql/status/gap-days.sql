-- One row per expected day and series that is not covered.
select
  project_id, project_name, endpoint, scope, scope_id, grain, date, status, last_status, known_reason, known_first_on
from detail.sync_gaps
where {{chosen}}
order by project_id, endpoint, scope, scope_id, grain, date
