-- Things with a name: organizations, projects, keys, models, monitors, prompts, brands.

-- One row per organization
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

-- One row per project
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

-- One row per API key
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

-- One row per AI model
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

-- One row per project and monitor
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

-- One row per project and prompt
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
comment on table core.prompts is 'Tracked prompts; a prompt that left the list stays here with removed_at. Source: GET v1 prompts and, for prompts known only from events, GET v1 prompts/{id}.';
comment on column core.prompts.project_id is 'Project id as the API reports it (core.projects.project_id).';
comment on column core.prompts.prompt_id is 'Prompt id. Source: GET v1 prompts.';
comment on column core.prompts.prompt is 'Text of the prompt; NULL when the API no longer knows it. Source: GET v1 prompts.';
comment on column core.prompts.type is 'ORGANIC, BRAND_SPECIFIC or COMPETITOR_COMPARISON. Source: GET v1 prompts.';
comment on column core.prompts.is_active is 'True when it is asked at present. Source: GET v1 prompts.';
comment on column core.prompts.language_code is 'Language. Source: GET v1 prompts.';
comment on column core.prompts.monitor_id is 'Monitor it belongs to (core.monitors). Source: GET v1 prompts.';
comment on column core.prompts.amount_of_responses is 'Responses so far, over all time. A running total: do not sum over days. Source: GET v1 prompts.';
comment on column core.prompts.volume is 'Weighted search volume over all keywords. Source: GET v1 prompts.';
comment on column core.prompts.intent is 'BRANDED, INFORMATIONAL, NAVIGATIONAL, COMMERCIAL or TRANSACTIONAL. Source: GET v1 prompts.';
comment on column core.prompts.average_visibility is 'Average visibility over all responses, scale as the API reports it. Do not average. Source: GET v1 prompts.';
comment on column core.prompts.difficulty is 'Weighted average keyword difficulty. Do not average. Source: GET v1 prompts.';
comment on column core.prompts.created_at is 'Instant (UTC) of creation. Source: GET v1 prompts.';
comment on column core.prompts.updated_at is 'Instant (UTC) of the last change; moves without a visible change and does not count as one. Source: GET v1 prompts.';
comment on column core.prompts.removed_at is 'Instant (UTC) at which it was first missing from the list; NULL while it is listed. Ours, not reported. Source: GET v1 prompts.';
comment on column core.prompts._run_id is 'Run that last changed this row (meta.runs.run_id). A row that came again unchanged keeps its older run.';
comment on column core.prompts._changed_at is 'Instant (UTC) at which this row last changed here.';

-- One row per project, sync day and prompt
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
comment on table core.prompt_snapshots is 'State of every listed prompt on each day of a sync: the history that the prompt list itself lacks. Source: GET v1 prompts.';
comment on column core.prompt_snapshots.project_id is 'Project id as the API reports it (core.projects.project_id).';
comment on column core.prompt_snapshots.date is 'Day of the sync (UTC).';
comment on column core.prompt_snapshots.prompt_id is 'Prompt id. Source: GET v1 prompts.';
comment on column core.prompt_snapshots.amount_of_responses is 'Responses so far, over all time. A running total: take differences between days, do not sum. Source: GET v1 prompts.';
comment on column core.prompt_snapshots.volume is 'Weighted search volume. Do not sum over days. Source: GET v1 prompts.';
comment on column core.prompt_snapshots.average_visibility is 'Average visibility over all responses. Do not average. Source: GET v1 prompts.';
comment on column core.prompt_snapshots.difficulty is 'Weighted average keyword difficulty. Do not average. Source: GET v1 prompts.';
comment on column core.prompt_snapshots.is_active is 'True when it was asked on that day. Source: GET v1 prompts.';
comment on column core.prompt_snapshots._run_id is 'Run that last changed this row (meta.runs.run_id). A row that came again unchanged keeps its older run.';
comment on column core.prompt_snapshots._changed_at is 'Instant (UTC) at which this row last changed here.';

-- One row per project and brand
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
