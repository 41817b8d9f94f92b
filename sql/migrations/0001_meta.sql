-- Runs, slices, restatements, rejects, drift, limits: what the sync knows about itself.
create schema core;
create schema meta;

-- One row per applied migration
create table meta.migrations (
  version integer not null,
  name varchar not null,
  applied_at timestamp not null
);
comment on table meta.migrations is 'Migrations that were applied to this file, forward only.';
comment on column meta.migrations.version is 'Number of the migration file.';
comment on column meta.migrations.name is 'Name of the migration file without number and ending.';
comment on column meta.migrations.applied_at is 'Instant (UTC) of the application.';

-- One row per run of the sync
create table meta.runs (
  run_id varchar not null,
  job varchar,
  started_at timestamp not null,
  finished_at timestamp,
  sync_day date not null,
  status varchar not null,
  exit_code integer,
  selection varchar,
  base_url varchar,
  lookback_days integer,
  requests bigint,
  retries bigint,
  rows_received bigint,
  rows_inserted bigint,
  rows_updated bigint,
  rows_deleted bigint,
  rows_unchanged bigint,
  rows_rejected bigint,
  rows_deduplicated bigint,
  slices_loaded bigint,
  slices_failed bigint,
  error_message varchar,
  version varchar
);
comment on table meta.runs is 'Every run: when, its selection, how it ended and what it changed.';
comment on column meta.runs.run_id is 'Identifier of the run.';
comment on column meta.runs.job is 'Name of the job; NULL for a run by hand.';
comment on column meta.runs.started_at is 'Instant (UTC) of the start.';
comment on column meta.runs.finished_at is 'Instant (UTC) of the end; NULL while it runs or when it was killed.';
comment on column meta.runs.sync_day is 'The day (UTC) the run took for today.';
comment on column meta.runs.status is 'running, ok, partial, failed, parked (out of quota, goes on later) or stopped (by signal).';
comment on column meta.runs.exit_code is 'Exit code of the program; NULL while it runs.';
comment on column meta.runs.selection is 'The selection, as JSON: projects, endpoints, range, flags.';
comment on column meta.runs.base_url is 'Origin of the API.';
comment on column meta.runs.lookback_days is 'Days before the sync day that the run asked for again.';
comment on column meta.runs.requests is 'Requests sent, retries included. Can be added up over runs.';
comment on column meta.runs.retries is 'Requests that repeated a failed one. Can be added up over runs.';
comment on column meta.runs.rows_received is 'Rows the API answered. Can be added up over runs.';
comment on column meta.runs.rows_inserted is 'Rows that were new. Can be added up over runs.';
comment on column meta.runs.rows_updated is 'Rows whose values changed. Can be added up over runs.';
comment on column meta.runs.rows_deleted is 'Rows that the API no longer reports. Can be added up over runs.';
comment on column meta.runs.rows_unchanged is 'Rows that came again with the same values. Can be added up over runs.';
comment on column meta.runs.rows_rejected is 'Rows refused (meta.rejects). Can be added up over runs.';
comment on column meta.runs.rows_deduplicated is 'Rows left out because the same key came twice in one answer. Can be added up over runs.';
comment on column meta.runs.slices_loaded is 'Slices stored, empty ones included. Can be added up over runs.';
comment on column meta.runs.slices_failed is 'Slices that failed. Can be added up over runs.';
comment on column meta.runs.error_message is 'Why the run did not end well; NULL when it did.';
comment on column meta.runs.version is 'Version of answerlake.';

