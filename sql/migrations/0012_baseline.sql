-- Every table as answerlake 0.2.0 had it; files of 0.1 are rebuilt from the raw archive.
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
  fetched_at timestamp not null,
  timezone varchar,
  asked_with varchar,
  asked_limit integer
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
comment on column meta.slices.covered_end is 'Last day (UTC) that the answer speaks of; NULL for lists and failures.';
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

create table meta.vanishing (
  table_name varchar not null,
  project_id varchar,
  key varchar not null,
  change varchar not null,
  date date,
  witnessed_on date not null,
  run_id varchar not null
);
comment on table meta.vanishing is 'Stored rows that one answer lacks or leaves empty. A row goes when an answer of a later sync day says the same, and its entry goes when the row comes back.';
comment on column meta.vanishing.table_name is 'Table in core, without schema.';
comment on column meta.vanishing.project_id is 'Project id; NULL where the table has none.';
comment on column meta.vanishing.key is 'Key of the row as a JSON object.';
comment on column meta.vanishing.change is 'gone (the answer lacks the row) or emptied (its figures became NULL or 0).';
comment on column meta.vanishing.date is 'Day of the row, or first day of its window; it is asked again. NULL for lists.';
comment on column meta.vanishing.witnessed_on is 'Sync day of the first answer that said so.';
comment on column meta.vanishing.run_id is 'Run of that answer (meta.runs.run_id).';

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

create table meta.unreached_projects (
  project_id varchar not null,
  first_missed date not null,
  last_missed date not null,
  nights integer not null
);
comment on table meta.unreached_projects is 'Projects that an earlier run reached and that no configured key reaches any more. Their rows are kept as they were.';
comment on column meta.unreached_projects.project_id is 'Project id (core.projects).';
comment on column meta.unreached_projects.first_missed is 'First sync day (UTC) on which no key reached it.';
comment on column meta.unreached_projects.last_missed is 'Last sync day (UTC) on which no key reached it.';
comment on column meta.unreached_projects.nights is 'Sync days on which no key reached it; after the third it no longer makes a run partial.';

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

create table meta.owed_days (
  endpoint varchar not null,
  project_id varchar not null,
  scope varchar not null,
  scope_id varchar not null,
  grain varchar,
  first_day date not null,
  last_day date not null,
  reason varchar not null,
  witnessed_on date not null,
  run_id varchar not null
);
comment on table meta.owed_days is 'Days of a series that are asked again although an answer was loaded for their window.';
comment on column meta.owed_days.endpoint is 'Name of the endpoint.';
comment on column meta.owed_days.project_id is 'Project id.';
comment on column meta.owed_days.scope is 'Which filter the request carried: project (none), model, monitor, prompt, prompt_type.';
comment on column meta.owed_days.scope_id is 'Value of the filter; the project id for scope project.';
comment on column meta.owed_days.grain is 'day, week or month; NULL for events.';
comment on column meta.owed_days.first_day is 'First day (UTC) of the range; of weeks and months the first day of the first period.';
comment on column meta.owed_days.last_day is 'Last day (UTC) of the range; of weeks and months the first day of the last period.';
comment on column meta.owed_days.reason is 'refused (a row could not be read), incomplete (the list is not proven whole), unconfirmed (no row, by one sync day only).';
comment on column meta.owed_days.witnessed_on is 'Sync day of the first answer that left them open.';
comment on column meta.owed_days.run_id is 'Run that entered the range (meta.runs.run_id).';

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

create table meta.refused_filters (
  endpoint varchar not null,
  project_id varchar not null,
  scope varchar not null,
  scope_id varchar not null,
  first_refused date not null,
  last_refused date not null,
  nights integer not null,
  is_listed boolean not null,
  error_message varchar
);
comment on table meta.refused_filters is 'Filter values (a model, a monitor, a prompt) that the server refuses. From the fourth sync day on they are let go.';
comment on column meta.refused_filters.endpoint is 'Name of the endpoint.';
comment on column meta.refused_filters.project_id is 'Project id.';
comment on column meta.refused_filters.scope is 'Which filter: model, monitor, prompt, prompt_type.';
comment on column meta.refused_filters.scope_id is 'Value of the filter.';
comment on column meta.refused_filters.first_refused is 'First sync day on which it was refused.';
comment on column meta.refused_filters.last_refused is 'Last sync day on which it was refused.';
comment on column meta.refused_filters.nights is 'Sync days on which it was refused.';
comment on column meta.refused_filters.is_listed is 'True when a list named it when it was last looked at.';
comment on column meta.refused_filters.error_message is 'What the server said.';

create table core.organizations (
  organization_id varchar not null,
  name varchar,
  slug varchar,
  _run_id varchar not null,
  _changed_at timestamp not null
);
comment on table core.organizations is 'Organizations behind the configured keys. Source: GET v2 auth/validate.';
comment on column core.organizations.organization_id is 'Organization id. Source: GET v2 auth/validate.';
comment on column core.organizations.name is 'Name. Source: GET v2 auth/validate.';
comment on column core.organizations.slug is 'Short name for addresses. Source: GET v2 auth/validate.';
comment on column core.organizations._run_id is 'Run that last changed this row (meta.runs.run_id). A row that came again unchanged keeps its older run.';
comment on column core.organizations._changed_at is 'Instant (UTC) at which this row last changed here.';

create table core.projects (
  project_id varchar not null,
  organization_id varchar,
  name varchar,
  slug varchar,
  _run_id varchar not null,
  _changed_at timestamp not null
);
comment on table core.projects is 'Projects (brand workspaces) that the configured keys reach. Source: GET v2 auth/validate.';
comment on column core.projects.project_id is 'Project id. Source: GET v2 auth/validate.';
comment on column core.projects.organization_id is 'Organization the project belongs to. Source: GET v2 auth/validate.';
comment on column core.projects.name is 'Name. Source: GET v2 auth/validate.';
comment on column core.projects.slug is 'Short name for addresses. Source: GET v2 auth/validate.';
comment on column core.projects._run_id is 'Run that last changed this row (meta.runs.run_id). A row that came again unchanged keeps its older run.';
comment on column core.projects._changed_at is 'Instant (UTC) at which this row last changed here.';

