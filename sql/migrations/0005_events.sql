-- Dated events, and the drafts that were pushed.

-- One row per project and event
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

-- One row per project, event and prompt
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
comment on column core.event_prompts.date is 'UTC day that the event is filed under, the join key. Source: GET /api/v2/events';
comment on column core.event_prompts.occurred_at is 'Instant (UTC) at which the prompt was created or deleted. Source: GET v2 events.';
comment on column core.event_prompts._run_id is 'Run that last changed this row (meta.runs.run_id). A row that came again unchanged keeps its older run.';
comment on column core.event_prompts._changed_at is 'Instant (UTC) at which this row last changed here.';

-- One row per publish record of a CMS draft
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
