-- Every table of `meta` as answerlake 0.3.0 had it: where a new file begins. Those of `core` are made from the declarations of the endpoints.
create schema core;
create schema meta;

create table meta.migrations (
  version integer not null,
  name varchar not null,
  applied_at timestamp not null
);
comment on table meta.migrations is 'Migrations that were applied to this file, forward only.';

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

create table meta.settings (
  name varchar not null,
  value varchar
);
comment on table meta.settings is 'What the views need to know of the configuration; rewritten by each run: start_date, lookback_days, timezone, base_url, sync_day.';

create table meta.expected_series (
  endpoint varchar not null,
  project_id varchar not null,
  scope varchar not null,
  scope_id varchar not null,
  grain varchar,
  start_date date not null
);
comment on table meta.expected_series is 'What the configuration asks for; rewritten by each run. Gaps are what stands here and is not covered by meta.slices.';

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

create table meta.quotas (
  base_url varchar not null,
  organization_id varchar not null,
  quota_limit bigint not null,
  quota_remaining bigint,
  quota_reset_at timestamp,
  seen_at timestamp not null
);
comment on table meta.quotas is 'The hourly quota of each organization, as last seen. Nothing else is learned about the server across runs.';