create table core.api_keys (
  api_key_id varchar not null,
  key_type varchar,
  organization_id varchar,
  project_id varchar,
  name varchar,
  permission varchar,
  created_at timestamp,
  last_used_at timestamp,
  _run_id varchar not null,
  _changed_at timestamp not null
);
comment on table core.api_keys is 'Keys that were used, without the secret. Source: GET v2 auth/validate.';
comment on column core.api_keys.api_key_id is 'Identifier of the key, not the secret. Source: GET v2 auth/validate.';
comment on column core.api_keys.key_type is 'project or organization. Source: GET v2 auth/validate.';
comment on column core.api_keys.organization_id is 'Organization of the key. Source: GET v2 auth/validate.';
comment on column core.api_keys.project_id is 'Project of a project key; NULL for an organization key. Source: GET v2 auth/validate.';
comment on column core.api_keys.name is 'Name given in the dashboard. Source: GET v2 auth/validate.';
comment on column core.api_keys.permission is 'Permission; FULL is the value that occurs. Source: GET v2 auth/validate.';
comment on column core.api_keys.created_at is 'Instant (UTC) of creation. Source: GET v2 auth/validate.';
comment on column core.api_keys.last_used_at is 'Instant (UTC) of last use; moves with every call and does not count as a change. Source: GET v2 auth/validate.';
comment on column core.api_keys._run_id is 'Run that last changed this row (meta.runs.run_id). A row that came again unchanged keeps its older run.';
comment on column core.api_keys._changed_at is 'Instant (UTC) at which this row last changed here.';

create table core.models (
  model_id varchar not null,
  label varchar,
  provider varchar,
  provider_name varchar,
  model_name varchar,
  api_identifier varchar,
  description varchar,
  search_enabled boolean,
  live_search boolean,
  deprecated boolean,
  _run_id varchar not null,
  _changed_at timestamp not null
);
comment on table core.models is 'Catalogue of AI models. Analytics may use ids that it lacks: LEFT JOIN. Source: GET v1 models.';
comment on column core.models.model_id is 'Model id, <provider>_<model>; both parts may contain an underscore. Source: GET v1 models.';
comment on column core.models.label is 'Name for people. Source: GET v1 models.';
comment on column core.models.provider is 'Provider key. Source: GET v1 models.';
comment on column core.models.provider_name is 'Provider name. Source: GET v1 models.';
comment on column core.models.model_name is 'Model name. Source: GET v1 models.';
comment on column core.models.api_identifier is 'Name of the model at its provider. Source: GET v1 models.';
comment on column core.models.description is 'Description. Source: GET v1 models.';
comment on column core.models.search_enabled is 'True when the model searches the web. Source: GET v1 models.';
comment on column core.models.live_search is 'True when it searches live. Source: GET v1 models.';
comment on column core.models.deprecated is 'True when it is no longer asked. Source: GET v1 models.';
comment on column core.models._run_id is 'Run that last changed this row (meta.runs.run_id). A row that came again unchanged keeps its older run.';
comment on column core.models._changed_at is 'Instant (UTC) at which this row last changed here.';

create table core.monitors (
  project_id varchar not null,
  monitor_id varchar not null,
  name varchar,
  _run_id varchar not null,
  _changed_at timestamp not null
);
comment on table core.monitors is 'Monitors, as seen in prompts and events; last known name. Source: GET v1 prompts, GET v2 events.';
comment on column core.monitors.project_id is 'Project id as the API reports it (core.projects.project_id).';
comment on column core.monitors.monitor_id is 'Monitor id. Source: GET v1 prompts, GET v2 events.';
comment on column core.monitors.name is 'Last known name; NULL when never reported. Source: GET v1 prompts, GET v2 events.';
comment on column core.monitors._run_id is 'Run that last changed this row (meta.runs.run_id). A row that came again unchanged keeps its older run.';
comment on column core.monitors._changed_at is 'Instant (UTC) at which this row last changed here.';

create table core.prompts (
  project_id varchar not null,
  prompt_id varchar not null,
  prompt varchar,
  type varchar,
  is_active boolean,
  language_code varchar,
  monitor_id varchar,
  amount_of_responses bigint,
  volume double,
  intent varchar,
  average_visibility double,
  difficulty double,
  created_at timestamp,
  updated_at timestamp,
  removed_at timestamp,
  _run_id varchar not null,
  _changed_at timestamp not null
);
comment on table core.prompts is 'Tracked prompts; a prompt that left the list stays here with removed_at. Prompts that only events mention come from GET v1 prompts/{id}. Source: GET v1 prompts.';
comment on column core.prompts.project_id is 'Project id as the API reports it (core.projects.project_id).';
comment on column core.prompts.prompt_id is 'Prompt id. Source: GET v1 prompts.';
comment on column core.prompts.prompt is 'Text of the prompt; NULL when the API no longer knows it. Source: GET v1 prompts.';
comment on column core.prompts.type is 'ORGANIC, BRAND_SPECIFIC or COMPETITOR_COMPARISON. Source: GET v1 prompts.';
comment on column core.prompts.is_active is 'True when it is asked at present. Source: GET v1 prompts.';
comment on column core.prompts.language_code is 'Language. Source: GET v1 prompts.';
comment on column core.prompts.monitor_id is 'Monitor it belongs to (core.monitors). Source: GET v1 prompts.';
comment on column core.prompts.amount_of_responses is 'Responses so far, over all time: a running total. Do not add over days. Source: GET v1 prompts.';
comment on column core.prompts.volume is 'Weighted search volume over all keywords. Source: GET v1 prompts.';
comment on column core.prompts.intent is 'BRANDED, INFORMATIONAL, NAVIGATIONAL, COMMERCIAL or TRANSACTIONAL. Source: GET v1 prompts.';
comment on column core.prompts.average_visibility is 'Average visibility over all responses, scale as the API reports it. Do not average. Source: GET v1 prompts.';
comment on column core.prompts.difficulty is 'Weighted average keyword difficulty. Do not average. Source: GET v1 prompts.';
comment on column core.prompts.created_at is 'Instant (UTC) of creation. Source: GET v1 prompts.';
comment on column core.prompts.updated_at is 'Instant (UTC) of the last change; moves without a visible change and does not count as one. Source: GET v1 prompts.';
comment on column core.prompts.removed_at is 'Instant (UTC) at which it was first missing from the list; NULL while it is listed. Ours, not reported. Source: GET v1 prompts.';
comment on column core.prompts._run_id is 'Run that last changed this row (meta.runs.run_id). A row that came again unchanged keeps its older run.';
comment on column core.prompts._changed_at is 'Instant (UTC) at which this row last changed here.';

create table core.prompt_snapshots (
  project_id varchar not null,
  date date not null,
  prompt_id varchar not null,
  amount_of_responses bigint,
  volume double,
  average_visibility double,
  difficulty double,
  is_active boolean,
  _run_id varchar not null,
  _changed_at timestamp not null
);
comment on table core.prompt_snapshots is 'State of every listed prompt on each day of a sync, as the first list of the day told it: the history that the prompt list itself lacks. Source: GET v1 prompts.';
comment on column core.prompt_snapshots.project_id is 'Project id as the API reports it (core.projects.project_id).';
comment on column core.prompt_snapshots.date is 'Day of the sync (UTC). Source: GET v1 prompts.';
comment on column core.prompt_snapshots.prompt_id is 'Prompt id. Source: GET v1 prompts.';
comment on column core.prompt_snapshots.amount_of_responses is 'Responses so far, over all time: a running total. Do not sum: take differences between days. Source: GET v1 prompts.';
comment on column core.prompt_snapshots.volume is 'Weighted search volume. Do not add over days. Source: GET v1 prompts.';
comment on column core.prompt_snapshots.average_visibility is 'Average visibility over all responses. Do not average. Source: GET v1 prompts.';
comment on column core.prompt_snapshots.difficulty is 'Weighted average keyword difficulty. Do not average. Source: GET v1 prompts.';
comment on column core.prompt_snapshots.is_active is 'True when it was asked on that day. Source: GET v1 prompts.';
comment on column core.prompt_snapshots._run_id is 'Run that last changed this row (meta.runs.run_id). A row that came again unchanged keeps its older run.';
comment on column core.prompt_snapshots._changed_at is 'Instant (UTC) at which this row last changed here.';

