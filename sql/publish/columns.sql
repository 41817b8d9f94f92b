-- One row per table or view and column: what it means, which comments are printed from.
create or replace table meta.columns (
  schema_name varchar not null,
  view_name varchar not null,
  column_name varchar not null,
  meaning varchar not null,
  unit varchar,
  adds varchar,
  weigh_by varchar,
  "of" varchar,
  source varchar,
  endpoints varchar,
  divides varchar,
  instead varchar,
  has_means boolean,
  is_repeated boolean not null
);
comment on table meta.columns is 'What each column means, as data: comments are printed from it. One row per table or view and column.';
