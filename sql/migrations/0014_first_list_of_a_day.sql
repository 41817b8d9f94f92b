-- A snapshot says when it was seen, and the first list of a day stays.
alter table core.prompt_snapshots rename to prompt_snapshots_before;
create table core.prompt_snapshots (
  project_id varchar not null,
  date date not null,
  prompt_id varchar not null,
  amount_of_responses bigint,
  volume double,
  average_visibility double,
  difficulty double,
  is_active boolean,
  seen_at timestamp,
  _run_id varchar not null,
  _changed_at timestamp not null
);
insert into core.prompt_snapshots
select project_id, date, prompt_id, amount_of_responses, volume, average_visibility, difficulty, is_active, _changed_at, _run_id, _changed_at
from core.prompt_snapshots_before;
drop table core.prompt_snapshots_before;
comment on table core.prompt_snapshots is 'State of every listed prompt on each day of a sync, as the first list of the day told it: the history that the prompt list itself lacks. Source: GET v1 prompts.';
comment on column core.prompt_snapshots.project_id is 'Project id as the API reports it (core.projects.project_id).';
comment on column core.prompt_snapshots.date is 'Day of the sync (UTC). Source: GET v1 prompts.';
comment on column core.prompt_snapshots.prompt_id is 'Prompt id. Source: GET v1 prompts.';
comment on column core.prompt_snapshots.amount_of_responses is 'Responses so far, over all time: a running total. Do not sum: take differences between days. Source: GET v1 prompts.';
comment on column core.prompt_snapshots.volume is 'Weighted search volume. Do not add over days. Source: GET v1 prompts.';
comment on column core.prompt_snapshots.average_visibility is 'Average visibility over all responses. Do not average. Source: GET v1 prompts.';
comment on column core.prompt_snapshots.difficulty is 'Weighted average keyword difficulty. Do not average. Source: GET v1 prompts.';
comment on column core.prompt_snapshots.is_active is 'True when it was asked on that day. Source: GET v1 prompts.';
comment on column core.prompt_snapshots.seen_at is 'Instant (UTC) of the answer: the figures are those of that moment. Source: GET v1 prompts.';
comment on column core.prompt_snapshots._run_id is 'Run that last changed this row (meta.runs.run_id). A row that came again unchanged keeps its older run.';
comment on column core.prompt_snapshots._changed_at is 'Instant (UTC) at which this row last changed here.';