create table core.brands (
  project_id varchar not null,
  brand_id varchar not null,
  name varchar,
  domain varchar,
  relation varchar,
  _run_id varchar not null,
  _changed_at timestamp not null
);
comment on table core.brands is 'Brands seen in answers: your brand and competitors. Source: GET v1 analytics/brands/visibility-over-time.';
comment on column core.brands.project_id is 'Project id as the API reports it (core.projects.project_id).';
comment on column core.brands.brand_id is 'Brand id. Source: GET v1 analytics/brands/visibility-over-time.';
comment on column core.brands.name is 'Name. Source: GET v1 analytics/brands/visibility-over-time.';
comment on column core.brands.domain is 'Domain. Source: GET v1 analytics/brands/visibility-over-time.';
comment on column core.brands.relation is 'SELF, DIRECT_COMPETITOR, IGNORED or OTHER. Source: GET v1 analytics/brands/visibility-over-time.';
comment on column core.brands._run_id is 'Run that last changed this row (meta.runs.run_id). A row that came again unchanged keeps its older run.';
comment on column core.brands._changed_at is 'Instant (UTC) at which this row last changed here.';

create table core.visibility (
  project_id varchar not null,
  grain varchar not null,
  date date not null,
  scope varchar not null,
  scope_id varchar not null,
  visibility double,
  _run_id varchar not null,
  _changed_at timestamp not null
);
comment on table core.visibility is 'Visibility of your brand in AI answers, one row per period. Source: GET v1 visibility-time-series.';
comment on column core.visibility.project_id is 'Project id as the API reports it (core.projects.project_id).';
comment on column core.visibility.grain is 'Length of the period: day, week (starts on Monday) or month. Filter on one; never add or average different grains.';
comment on column core.visibility.date is 'First day of the period (UTC).';
comment on column core.visibility.scope is 'Filter the request carried: project (none), model, monitor, prompt or prompt_type. Filter on one; never add or average different scopes.';
comment on column core.visibility.scope_id is 'Value of that filter; the project id in scope project.';
comment on column core.visibility.visibility is 'Visibility score, scale as the API reports it; NULL when it has no value. Do not sum or average. Source: GET v1 visibility-time-series.';
comment on column core.visibility._run_id is 'Run that last changed this row (meta.runs.run_id). A row that came again unchanged keeps its older run.';
comment on column core.visibility._changed_at is 'Instant (UTC) at which this row last changed here.';

create table core.sentiment (
  project_id varchar not null,
  grain varchar not null,
  date date not null,
  scope varchar not null,
  scope_id varchar not null,
  sentiment double,
  _run_id varchar not null,
  _changed_at timestamp not null
);
comment on table core.sentiment is 'Sentiment towards your brand in AI answers, one row per period. Source: GET v1 sentiment-time-series.';
comment on column core.sentiment.project_id is 'Project id as the API reports it (core.projects.project_id).';
comment on column core.sentiment.grain is 'Length of the period: day, week (starts on Monday) or month. Filter on one; never add or average different grains.';
comment on column core.sentiment.date is 'First day of the period (UTC).';
comment on column core.sentiment.scope is 'Filter the request carried: project (none), model, monitor, prompt or prompt_type. Filter on one; never add or average different scopes.';
comment on column core.sentiment.scope_id is 'Value of that filter; the project id in scope project.';
comment on column core.sentiment.sentiment is 'Sentiment score, scale as the API reports it; NULL when it has no value. Do not sum or average. Source: GET v1 sentiment-time-series.';
comment on column core.sentiment._run_id is 'Run that last changed this row (meta.runs.run_id). A row that came again unchanged keeps its older run.';
comment on column core.sentiment._changed_at is 'Instant (UTC) at which this row last changed here.';

create table core.share_of_voice (
  project_id varchar not null,
  grain varchar not null,
  date date not null,
  scope varchar not null,
  scope_id varchar not null,
  total_responses bigint,
  brand_mentions bigint,
  share_of_voice double,
  previous_period_share_of_voice double,
  change double,
  _run_id varchar not null,
  _changed_at timestamp not null
);
comment on table core.share_of_voice is 'Share of voice of your brand, one row per period. Source: GET v1 share-of-voice/time-series.';
comment on column core.share_of_voice.project_id is 'Project id as the API reports it (core.projects.project_id).';
comment on column core.share_of_voice.grain is 'Length of the period: day, week (starts on Monday) or month. Filter on one; never add or average different grains.';
comment on column core.share_of_voice.date is 'First day of the period (UTC).';
comment on column core.share_of_voice.scope is 'Filter the request carried: project (none), model, monitor, prompt or prompt_type. Filter on one; never add or average different scopes.';
comment on column core.share_of_voice.scope_id is 'Value of that filter; the project id in scope project.';
comment on column core.share_of_voice.total_responses is 'Organic responses in the period. Adds up over periods of one grain, not over scopes. Source: GET v1 share-of-voice/time-series.';
comment on column core.share_of_voice.brand_mentions is 'Responses that mention your brand. Adds up over periods of one grain, not over scopes. Source: GET v1 share-of-voice/time-series.';
comment on column core.share_of_voice.share_of_voice is 'Brand mentions per organic response, percent 0 to 100. Do not sum or average: compute from the counts. Source: GET v1 share-of-voice/time-series.';
comment on column core.share_of_voice.previous_period_share_of_voice is 'Share of voice of the period before, percent. Do not sum or average. Source: GET v1 share-of-voice/time-series.';
comment on column core.share_of_voice.change is 'Change against the period before, percentage points. Do not sum or average. Source: GET v1 share-of-voice/time-series.';
comment on column core.share_of_voice._run_id is 'Run that last changed this row (meta.runs.run_id). A row that came again unchanged keeps its older run.';
comment on column core.share_of_voice._changed_at is 'Instant (UTC) at which this row last changed here.';

