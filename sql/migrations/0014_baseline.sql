-- Every table of `meta` as answerlake 0.3.0 had it: where a new file begins. Those of `core` are made from the declarations of the endpoints.
create schema core;
create schema meta;

create table meta.migrations (
  version integer not null,
  name varchar not null,
  applied_at timestamp not null
);
comment on table meta.migrations is 'Migrations that were applied to this file, forward only.';
comment on column meta.migrations.version is 'Number of the migration file.';
comment on column meta.migrations.name is 'Name of the migration file without number and ending.';
comment on column meta.migrations.applied_at is 'Instant (UTC) of the application.';

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
  version varchar,
  configured_lookback_days integer,
  sequence bigint
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
comment on column meta.runs.configured_lookback_days is 'Look-back of the configuration, days: older days count as final. A job may look further back (lookback_days).';
comment on column meta.runs.sequence is 'Number of the run in this warehouse: runs are in this order, whatever their clocks said.';

create table meta.slices (
  endpoint varchar not null,
  project_id varchar not null,
  scope varchar not null,
  scope_id varchar not null,
  grain varchar,
  window_kind varchar,
  window_start date,
  window_end date,
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
  fetched_at timestamp not null,
  timezone varchar,
  asked_with varchar,
  asked_limit integer,
  alarm varchar
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
comment on column meta.slices.sync_day is 'The day (UTC) the run that fetched it took for today.';
comment on column meta.slices.status is 'loaded, empty (no rows), not_enabled (the project does not use it), truncated (the list may go on), suspicious (more than half of the known rows are missing), refused (too old for the server), failed.';
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
comment on column meta.slices.truncated is 'True when a list is as long as its limit, so that more may exist, or when the answer is incomplete.';
comment on column meta.slices.error_class is 'Class of the failure; NULL when it neither failed nor is incomplete.';
comment on column meta.slices.error_message is 'What failed or is missing; NULL when nothing is.';
comment on column meta.slices.run_id is 'Run of this outcome (meta.runs.run_id).';
comment on column meta.slices.fetched_at is 'Instant (UTC) of the answer.';
comment on column meta.slices.timezone is 'Time zone that the days of the answer are cut in; NULL where the request carries none.';
comment on column meta.slices.asked_with is 'Digest of the path, the parameter names, end_date and the time zone that the slice was asked with. Only answers of today''s settings count.';
comment on column meta.slices.asked_limit is 'Longest list that the request allowed; NULL where it set none.';
comment on column meta.slices.alarm is 'Reason of the alarm that the outcome raises (meta.alarms.reason); NULL when it raises none.';

create table meta.asked_days (
  endpoint varchar not null,
  project_id varchar not null,
  scope varchar not null,
  scope_id varchar not null,
  grain varchar,
  window_kind varchar,
  date date not null,
  asked_on date,
  first_on date,
  asked_with varchar,
  cut_at integer,
  state varchar not null,
  reason varchar,
  whole_at timestamp
);
comment on table meta.asked_days is 'What was asked, and what came of it: the one record of coverage. A day is whole when it was asked after its end, final when it was asked lookback_days after it.';
comment on column meta.asked_days.endpoint is 'Name of the endpoint.';
comment on column meta.asked_days.project_id is 'Project id.';
comment on column meta.asked_days.scope is 'Which filter the request carried: project (none), model, monitor, prompt, prompt_type, page.';
comment on column meta.asked_days.scope_id is 'Value of the filter; the project id for scope project.';
comment on column meta.asked_days.grain is 'day, week or month; NULL for events and windows.';
comment on column meta.asked_days.window_kind is 'Kind of window; NULL for series and events.';
comment on column meta.asked_days.date is 'First day (UTC) of the period or window.';
comment on column meta.asked_days.asked_on is 'Sync day of the newest answer that covers it, in a zone behind UTC the day there; NULL while none does.';
comment on column meta.asked_days.first_on is 'Sync day of the answer with which the present state began; NULL where that answer proves nothing.';
comment on column meta.asked_days.asked_with is 'Digest of the path, the parameter names, end_date and the time zone of that answer. Only answers of today''s settings count.';
comment on column meta.asked_days.cut_at is 'Longest list that the request allowed, where the list was as long; else NULL. A higher limit asks again.';
comment on column meta.asked_days.state is 'row, unconfirmed (no row, or a stored row is missing, by one sync day only), empty (no row, by two), refused (bad_row: a row could not be read; too_old: the server no longer has it).';
comment on column meta.asked_days.reason is 'NULL, vanishing (a stored row is missing), kept (the stored row stays, because no answer reaches it), incomplete (the list is not proven whole), bad_row or too_old.';
comment on column meta.asked_days.whole_at is 'Start (UTC) of the run that first covered it after its end, where an earlier run had covered it while it was running; else NULL.';

create table meta.alarms (
  endpoint varchar not null,
  project_id varchar not null,
  scope varchar not null,
  scope_id varchar not null,
  grain varchar,
  window_kind varchar,
  reason varchar not null,
  first_on date not null,
  days integer not null,
  last_on date not null,
  known_since date,
  asked_on date,
  periods integer,
  message varchar
);
comment on table meta.alarms is 'What stays wrong. It makes a run partial (exit 3) on three sync days; then it is known, listed, and asked about once a week.';
comment on column meta.alarms.endpoint is 'Name of the endpoint.';
comment on column meta.alarms.project_id is 'Project id; '''' where the endpoint is not about a project.';
comment on column meta.alarms.scope is 'Which filter the request carried: project (none), model, monitor, prompt, prompt_type, page.';
comment on column meta.alarms.scope_id is 'Value of the filter; '''' where several values of the filter are refused, so that the parameter is.';
comment on column meta.alarms.grain is 'day, week or month; NULL for events, lists and windows.';
comment on column meta.alarms.window_kind is 'Kind of window; NULL for series, events and lists.';
comment on column meta.alarms.reason is 'bad_row (a row or an answer cannot be read), refused (the server refuses the question), incomplete (a list is not proven whole), shrunk (more than half of the known rows are missing) or ignored (the server ignores a part of the question).';
comment on column meta.alarms.first_on is 'First sync day on which it was seen.';
comment on column meta.alarms.days is 'Sync days on which it was asked about and seen.';
comment on column meta.alarms.last_on is 'Last of these sync days.';
comment on column meta.alarms.known_since is 'Sync day from which it no longer makes a run partial; NULL until then.';
comment on column meta.alarms.asked_on is 'Last sync day on which days beyond the look-back were asked about, or the refused value.';
comment on column meta.alarms.periods is 'Days, or periods, that were open when it began: twice as many are a new alarm. NULL where it is about a whole series.';
comment on column meta.alarms.message is 'What was seen last.';

create table meta.probes (
  endpoint varchar not null,
  project_id varchar not null,
  parameter varchar not null,
  asked_with varchar not null,
  verdict varchar not null,
  asked_on date not null,
  run_id varchar not null
);
comment on table meta.probes is 'What one more question showed about a parameter that an answer looked as if the server had ignored. A good verdict counts for 7 days.';
comment on column meta.probes.endpoint is 'Name of the endpoint.';
comment on column meta.probes.project_id is 'Project id.';
comment on column meta.probes.parameter is 'Name of a filter parameter, X-Project-Id, startDate and endDate, or max_window_days (a long range answered in steps).';
comment on column meta.probes.asked_with is 'Digest of the settings that it was asked with (as in meta.slices).';
comment on column meta.probes.verdict is 'good (the answers are stored) or ignored (they are not).';
comment on column meta.probes.asked_on is 'Sync day of the question.';
comment on column meta.probes.run_id is 'Run that asked (meta.runs.run_id).';

create table meta.restatements (
  table_name varchar not null,
  key varchar not null,
  change varchar not null,
  old varchar not null,
  new varchar,
  run_id varchar not null,
  changed_at timestamp not null,
  was_final boolean
);
comment on table meta.restatements is 'What the API reported before and what it reports now: one row per changed or vanished row.';
comment on column meta.restatements.table_name is 'Table in core, without schema.';
comment on column meta.restatements.key is 'Key of the row as a JSON object.';
comment on column meta.restatements.change is 'updated or deleted.';
comment on column meta.restatements.old is 'JSON object of the changed columns with their former values (deleted: every measure).';
comment on column meta.restatements.new is 'JSON object of the changed columns with their new values; NULL when deleted.';
comment on column meta.restatements.run_id is 'Run that saw the change (meta.runs.run_id).';
comment on column meta.restatements.changed_at is 'Instant (UTC) of the change here.';
comment on column meta.restatements.was_final is 'True when the day, or the last day of the period or window, was older than the look-back: a figure that had been reported as final changed after all.';

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
  rejected_at timestamp not null
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
comment on column meta.drift.kind is 'new_field, missing_field, new_enum_value or unexpected_value (stored as NULL or rounded; a score beyond 0 to 100 as it is).';
comment on column meta.drift.sample is 'One value seen there.';
comment on column meta.drift.first_seen is 'Instant (UTC) of the first sighting.';
comment on column meta.drift.last_seen is 'Instant (UTC) of the last sighting.';
comment on column meta.drift.run_id is 'Run of the last sighting (meta.runs.run_id).';

create table meta.vanishing (
  table_name varchar not null,
  project_id varchar,
  key varchar not null,
  change varchar not null,
  date date,
  witnessed_on date not null,
  run_id varchar not null,
  witnesses integer,
  last_on date
);
comment on table meta.vanishing is 'Stored rows that one answer lacks or leaves empty. A row goes when an answer of a later sync day says the same, and its entry goes when the row comes back.';
comment on column meta.vanishing.table_name is 'Table in core, without schema.';
comment on column meta.vanishing.project_id is 'Project id; NULL where the table has none.';
comment on column meta.vanishing.key is 'Key of the row as a JSON object.';
comment on column meta.vanishing.change is 'gone (the answer lacks the row) or emptied (its figures became NULL or 0).';
comment on column meta.vanishing.date is 'Day of the row, or first day of its window; it is asked again. NULL for lists.';
comment on column meta.vanishing.witnessed_on is 'Sync day of the first answer that said so.';
comment on column meta.vanishing.run_id is 'Run of that answer (meta.runs.run_id).';
comment on column meta.vanishing.witnesses is 'Sync days whose answers said so: two, or three where more than half of the known rows are missing, take the row away.';
comment on column meta.vanishing.last_on is 'Last of these sync days.';

create table meta.settings (
  name varchar not null,
  value varchar
);
comment on table meta.settings is 'What the views need to know of the configuration; rewritten by each run: start_date, lookback_days, timezone, base_url, sync_day.';
comment on column meta.settings.name is 'Name of the setting.';
comment on column meta.settings.value is 'Its value as text.';

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

create table meta.parts (
  name varchar not null,
  sha256 varchar not null,
  run_id varchar not null,
  answers bigint not null,
  superseded bigint not null,
  rows bigint not null,
  bytes bigint not null,
  requests bigint not null,
  version varchar not null,
  landed_at timestamp not null,
  loaded_at timestamp not null
);
comment on table meta.parts is 'Parts of the landing zone that were loaded, each once. Empty where one process does all the work.';
comment on column meta.parts.name is 'Name of the part in the landing zone, without its end.';
comment on column meta.parts.sha256 is 'SHA-256 of the compressed part. A part of the same content is not loaded again.';
comment on column meta.parts.run_id is 'Run that the part belongs to (meta.runs.run_id).';
comment on column meta.parts.answers is 'Answers that the part holds.';
comment on column meta.parts.superseded is 'Answers of the part that were left out because the ledger had newer ones.';
comment on column meta.parts.rows is 'Lines of the part: one for each page of an answer.';
comment on column meta.parts.bytes is 'Compressed size in bytes.';
comment on column meta.parts.requests is 'Requests that were sent for the part, repeats included.';
comment on column meta.parts.version is 'Version of the program that wrote the part.';
comment on column meta.parts.landed_at is 'Instant (UTC) at which the part was written, by the clock of its worker.';
comment on column meta.parts.loaded_at is 'Instant (UTC) at which the part was loaded here.';

create table meta.quotas (
  base_url varchar not null,
  organization_id varchar not null,
  quota_limit bigint not null,
  quota_remaining bigint,
  quota_reset_at timestamp,
  seen_at timestamp not null
);
comment on table meta.quotas is 'The hourly quota of each organization, as last seen. Nothing else is learned about the server across runs.';
comment on column meta.quotas.base_url is 'Origin of the API.';
comment on column meta.quotas.organization_id is 'Organization id.';
comment on column meta.quotas.quota_limit is 'Requests an hour.';
comment on column meta.quotas.quota_remaining is 'Requests left in the hour.';
comment on column meta.quotas.quota_reset_at is 'Instant (UTC) at which the next hour begins.';
comment on column meta.quotas.seen_at is 'Instant (UTC) at which it was seen.';