-- One row per slice (endpoint, project, scope, grain or window kind, window): its newest outcome
create table meta.slices (
  endpoint varchar not null,
  project_id varchar not null,
  scope varchar not null,
  scope_id varchar not null,
  grain varchar,
  window_kind varchar,
  window_start date,
  window_end date,
  covered_end date,
  sync_day date,
  status varchar not null,
  requests bigint,
  http_status integer,
  rows_received bigint,
  rows_changed bigint,
  rows_inserted bigint,
  rows_updated bigint,
  rows_deleted bigint,
  rows_unchanged bigint,
  rows_rejected bigint,
  rows_deduplicated bigint,
  rows_held bigint,
  truncated boolean,
  error_class varchar,
  error_message varchar,
  run_id varchar not null,
  fetched_at timestamp not null
);
comment on table meta.slices is 'Ledger: the newest outcome of every slice that was ever asked. Says which days are covered.';
comment on column meta.slices.endpoint is 'Name of the endpoint in the catalogue of answerlake.';
comment on column meta.slices.project_id is 'Project id; '''' where the endpoint is not about a project.';
comment on column meta.slices.scope is 'Filter the request carried: project, model, monitor, prompt or prompt_type.';
comment on column meta.slices.scope_id is 'Value of that filter; the project id in scope project.';
comment on column meta.slices.grain is 'day, week or month; NULL for windows, entities and events.';
comment on column meta.slices.window_kind is 'Kind of window; NULL for series, entities and events.';
comment on column meta.slices.window_start is 'First day asked for (UTC); NULL for lists of entities.';
comment on column meta.slices.window_end is 'Last day asked for (UTC), counted; NULL for lists of entities.';
comment on column meta.slices.covered_end is 'Last day the answer is known to cover; one day before window_end when the server left out the end day.';
comment on column meta.slices.sync_day is 'The day (UTC) the run that fetched it took for today.';
comment on column meta.slices.status is 'loaded, empty (answered, nothing in it), not_enabled, truncated (as long as its limit), suspicious (held back) or failed.';
comment on column meta.slices.requests is 'Requests this slice took.';
comment on column meta.slices.http_status is 'Last HTTP status; NULL when there was no answer.';
comment on column meta.slices.rows_received is 'Rows in the answer.';
comment on column meta.slices.rows_changed is 'Rows inserted, updated or deleted.';
comment on column meta.slices.rows_inserted is 'Rows that were new.';
comment on column meta.slices.rows_updated is 'Rows whose values changed.';
comment on column meta.slices.rows_deleted is 'Rows that the answer no longer had.';
comment on column meta.slices.rows_unchanged is 'Rows that came again with the same values.';
comment on column meta.slices.rows_rejected is 'Rows refused (meta.rejects).';
comment on column meta.slices.rows_deduplicated is 'Rows left out because the same key came twice.';
comment on column meta.slices.rows_held is 'Rows kept although a suspicious answer no longer had them.';
comment on column meta.slices.truncated is 'True when a list was as long as its limit, so that more may exist.';
comment on column meta.slices.error_class is 'Class of the failure; NULL when it did not fail.';
comment on column meta.slices.error_message is 'What failed; NULL when it did not fail.';
comment on column meta.slices.run_id is 'Run of this outcome (meta.runs.run_id).';
comment on column meta.slices.fetched_at is 'Instant (UTC) of the answer.';

-- One row per row that existed and was changed or removed
create table meta.restatements (
  table_name varchar not null,
  key varchar not null,
  change varchar not null,
  old varchar not null,
  new varchar,
  run_id varchar not null,
  changed_at timestamp not null
);
comment on table meta.restatements is 'What the API reported before and what it reports now: one row per changed or vanished row.';
comment on column meta.restatements.table_name is 'Table in core, without schema.';
comment on column meta.restatements.key is 'Key of the row as a JSON object.';
comment on column meta.restatements.change is 'updated or deleted.';
comment on column meta.restatements.old is 'JSON object of the changed columns with their former values (deleted: every measure).';
comment on column meta.restatements.new is 'JSON object of the changed columns with their new values; NULL when deleted.';
comment on column meta.restatements.run_id is 'Run that saw the change (meta.runs.run_id).';
comment on column meta.restatements.changed_at is 'Instant (UTC) of the change here.';

-- One row per refused row of an answer
create table meta.rejects (
  endpoint varchar not null,
  project_id varchar,
  scope varchar,
  scope_id varchar,
  grain varchar,
  window_kind varchar,
  window_start date,
  window_end date,
  path varchar,
  reason varchar not null,
  row varchar,
  run_id varchar not null,
  rejected_at timestamp not null,
  replayed_at timestamp
);
comment on table meta.rejects is 'Rows that did not fit what the API promises; stored here instead of a core table.';
comment on column meta.rejects.endpoint is 'Name of the endpoint.';
comment on column meta.rejects.project_id is 'Project id; NULL where the endpoint is not about a project.';
comment on column meta.rejects.scope is 'Scope of the slice that the row came in.';
comment on column meta.rejects.scope_id is 'Value of the filter that the scope stands for.';
comment on column meta.rejects.grain is 'Grain of the slice; NULL unless it is a series.';
comment on column meta.rejects.window_kind is 'Window kind of the slice; NULL unless it answers about a whole window.';
comment on column meta.rejects.window_start is 'First day asked for (UTC).';
comment on column meta.rejects.window_end is 'Last day asked for (UTC), counted.';
comment on column meta.rejects.path is 'Place in the answer, as a JSON path.';
comment on column meta.rejects.reason is 'Why it was refused.';
comment on column meta.rejects.row is 'The refused piece as JSON.';
comment on column meta.rejects.run_id is 'Run that refused it (meta.runs.run_id).';
comment on column meta.rejects.rejected_at is 'Instant (UTC) of the refusal.';
comment on column meta.rejects.replayed_at is 'Instant (UTC) at which a replay took it in; NULL until then.';

-- One row per endpoint, JSON path and kind of drift
create table meta.drift (
  endpoint varchar not null,
  path varchar not null,
  kind varchar not null,
  sample varchar,
  first_seen timestamp not null,
  last_seen timestamp not null,
  run_id varchar not null
);
comment on table meta.drift is 'Where answers differ from the described interface.';
comment on column meta.drift.endpoint is 'Name of the endpoint.';
comment on column meta.drift.path is 'JSON path in the answer.';
comment on column meta.drift.kind is 'new_field, missing_field or new_enum_value.';
comment on column meta.drift.sample is 'One value seen there.';
comment on column meta.drift.first_seen is 'Instant (UTC) of the first sighting.';
comment on column meta.drift.last_seen is 'Instant (UTC) of the last sighting.';
comment on column meta.drift.run_id is 'Run of the last sighting (meta.runs.run_id).';

-- One row per base URL, endpoint and organization: learned limits
create table meta.limits (
  base_url varchar not null,
  endpoint varchar not null,
  organization_id varchar not null,
  max_window_days integer,
  end_inclusive boolean,
  quota_limit bigint,
  quota_remaining bigint,
  quota_reset_at timestamp,
  learned_at timestamp not null
);
comment on table meta.limits is 'What the server taught about its limits.';
comment on column meta.limits.base_url is 'Origin of the API.';
comment on column meta.limits.endpoint is 'Name of the endpoint, or ''*'' for all.';
comment on column meta.limits.organization_id is 'Organization whose quota it is; '''' when it is not about a quota.';
comment on column meta.limits.max_window_days is 'Largest window in days that was accepted after a refusal.';
comment on column meta.limits.end_inclusive is 'True when the server counts the end day, false when it leaves it out.';
comment on column meta.limits.quota_limit is 'Requests an hour, as last reported.';
comment on column meta.limits.quota_remaining is 'Requests left in the hour, as last reported.';
comment on column meta.limits.quota_reset_at is 'Instant (UTC) at which the quota is reset.';
comment on column meta.limits.learned_at is 'Instant (UTC) of the lesson.';

