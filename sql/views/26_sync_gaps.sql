-- One row per project, endpoint, scope and period that is expected and not covered.
create view main.sync_gaps as
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
from main.sync_series_coverage
where not is_covered;

comment on view main.sync_gaps is 'Periods that the configuration asks for and no stored answer covers, up to the day before the sync day. One row per project, endpoint, grain, scope and period; empty when nothing is missing. Source: meta.expected_series and meta.slices.';
comment on column main.sync_gaps.project_id is 'Project id (core.projects).';
comment on column main.sync_gaps.project_name is 'Name of the project; NULL when unknown.';
comment on column main.sync_gaps.endpoint is 'Name of the endpoint in the catalogue of answerlake.';
comment on column main.sync_gaps.grain is 'Length of the period: day, week (starts on Monday) or month; day for events.';
comment on column main.sync_gaps.date is 'First day of the period (UTC).';
comment on column main.sync_gaps.scope is 'Filter the figures were asked with: project (none), model, monitor, prompt or prompt_type. Filter on one; never add or average different scopes.';
comment on column main.sync_gaps.scope_id is 'Value of that filter; the project id in scope project.';
comment on column main.sync_gaps.status is 'never_asked, or the newest outcome (failed, suspicious).';
comment on column main.sync_gaps.last_status is 'Newest outcome: loaded, empty, not_enabled, truncated, suspicious or failed; NULL when never asked.';
