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
{{ comments("sync_gaps", "project_id, project_name, endpoint, grain = grain_of_coverage, date = period, scope, scope_id") }}
comment on column detail.sync_gaps.status is 'known (wrong for three sync days: known_reason), partial (its only answers were asked before it was over), refused (a row could not be read), incomplete (the list is not proven whole), never_asked, or the newest outcome (failed, suspicious).';
comment on column detail.sync_gaps.known_reason is 'Why it is missing, where that is known: a reason of meta.alarms; else NULL.';
comment on column detail.sync_gaps.known_first_on is 'First sync day (UTC) on which that was seen; else NULL.';
{{ comments("sync_gaps", "last_status") }}
