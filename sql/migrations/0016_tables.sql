-- Readers, checks and scripts learn the keys of tables from the file.
create table meta.tables (
  schema_name varchar not null,
  table_name varchar not null,
  key varchar[] not null,
  shape varchar not null,
  endpoint varchar not null
);
comment on table meta.tables is 'The tables that endpoints fill, with their keys. Written when answerlake opens the working file.';
