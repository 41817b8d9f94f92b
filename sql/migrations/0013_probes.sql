-- One row per parameter that one more question was asked about
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
