-- Readers, checks and scripts learn the keys of tables from the file.
create table meta.tables (
  schema_name varchar not null,
  table_name varchar not null,
  key varchar[] not null,
  shape varchar not null,
  endpoint varchar not null
);
comment on table meta.tables is 'The tables that endpoints fill, with their keys. Written when answerlake opens the working file.';
comment on column meta.tables.schema_name is 'Schema of the table.';
comment on column meta.tables.table_name is 'Name of the table, without schema.';
comment on column meta.tables.key is 'Columns of the key in order: no two rows of the table share their values, and none is NULL.';
comment on column meta.tables.shape is 'series (a row per period), window (a row per window), dated (things with a day), project (things of a project) or account (the others).';
comment on column meta.tables.endpoint is 'Endpoint that fills the table; the first of several.';
