-- Texts that are read as numbers or days where they are such, JSON, and lower case beyond ASCII.

create or replace function meta.try_double(given text) returns double precision
language plpgsql immutable strict parallel safe as $$
begin
  if given !~* '^\s*[+-]?((\d+\.?\d*|\.\d+)(e[+-]?\d+)?|inf|infinity|nan)\s*$' then return null; end if;
  return given::double precision;
exception when others then return null;
end $$;

create or replace function meta.try_integer(given text) returns integer
language plpgsql immutable strict parallel safe as $$
begin
  if given !~ '^\s*[+-]?\d+\s*$' then return null; end if;
  return given::integer;
exception when others then return null;
end $$;

create or replace function meta.try_date(given text) returns date
language plpgsql immutable strict parallel safe as $$
begin
  if given !~ '^\s*\d{4,}-\d{1,2}-\d{1,2}\s*$' then return null; end if;
  return to_date(trim(given), 'YYYY-MM-DD');
exception when others then return null;
end $$;

-- The locale of the database may know ASCII alone, and the columns are compared byte by byte.
create or replace function meta.lower_case(given text) returns text
language sql immutable strict parallel safe
return lower(given collate "und-x-icu");

-- A path is a name, plain or in quotes. PostgreSQL has no text for the escape of a NUL.
create or replace function meta.json_extract_string(document text, path text) returns text
language sql immutable strict parallel safe
return replace(document, '\u0000', '\ufffd')::json ->> trim(both '"' from substr(path, 3));

create or replace function meta.json_keys(document json) returns text[]
language sql immutable strict parallel safe
return array(select name from json_object_keys(document) as name);

-- The elements of a list, each as JSON.
create or replace function meta.from_json(document text, structure text) returns text[]
language sql immutable strict parallel safe
return array(select element from json_array_elements_text(document::json) as element);