create table core.brand_visibility (
  project_id varchar not null,
  grain varchar not null,
  date date not null,
  scope varchar not null,
  scope_id varchar not null,
  brand_id varchar not null,
  average_visibility double,
  mention_count bigint,
  total_responses bigint,
  visibility_percentage double,
  _run_id varchar not null,
  _changed_at timestamp not null
);
comment on table core.brand_visibility is 'Visibility of each brand, own and competing, one row per period. Source: GET v1 analytics/brands/visibility-over-time.';
comment on column core.brand_visibility.project_id is 'Project id as the API reports it (core.projects.project_id).';
comment on column core.brand_visibility.grain is 'Length of the period: day, week (starts on Monday) or month. Filter on one; never add or average different grains.';
comment on column core.brand_visibility.date is 'First day of the period (UTC).';
comment on column core.brand_visibility.scope is 'Filter the request carried: project (none), model, monitor, prompt or prompt_type. Filter on one; never add or average different scopes.';
comment on column core.brand_visibility.scope_id is 'Value of that filter; the project id in scope project.';
comment on column core.brand_visibility.brand_id is 'Brand id (core.brands). Source: GET v1 analytics/brands/visibility-over-time.';
comment on column core.brand_visibility.average_visibility is 'Average visibility, scale as the API reports it. Do not sum or average. Source: GET v1 analytics/brands/visibility-over-time.';
comment on column core.brand_visibility.mention_count is 'Mentions of the brand. Adds up over periods of one grain. Source: GET v1 analytics/brands/visibility-over-time.';
comment on column core.brand_visibility.total_responses is 'Responses in the period, the same for every brand. Do not add over brands. Source: GET v1 analytics/brands/visibility-over-time.';
comment on column core.brand_visibility.visibility_percentage is 'Share of responses that show the brand, percent. Do not sum or average. Source: GET v1 analytics/brands/visibility-over-time.';
comment on column core.brand_visibility._run_id is 'Run that last changed this row (meta.runs.run_id). A row that came again unchanged keeps its older run.';
comment on column core.brand_visibility._changed_at is 'Instant (UTC) at which this row last changed here.';

create table core.domain_citations (
  project_id varchar not null,
  grain varchar not null,
  date date not null,
  scope varchar not null,
  scope_id varchar not null,
  domain varchar not null,
  citations bigint,
  _run_id varchar not null,
  _changed_at timestamp not null
);
comment on table core.domain_citations is 'Citations of each domain in AI answers, one row per period. Source: GET v1 citations/domains-over-time.';
comment on column core.domain_citations.project_id is 'Project id as the API reports it (core.projects.project_id).';
comment on column core.domain_citations.grain is 'Length of the period: day, week (starts on Monday) or month. Filter on one; never add or average different grains.';
comment on column core.domain_citations.date is 'First day of the period (UTC).';
comment on column core.domain_citations.scope is 'Filter the request carried: project (none), model, monitor, prompt or prompt_type. Filter on one; never add or average different scopes.';
comment on column core.domain_citations.scope_id is 'Value of that filter; the project id in scope project.';
comment on column core.domain_citations.domain is 'Cited domain. Source: GET v1 citations/domains-over-time.';
comment on column core.domain_citations.citations is 'Citations of the domain. Adds up over periods of one grain and over the listed domains (the list may be cut). Source: GET v1 citations/domains-over-time.';
comment on column core.domain_citations._run_id is 'Run that last changed this row (meta.runs.run_id). A row that came again unchanged keeps its older run.';
comment on column core.domain_citations._changed_at is 'Instant (UTC) at which this row last changed here.';

create table core.citation_ranks (
  project_id varchar not null,
  grain varchar not null,
  date date not null,
  scope varchar not null,
  scope_id varchar not null,
  total_citations bigint,
  average_rank double,
  best_rank double,
  worst_rank double,
  citations_with_rank bigint,
  _run_id varchar not null,
  _changed_at timestamp not null
);
comment on table core.citation_ranks is 'Citations of your domain and their rank, one row per period. Source: GET v1 citations/rank-analysis.';
comment on column core.citation_ranks.project_id is 'Project id as the API reports it (core.projects.project_id).';
comment on column core.citation_ranks.grain is 'Length of the period: day, week (starts on Monday) or month. Filter on one; never add or average different grains.';
comment on column core.citation_ranks.date is 'First day of the period (UTC).';
comment on column core.citation_ranks.scope is 'Filter the request carried: project (none), model, monitor, prompt or prompt_type. Filter on one; never add or average different scopes.';
comment on column core.citation_ranks.scope_id is 'Value of that filter; the project id in scope project.';
comment on column core.citation_ranks.total_citations is 'Citations. Adds up over periods of one grain. Source: GET v1 citations/rank-analysis.';
comment on column core.citation_ranks.average_rank is 'Average rank of the citations that have one, 1 is best. Do not sum or average. Source: GET v1 citations/rank-analysis.';
comment on column core.citation_ranks.best_rank is 'Best (lowest) rank. Do not sum or average: take the minimum over periods. Source: GET v1 citations/rank-analysis.';
comment on column core.citation_ranks.worst_rank is 'Worst (highest) rank. Do not sum or average: take the maximum over periods. Source: GET v1 citations/rank-analysis.';
comment on column core.citation_ranks.citations_with_rank is 'Citations that have a rank. Adds up over periods of one grain. Source: GET v1 citations/rank-analysis.';
comment on column core.citation_ranks._run_id is 'Run that last changed this row (meta.runs.run_id). A row that came again unchanged keeps its older run.';
comment on column core.citation_ranks._changed_at is 'Instant (UTC) at which this row last changed here.';

create table core.response_sentiment (
  project_id varchar not null,
  grain varchar not null,
  date date not null,
  scope varchar not null,
  scope_id varchar not null,
  positive bigint,
  negative bigint,
  neutral bigint,
  unknown bigint,
  _run_id varchar not null,
  _changed_at timestamp not null
);
comment on table core.response_sentiment is 'Responses by sentiment; grain is always day, scope always project, one row per period. Source: GET v1 responses/sentiment-time-series.';
comment on column core.response_sentiment.project_id is 'Project id as the API reports it (core.projects.project_id).';
comment on column core.response_sentiment.grain is 'Length of the period: day, week (starts on Monday) or month. Filter on one; never add or average different grains.';
comment on column core.response_sentiment.date is 'First day of the period (UTC).';
comment on column core.response_sentiment.scope is 'Filter the request carried: project (none), model, monitor, prompt or prompt_type. Filter on one; never add or average different scopes.';
comment on column core.response_sentiment.scope_id is 'Value of that filter; the project id in scope project.';
comment on column core.response_sentiment.positive is 'Positive responses. Adds up over days. Source: GET v1 responses/sentiment-time-series.';
comment on column core.response_sentiment.negative is 'Negative responses. Adds up over days. Source: GET v1 responses/sentiment-time-series.';
comment on column core.response_sentiment.neutral is 'Neutral responses. Adds up over days. Source: GET v1 responses/sentiment-time-series.';
comment on column core.response_sentiment.unknown is 'Responses without a known sentiment. Adds up over days. Source: GET v1 responses/sentiment-time-series.';
comment on column core.response_sentiment._run_id is 'Run that last changed this row (meta.runs.run_id). A row that came again unchanged keeps its older run.';
comment on column core.response_sentiment._changed_at is 'Instant (UTC) at which this row last changed here.';

