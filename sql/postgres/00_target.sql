-- What a target remembers of itself: nothing here is in the published file.

create table if not exists meta.target_settings (name text primary key, value text);
create table if not exists meta.target_parts (
  table_name text collate "C" not null,
  part text collate "C",
  row_count bigint not null,
  digest text not null
);
comment on table meta.target_settings is 'What answerlake keeps about this database: that it made it, and which published file it holds. Not in the published file.';
comment on table meta.target_parts is 'Parts (days, windows, runs, projects) of the tables here: what differs from the published file is written again. Not in the published file.';
