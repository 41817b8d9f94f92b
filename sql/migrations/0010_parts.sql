-- Which parts of the landing zone are loaded.

-- One row per part of the landing zone that was loaded
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
