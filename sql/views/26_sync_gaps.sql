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
  last_status
from detail.sync_series_coverage
where not is_covered and status <> 'not_available';

comment on view detail.sync_gaps is 'Periods that the configuration asks for and no stored answer covers that was asked after they were over, up to the day before the sync day. One row per project, endpoint, grain, scope and period; empty when nothing is missing. Source: meta.expected_series and meta.slices.';
{{ comments("sync_gaps", "project_id, project_name, endpoint, grain = grain_of_coverage, date = period, scope, scope_id") }}
comment on column detail.sync_gaps.status is 'partial (its only answers were asked before it was over, or cover a part of it), never_asked, or the newest outcome (failed, suspicious).';
{{ comments("sync_gaps", "last_status") }}