create table core.crawler_requests (
  project_id varchar not null,
  grain varchar not null,
  date date not null,
  scope varchar not null,
  scope_id varchar not null,
  crawler varchar not null,
  requests bigint,
  _run_id varchar not null,
  _changed_at timestamp not null
);
comment on table core.crawler_requests is 'Requests of AI crawlers to the tracked site, one row per period. Source: GET v1 analytics/crawlers/trend.';
comment on column core.crawler_requests.project_id is 'Project id as the API reports it (core.projects.project_id).';
comment on column core.crawler_requests.grain is 'Length of the period: day, week (starts on Monday) or month. Filter on one; never add or average different grains.';
comment on column core.crawler_requests.date is 'First day of the period (UTC).';
comment on column core.crawler_requests.scope is 'Filter the request carried: project (none), model, monitor, prompt or prompt_type. Filter on one; never add or average different scopes.';
comment on column core.crawler_requests.scope_id is 'Value of that filter; the project id in scope project.';
comment on column core.crawler_requests.crawler is 'Crawler, as the API names it. Source: GET v1 analytics/crawlers/trend.';
comment on column core.crawler_requests.requests is 'Requests. Adds up over periods of one grain and over crawlers. Source: GET v1 analytics/crawlers/trend.';
comment on column core.crawler_requests._run_id is 'Run that last changed this row (meta.runs.run_id). A row that came again unchanged keeps its older run.';
comment on column core.crawler_requests._changed_at is 'Instant (UTC) at which this row last changed here.';

create table core.visitor_visits (
  project_id varchar not null,
  grain varchar not null,
  date date not null,
  scope varchar not null,
  scope_id varchar not null,
  referrer varchar not null,
  visits bigint,
  _run_id varchar not null,
  _changed_at timestamp not null
);
comment on table core.visitor_visits is 'Visits that AI assistants sent to the tracked site, one row per period. Source: GET v1 analytics/visitors/trend.';
comment on column core.visitor_visits.project_id is 'Project id as the API reports it (core.projects.project_id).';
comment on column core.visitor_visits.grain is 'Length of the period: day, week (starts on Monday) or month. Filter on one; never add or average different grains.';
comment on column core.visitor_visits.date is 'First day of the period (UTC).';
comment on column core.visitor_visits.scope is 'Filter the request carried: project (none) or page (one landing page, sync.landing_pages). The visits of the project contain those of its pages. Filter on one; never add or average different scopes.';
comment on column core.visitor_visits.scope_id is 'Path of the page; the project id in scope project.';
comment on column core.visitor_visits.referrer is 'Referrer, as the API names it. Source: GET v1 analytics/visitors/trend.';
comment on column core.visitor_visits.visits is 'Visits. Adds up over periods of one grain and over referrers. Source: GET v1 analytics/visitors/trend.';
comment on column core.visitor_visits._run_id is 'Run that last changed this row (meta.runs.run_id). A row that came again unchanged keeps its older run.';
comment on column core.visitor_visits._changed_at is 'Instant (UTC) at which this row last changed here.';