-- One row per row that a suspicious answer would have removed
create table meta.vanishing (
  table_name varchar not null,
  project_id varchar,
  key varchar not null,
  runs integer not null,
  last_run_id varchar not null
);
comment on table meta.vanishing is 'Rows held back: an answer no longer had them, but looked suspicious. They go when two later runs say the same.';
comment on column meta.vanishing.table_name is 'Table in core, without schema.';
comment on column meta.vanishing.project_id is 'Project id; NULL where the table has none.';
comment on column meta.vanishing.key is 'Key of the row as a JSON object.';
comment on column meta.vanishing.runs is 'Number of runs in which it was missing.';
comment on column meta.vanishing.last_run_id is 'Last of those runs (meta.runs.run_id).';

-- One row per setting
create table meta.settings (
  name varchar not null,
  value varchar
);
comment on table meta.settings is 'What the views need to know of the configuration; rewritten by each run: start_date, lookback_days, timezone, base_url, sync_day.';
comment on column meta.settings.name is 'Name of the setting.';
comment on column meta.settings.value is 'Its value as text.';

-- One row per series the configuration asks for
create table meta.expected_series (
  endpoint varchar not null,
  project_id varchar not null,
  scope varchar not null,
  scope_id varchar not null,
  grain varchar,
  start_date date not null
);
comment on table meta.expected_series is 'What the configuration asks for; rewritten by each run. Gaps are what stands here and is not covered by meta.slices.';
comment on column meta.expected_series.endpoint is 'Name of the endpoint.';
comment on column meta.expected_series.project_id is 'Project id.';
comment on column meta.expected_series.scope is 'project, model, monitor, prompt or prompt_type.';
comment on column meta.expected_series.scope_id is 'Value of that filter; the project id in scope project.';
comment on column meta.expected_series.grain is 'day, week or month; NULL for events.';
comment on column meta.expected_series.start_date is 'First day (UTC) that is asked for.';
