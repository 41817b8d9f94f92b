-- The functions that make texts of other sources comparable with those of the views, as DuckDB has them (sql/views/50_text_functions.sql).
-- The locale of the database may know ASCII alone, and the columns are compared byte by byte.
create or replace function main.host_of(input text) returns text
language sql stable strict parallel safe
as $$
  select regexp_replace(regexp_replace(regexp_replace(lower(trim(input) collate "und-x-icu"), '^(([a-z][a-z0-9+.-]*:)?//)?([^/?#]*@)?', ''), '[.]*(:[^]/?#]*)?([/?#].*)?$', ''), '^www[.]', '')
$$;

create or replace function main.canonical_path(input text) returns text
language sql stable strict parallel safe
as $$
  select coalesce(nullif(regexp_replace(regexp_replace(regexp_replace(trim(input), '^([a-zA-Z][a-zA-Z0-9+.-]*:)?//[^/?#]*', ''), '[?#].*$', ''), '/+$', ''), ''), '/')
$$;

create or replace function main.source_of(input text) returns text
language sql stable strict parallel safe
as $$
  select min(a.vendor) from main.ai_vendors a
  where a.source_key = regexp_replace(main.host_of(input), '[^a-z0-9]', '', 'g') and a.source_key <> ''
$$;