create table core.competitor_heatmap (
  project_id varchar not null,
  window_kind varchar not null,
  window_start date not null,
  window_end date not null,
  scope varchar not null,
  scope_id varchar not null,
  competitor_name varchar not null,
  competitor_domain varchar not null,
  model_id varchar not null,
  relation varchar,
  competitor_rank bigint,
  visibility double,
  _run_id varchar not null,
  _changed_at timestamp not null
);
comment on table core.competitor_heatmap is 'Visibility of each competitor in each model, one answer per whole window; windows add up to nothing. Source: GET v1 competitor-heatmap.';
comment on column core.competitor_heatmap.project_id is 'Project id as the API reports it (core.projects.project_id).';
comment on column core.competitor_heatmap.window_kind is 'Kind of window: month, last_7_days, last_28_days, last_90_days or day. Windows overlap. Filter on one; never add or average different windows.';
comment on column core.competitor_heatmap.window_start is 'First day of the window (UTC). Part of the key.';
comment on column core.competitor_heatmap.window_end is 'Last day of the window (UTC), counted. Not part of the key: a month that is not over runs to the day of the sync.';
comment on column core.competitor_heatmap.scope is 'Filter the request carried: project (none), model, monitor, prompt or prompt_type. Filter on one; never add or average different scopes.';
comment on column core.competitor_heatmap.scope_id is 'Value of that filter; the project id in scope project.';
comment on column core.competitor_heatmap.competitor_name is 'Name; names repeat and may look like numbers. Source: GET v1 competitor-heatmap.';
comment on column core.competitor_heatmap.competitor_domain is 'Domain; '''' when the API reports none. Source: GET v1 competitor-heatmap.';
comment on column core.competitor_heatmap.model_id is 'Model id (core.models; LEFT JOIN). Source: GET v1 competitor-heatmap.';
comment on column core.competitor_heatmap.relation is 'DIRECT_COMPETITOR or OTHER; SELF where your brand is listed. Source: GET v1 competitor-heatmap.';
comment on column core.competitor_heatmap.competitor_rank is 'Place in the list of the answer, 1 is first. Source: GET v1 competitor-heatmap.';
comment on column core.competitor_heatmap.visibility is 'Visibility, percent; NULL: the answer has no cell. Do not sum or average. Source: GET v1 competitor-heatmap.';
comment on column core.competitor_heatmap._run_id is 'Run that last changed this row (meta.runs.run_id). A row that came again unchanged keeps its older run.';
comment on column core.competitor_heatmap._changed_at is 'Instant (UTC) at which this row last changed here.';

create table core.domain_citation_totals (
  project_id varchar not null,
  window_kind varchar not null,
  window_start date not null,
  window_end date not null,
  scope varchar not null,
  scope_id varchar not null,
  domain varchar not null,
  total bigint,
  percentage double,
  average_rank double,
  _run_id varchar not null,
  _changed_at timestamp not null
);
comment on table core.domain_citation_totals is 'Citations of each domain, one answer per whole window; windows add up to nothing. Source: GET v1 citations/domains-over-time.';
comment on column core.domain_citation_totals.project_id is 'Project id as the API reports it (core.projects.project_id).';
comment on column core.domain_citation_totals.window_kind is 'Kind of window: month, last_7_days, last_28_days, last_90_days or day. Windows overlap. Filter on one; never add or average different windows.';
comment on column core.domain_citation_totals.window_start is 'First day of the window (UTC). Part of the key.';
comment on column core.domain_citation_totals.window_end is 'Last day of the window (UTC), counted. Not part of the key: a month that is not over runs to the day of the sync.';
comment on column core.domain_citation_totals.scope is 'Filter the request carried: project (none), model, monitor, prompt or prompt_type. Filter on one; never add or average different scopes.';
comment on column core.domain_citation_totals.scope_id is 'Value of that filter; the project id in scope project.';
comment on column core.domain_citation_totals.domain is 'Cited domain. Source: GET v1 citations/domains-over-time.';
comment on column core.domain_citation_totals.total is 'Citations in the window. Adds up over the listed domains (the list may be cut), not over windows. Source: GET v1 citations/domains-over-time.';
comment on column core.domain_citation_totals.percentage is 'Share of all citations, percent; NULL for a domain that was asked for by its name because the list was cut off before it. Do not add over windows. Source: GET v1 citations/domains-over-time.';
comment on column core.domain_citation_totals.average_rank is 'Average rank, 1 is best. Do not sum or average. Source: GET v1 citations/domains-over-time.';
comment on column core.domain_citation_totals._run_id is 'Run that last changed this row (meta.runs.run_id). A row that came again unchanged keeps its older run.';
comment on column core.domain_citation_totals._changed_at is 'Instant (UTC) at which this row last changed here.';

create table core.citation_totals (
  project_id varchar not null,
  window_kind varchar not null,
  window_start date not null,
  window_end date not null,
  scope varchar not null,
  scope_id varchar not null,
  total_citations bigint,
  overall_average_rank double,
  _run_id varchar not null,
  _changed_at timestamp not null
);
comment on table core.citation_totals is 'Citations in total, one answer per whole window; windows add up to nothing. Source: GET v1 citations/domains-over-time, GET v1 citations/rank-analysis.';
comment on column core.citation_totals.project_id is 'Project id as the API reports it (core.projects.project_id).';
comment on column core.citation_totals.window_kind is 'Kind of window: month, last_7_days, last_28_days, last_90_days or day. Windows overlap. Filter on one; never add or average different windows.';
comment on column core.citation_totals.window_start is 'First day of the window (UTC). Part of the key.';
comment on column core.citation_totals.window_end is 'Last day of the window (UTC), counted. Not part of the key: a month that is not over runs to the day of the sync.';
comment on column core.citation_totals.scope is 'Filter the request carried: project (none), model, monitor, prompt or prompt_type. Filter on one; never add or average different scopes.';
comment on column core.citation_totals.scope_id is 'Value of that filter; the project id in scope project.';
comment on column core.citation_totals.total_citations is 'All citations, domains beyond the limit included (domains-over-time). Do not add over windows. Source: GET v1 citations/domains-over-time, GET v1 citations/rank-analysis.';
comment on column core.citation_totals.overall_average_rank is 'Average rank over all citations, 1 is best (rank-analysis). Do not sum or average. Source: GET v1 citations/domains-over-time, GET v1 citations/rank-analysis.';
comment on column core.citation_totals._run_id is 'Run that last changed this row (meta.runs.run_id). A row that came again unchanged keeps its older run.';
comment on column core.citation_totals._changed_at is 'Instant (UTC) at which this row last changed here.';

create table core.llm_sources (
  project_id varchar not null,
  window_kind varchar not null,
  window_start date not null,
  window_end date not null,
  scope varchar not null,
  scope_id varchar not null,
  llm varchar not null,
  provider varchar,
  model varchar,
  total_citations bigint,
  unique_domains bigint,
  unique_prompts bigint,
  _run_id varchar not null,
  _changed_at timestamp not null
);
comment on table core.llm_sources is 'Citations by AI model, one answer per whole window; windows add up to nothing. Source: GET v1 citations/llm-sources.';
comment on column core.llm_sources.project_id is 'Project id as the API reports it (core.projects.project_id).';
comment on column core.llm_sources.window_kind is 'Kind of window: month, last_7_days, last_28_days, last_90_days or day. Windows overlap. Filter on one; never add or average different windows.';
comment on column core.llm_sources.window_start is 'First day of the window (UTC). Part of the key.';
comment on column core.llm_sources.window_end is 'Last day of the window (UTC), counted. Not part of the key: a month that is not over runs to the day of the sync.';
comment on column core.llm_sources.scope is 'Filter the request carried: project (none), model, monitor, prompt or prompt_type. Filter on one; never add or average different scopes.';
comment on column core.llm_sources.scope_id is 'Value of that filter; the project id in scope project.';
comment on column core.llm_sources.llm is 'Model id (core.models; LEFT JOIN). Source: GET v1 citations/llm-sources.';
comment on column core.llm_sources.provider is 'Provider. Source: GET v1 citations/llm-sources.';
comment on column core.llm_sources.model is 'Model. Source: GET v1 citations/llm-sources.';
comment on column core.llm_sources.total_citations is 'Citations. Adds up over models, not over windows. Source: GET v1 citations/llm-sources.';
comment on column core.llm_sources.unique_domains is 'Different domains. Do not sum. Source: GET v1 citations/llm-sources.';
comment on column core.llm_sources.unique_prompts is 'Different prompts. Do not sum. Source: GET v1 citations/llm-sources.';
comment on column core.llm_sources._run_id is 'Run that last changed this row (meta.runs.run_id). A row that came again unchanged keeps its older run.';
comment on column core.llm_sources._changed_at is 'Instant (UTC) at which this row last changed here.';

create table core.share_of_voice_comparison (
  project_id varchar not null,
  window_kind varchar not null,
  window_start date not null,
  window_end date not null,
  scope varchar not null,
  scope_id varchar not null,
  current_total_responses bigint,
  current_brand_mentions bigint,
  current_share_of_voice double,
  previous_total_responses bigint,
  previous_brand_mentions bigint,
  previous_share_of_voice double,
  change double,
  change_percent double,
  _run_id varchar not null,
  _changed_at timestamp not null
);
comment on table core.share_of_voice_comparison is 'Share of voice of the window and of the one before, one answer per whole window; windows add up to nothing. Source: GET v1 share-of-voice/comparison.';
comment on column core.share_of_voice_comparison.project_id is 'Project id as the API reports it (core.projects.project_id).';
comment on column core.share_of_voice_comparison.window_kind is 'Kind of window: month, last_7_days, last_28_days, last_90_days or day. Windows overlap. Filter on one; never add or average different windows.';
comment on column core.share_of_voice_comparison.window_start is 'First day of the window (UTC). Part of the key.';
comment on column core.share_of_voice_comparison.window_end is 'Last day of the window (UTC), counted. Not part of the key: a month that is not over runs to the day of the sync.';
comment on column core.share_of_voice_comparison.scope is 'Filter the request carried: project (none), model, monitor, prompt or prompt_type. Filter on one; never add or average different scopes.';
comment on column core.share_of_voice_comparison.scope_id is 'Value of that filter; the project id in scope project.';
comment on column core.share_of_voice_comparison.current_total_responses is 'Organic responses in the window. Do not add over windows. Source: GET v1 share-of-voice/comparison.';
comment on column core.share_of_voice_comparison.current_brand_mentions is 'Responses that mention your brand, in the window. Do not add over windows. Source: GET v1 share-of-voice/comparison.';
comment on column core.share_of_voice_comparison.current_share_of_voice is 'Share of voice in the window, percent. Do not sum or average. Source: GET v1 share-of-voice/comparison.';
comment on column core.share_of_voice_comparison.previous_total_responses is 'Organic responses in the window before. Do not add over windows. Source: GET v1 share-of-voice/comparison.';
comment on column core.share_of_voice_comparison.previous_brand_mentions is 'Responses that mention your brand, in the window before. Do not add over windows. Source: GET v1 share-of-voice/comparison.';
comment on column core.share_of_voice_comparison.previous_share_of_voice is 'Share of voice in the window before, percent. Do not sum or average. Source: GET v1 share-of-voice/comparison.';
comment on column core.share_of_voice_comparison.change is 'Change, percentage points. Do not sum or average. Source: GET v1 share-of-voice/comparison.';
comment on column core.share_of_voice_comparison.change_percent is 'Change relative to the window before, percent. Do not sum or average. Source: GET v1 share-of-voice/comparison.';
comment on column core.share_of_voice_comparison._run_id is 'Run that last changed this row (meta.runs.run_id). A row that came again unchanged keeps its older run.';
comment on column core.share_of_voice_comparison._changed_at is 'Instant (UTC) at which this row last changed here.';

create table core.crawler_top_pages (
  project_id varchar not null,
  window_kind varchar not null,
  window_start date not null,
  window_end date not null,
  scope varchar not null,
  scope_id varchar not null,
  request_path varchar not null,
  requests bigint,
  unique_crawlers bigint,
  crawlers varchar[],
  _run_id varchar not null,
  _changed_at timestamp not null
);
comment on table core.crawler_top_pages is 'Pages that AI crawlers asked for most, one answer per whole window; windows add up to nothing. Source: GET v1 analytics/crawlers/top-pages.';
comment on column core.crawler_top_pages.project_id is 'Project id as the API reports it (core.projects.project_id).';
comment on column core.crawler_top_pages.window_kind is 'Kind of window: month, last_7_days, last_28_days, last_90_days or day. Windows overlap. Filter on one; never add or average different windows.';
comment on column core.crawler_top_pages.window_start is 'First day of the window (UTC). Part of the key.';
comment on column core.crawler_top_pages.window_end is 'Last day of the window (UTC), counted. Not part of the key: a month that is not over runs to the day of the sync.';
comment on column core.crawler_top_pages.scope is 'Filter the request carried: project (none), model, monitor, prompt or prompt_type. Filter on one; never add or average different scopes.';
comment on column core.crawler_top_pages.scope_id is 'Value of that filter; the project id in scope project.';
comment on column core.crawler_top_pages.request_path is 'Path of the page. Source: GET v1 analytics/crawlers/top-pages.';
comment on column core.crawler_top_pages.requests is 'Requests. Adds up over the listed pages (a top list), not over windows. Source: GET v1 analytics/crawlers/top-pages.';
comment on column core.crawler_top_pages.unique_crawlers is 'Different crawlers. Do not sum. Source: GET v1 analytics/crawlers/top-pages.';
comment on column core.crawler_top_pages.crawlers is 'Names of the crawlers. Source: GET v1 analytics/crawlers/top-pages.';
comment on column core.crawler_top_pages._run_id is 'Run that last changed this row (meta.runs.run_id). A row that came again unchanged keeps its older run.';
comment on column core.crawler_top_pages._changed_at is 'Instant (UTC) at which this row last changed here.';

create table core.sentiment_distribution (
  project_id varchar not null,
  window_kind varchar not null,
  window_start date not null,
  window_end date not null,
  scope varchar not null,
  scope_id varchar not null,
  sentiment varchar not null,
  count bigint,
  percentage double,
  _run_id varchar not null,
  _changed_at timestamp not null
);
comment on table core.sentiment_distribution is 'Responses by sentiment, one answer per whole window; windows add up to nothing. Source: GET v1 responses/sentiment-distribution.';
comment on column core.sentiment_distribution.project_id is 'Project id as the API reports it (core.projects.project_id).';
comment on column core.sentiment_distribution.window_kind is 'Kind of window: month, last_7_days, last_28_days, last_90_days or day. Windows overlap. Filter on one; never add or average different windows.';
comment on column core.sentiment_distribution.window_start is 'First day of the window (UTC). Part of the key.';
comment on column core.sentiment_distribution.window_end is 'Last day of the window (UTC), counted. Not part of the key: a month that is not over runs to the day of the sync.';
comment on column core.sentiment_distribution.scope is 'Filter the request carried: project (none), model, monitor, prompt or prompt_type. Filter on one; never add or average different scopes.';
comment on column core.sentiment_distribution.scope_id is 'Value of that filter; the project id in scope project.';
comment on column core.sentiment_distribution.sentiment is 'POSITIVE, NEGATIVE, NEUTRAL or what else the API reports. Source: GET v1 responses/sentiment-distribution.';
comment on column core.sentiment_distribution.count is 'Responses. Adds up over sentiments, not over windows. Source: GET v1 responses/sentiment-distribution.';
comment on column core.sentiment_distribution.percentage is 'Share of responses, percent. Do not add over windows. Source: GET v1 responses/sentiment-distribution.';
comment on column core.sentiment_distribution._run_id is 'Run that last changed this row (meta.runs.run_id). A row that came again unchanged keeps its older run.';
comment on column core.sentiment_distribution._changed_at is 'Instant (UTC) at which this row last changed here.';

create table core.competitor_mentions (
  project_id varchar not null,
  window_kind varchar not null,
  window_start date not null,
  window_end date not null,
  scope varchar not null,
  scope_id varchar not null,
  competitor varchar not null,
  count bigint,
  percentage double,
  _run_id varchar not null,
  _changed_at timestamp not null
);
comment on table core.competitor_mentions is 'Mentions of competitors in responses, a top list, one answer per whole window; windows add up to nothing. Source: GET v1 responses/competitors.';
comment on column core.competitor_mentions.project_id is 'Project id as the API reports it (core.projects.project_id).';
comment on column core.competitor_mentions.window_kind is 'Kind of window: month, last_7_days, last_28_days, last_90_days or day. Windows overlap. Filter on one; never add or average different windows.';
comment on column core.competitor_mentions.window_start is 'First day of the window (UTC). Part of the key.';
comment on column core.competitor_mentions.window_end is 'Last day of the window (UTC), counted. Not part of the key: a month that is not over runs to the day of the sync.';
comment on column core.competitor_mentions.scope is 'Filter the request carried: project (none), model, monitor, prompt or prompt_type. Filter on one; never add or average different scopes.';
comment on column core.competitor_mentions.scope_id is 'Value of that filter; the project id in scope project.';
comment on column core.competitor_mentions.competitor is 'Name of the competitor. Source: GET v1 responses/competitors.';
comment on column core.competitor_mentions.count is 'Responses that mention it. Do not add over windows. Source: GET v1 responses/competitors.';
comment on column core.competitor_mentions.percentage is 'Share of responses, percent. Do not sum or average. Source: GET v1 responses/competitors.';
comment on column core.competitor_mentions._run_id is 'Run that last changed this row (meta.runs.run_id). A row that came again unchanged keeps its older run.';
comment on column core.competitor_mentions._changed_at is 'Instant (UTC) at which this row last changed here.';

create table core.response_summary (
  project_id varchar not null,
  window_kind varchar not null,
  window_start date not null,
  window_end date not null,
  scope varchar not null,
  scope_id varchar not null,
  total_responses bigint,
  total_brand_mentions bigint,
  brand_mention_rate double,
  _run_id varchar not null,
  _changed_at timestamp not null
);
comment on table core.response_summary is 'Responses and brand mentions in total, one answer per whole window; windows add up to nothing. Source: GET v1 responses/summary.';
comment on column core.response_summary.project_id is 'Project id as the API reports it (core.projects.project_id).';
comment on column core.response_summary.window_kind is 'Kind of window: month, last_7_days, last_28_days, last_90_days or day. Windows overlap. Filter on one; never add or average different windows.';
comment on column core.response_summary.window_start is 'First day of the window (UTC). Part of the key.';
comment on column core.response_summary.window_end is 'Last day of the window (UTC), counted. Not part of the key: a month that is not over runs to the day of the sync.';
comment on column core.response_summary.scope is 'Filter the request carried: project (none), model, monitor, prompt or prompt_type. Filter on one; never add or average different scopes.';
comment on column core.response_summary.scope_id is 'Value of that filter; the project id in scope project.';
comment on column core.response_summary.total_responses is 'Responses in the window. Do not add over windows. Source: GET v1 responses/summary.';
comment on column core.response_summary.total_brand_mentions is 'Mentions of your brand in the window. Do not add over windows. Source: GET v1 responses/summary.';
comment on column core.response_summary.brand_mention_rate is 'Brand mention rate, scale as the API reports it. Do not sum or average. Source: GET v1 responses/summary.';
comment on column core.response_summary._run_id is 'Run that last changed this row (meta.runs.run_id). A row that came again unchanged keeps its older run.';
comment on column core.response_summary._changed_at is 'Instant (UTC) at which this row last changed here.';

create table core.events (
  project_id varchar not null,
  event_id varchar not null,
  date date not null,
  type varchar not null,
  occurred_at timestamp not null,
  action_id varchar,
  action_type varchar,
  action_status varchar,
  action_title varchar,
  monitor_id varchar,
  monitor_name varchar,
  prompt_count bigint,
  _run_id varchar not null,
  _changed_at timestamp not null
);
comment on table core.events is 'Dated project events: completed actions, and prompts created or deleted (one event per day and monitor). Source: GET v2 events.';
comment on column core.events.project_id is 'Project id as the API reports it (core.projects.project_id).';
comment on column core.events.event_id is 'action:<action id> or <type>:<date>:<monitor id>. Source: GET v2 events.';
comment on column core.events.date is 'Day (UTC), the join key of the API. Source: GET v2 events.';
comment on column core.events.type is 'action, prompts_created or prompts_deleted. Source: GET v2 events.';
comment on column core.events.occurred_at is 'Instant (UTC) of the action, or of the earliest prompt of the group (moves while the day fills). Source: GET v2 events.';
comment on column core.events.action_id is 'Action id; NULL for prompt groups. Source: GET v2 events.';
comment on column core.events.action_type is 'Type of the action, for example CONTENT_GAP; NULL for prompt groups. Source: GET v2 events.';
comment on column core.events.action_status is 'done is the only value in events; NULL for prompt groups. Source: GET v2 events.';
comment on column core.events.action_title is 'Title of the action; NULL for prompt groups. Source: GET v2 events.';
comment on column core.events.monitor_id is 'Monitor of the prompt group; NULL for actions. Source: GET v2 events.';
comment on column core.events.monitor_name is 'Name of the monitor as reported with the event; may be NULL. Source: GET v2 events.';
comment on column core.events.prompt_count is 'Prompts in the group; NULL for actions. Adds up over events. Source: GET v2 events.';
comment on column core.events._run_id is 'Run that last changed this row (meta.runs.run_id). A row that came again unchanged keeps its older run.';
comment on column core.events._changed_at is 'Instant (UTC) at which this row last changed here.';

create table core.event_prompts (
  project_id varchar not null,
  event_id varchar not null,
  prompt_id varchar not null,
  date date not null,
  occurred_at timestamp not null,
  _run_id varchar not null,
  _changed_at timestamp not null
);
comment on table core.event_prompts is 'Prompts that a prompt event created or deleted. Source: GET v2 events.';
comment on column core.event_prompts.project_id is 'Project id as the API reports it (core.projects.project_id).';
comment on column core.event_prompts.event_id is 'Event (core.events). Source: GET v2 events.';
comment on column core.event_prompts.prompt_id is 'Prompt id. Source: GET v2 events.';
comment on column core.event_prompts.date is 'UTC day that the event is filed under, the join key. Source: GET v2 events.';
comment on column core.event_prompts.occurred_at is 'Instant (UTC) at which the prompt was created or deleted. Source: GET v2 events.';
comment on column core.event_prompts._run_id is 'Run that last changed this row (meta.runs.run_id). A row that came again unchanged keeps its older run.';
comment on column core.event_prompts._changed_at is 'Instant (UTC) at which this row last changed here.';

create table core.cms_drafts (
  publish_record_id varchar not null,
  content_id varchar,
  connection_id varchar,
  external_item_id varchar,
  status varchar,
  slug varchar,
  pushed_at timestamp,
  _run_id varchar not null,
  _changed_at timestamp not null
);
comment on table core.cms_drafts is 'Drafts that answerlake pushed to the CMS. Source: POST v2 content/{id}/cms/draft.';
comment on column core.cms_drafts.publish_record_id is 'Publish record id. Source: POST v2 content/{id}/cms/draft.';
comment on column core.cms_drafts.content_id is 'Content document. Source: POST v2 content/{id}/cms/draft.';
comment on column core.cms_drafts.connection_id is 'CMS connection. Source: POST v2 content/{id}/cms/draft.';
comment on column core.cms_drafts.external_item_id is 'Identifier of the item in the CMS. Source: POST v2 content/{id}/cms/draft.';
comment on column core.cms_drafts.status is 'STAGED: written as an unpublished draft. Source: POST v2 content/{id}/cms/draft.';
comment on column core.cms_drafts.slug is 'Slug of the item. Source: POST v2 content/{id}/cms/draft.';
comment on column core.cms_drafts.pushed_at is 'Instant (UTC) of the push. Source: POST v2 content/{id}/cms/draft.';
comment on column core.cms_drafts._run_id is 'Run that last changed this row (meta.runs.run_id). A row that came again unchanged keeps its older run.';
comment on column core.cms_drafts._changed_at is 'Instant (UTC) at which this row last changed here.';
