-- What is believed: which days stay owed, what is vanishing, what a slice was asked with, and the order of runs.
alter table meta.runs add column sequence bigint;
update meta.runs
set sequence = n.sequence
from (select run_id, row_number() over (order by started_at, run_id) as sequence from meta.runs) n
where n.run_id = runs.run_id;

alter table meta.slices add column asked_with varchar;
alter table meta.slices add column asked_limit integer;

-- One row per series and range of days that stay owed although an answer was loaded for them
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
insert into meta.owed_days
select endpoint, project_id, scope, scope_id, grain, covered_end + 1, window_end, 'unconfirmed', sync_day, run_id
from meta.slices
where window_kind is null and covered_end < window_end and status in ('loaded', 'empty', 'not_enabled', 'truncated');
update meta.slices set covered_end = window_end where covered_end < window_end;
alter table meta.slices drop column asked_end;

-- One row per stored row that one answer contradicts
create table meta.vanishing_rows (
  table_name varchar not null,
  project_id varchar,
  key varchar not null,
  change varchar not null,
  date date,
  witnessed_on date not null,
  run_id varchar not null
);
insert into meta.vanishing_rows
select
  v.table_name,
  v.project_id,
  v.key,
  'gone',
  coalesce(
    try_cast(json_extract_string(v.key, '$.date') as date),
    try_cast(json_extract_string(v.key, '$.window_start') as date)
  ),
  coalesce(r.sync_day, cast(current_date as date)),
  v.last_run_id
from meta.vanishing v
left join meta.runs r on r.run_id = v.last_run_id;
drop table meta.vanishing;
alter table meta.vanishing_rows rename to vanishing;

-- One row per base URL and organization: the hourly quota last seen
create table meta.quotas (
  base_url varchar not null,
  organization_id varchar not null,
  quota_limit bigint not null,
  quota_remaining bigint,
  quota_reset_at timestamp,
  seen_at timestamp not null
);
insert into meta.quotas
select base_url, organization_id, quota_limit, quota_remaining, quota_reset_at, learned_at
from meta.limits
where quota_limit is not null;
drop table meta.limits;

-- One row per filter value that the server refuses
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

comment on column meta.runs.sequence is 'Number of the run in this warehouse: runs are in this order, whatever their clocks said.';
comment on column meta.slices.status is 'loaded, empty (no rows), not_enabled (the project does not use it), truncated (the list may go on), suspicious (more than half of the known rows are missing), refused (too old for the server), failed.';
comment on column meta.slices.covered_end is 'Last day (UTC) that the answer speaks of; NULL for lists and failures.';
comment on column meta.slices.asked_with is 'Digest of the path, the parameter names, end_date and the time zone that the slice was asked with. Only answers of today''s settings count.';
comment on column meta.slices.asked_limit is 'Longest list that the request allowed; NULL where it set none.';
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
comment on table meta.vanishing is 'Stored rows that one answer lacks or leaves empty. A row goes when an answer of a later sync day says the same, and its entry goes when the row comes back.';
comment on column meta.vanishing.table_name is 'Table in core, without schema.';
comment on column meta.vanishing.project_id is 'Project id; NULL where the table has none.';
comment on column meta.vanishing.key is 'Key of the row as a JSON object.';
comment on column meta.vanishing.change is 'gone (the answer lacks the row) or emptied (its figures became NULL or 0).';
comment on column meta.vanishing.date is 'Day of the row, or first day of its window; it is asked again. NULL for lists.';
comment on column meta.vanishing.witnessed_on is 'Sync day of the first answer that said so.';
comment on column meta.vanishing.run_id is 'Run of that answer (meta.runs.run_id).';
comment on table meta.quotas is 'The hourly quota of each organization, as last seen. Nothing else is learned about the server across runs.';
comment on column meta.quotas.base_url is 'Origin of the API.';
comment on column meta.quotas.organization_id is 'Organization id.';
comment on column meta.quotas.quota_limit is 'Requests an hour.';
comment on column meta.quotas.quota_remaining is 'Requests left in the hour.';
comment on column meta.quotas.quota_reset_at is 'Instant (UTC) at which the next hour begins.';
comment on column meta.quotas.seen_at is 'Instant (UTC) at which it was seen.';
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
