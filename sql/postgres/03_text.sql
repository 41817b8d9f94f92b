-- Texts that are read as numbers or days where they are such, JSON, and lower case beyond ASCII.

-- No exceptions are caught in these three: PostgreSQL catches none while it reads a table with several processes.
create or replace function meta.try_double(given text) returns double precision
language sql immutable strict parallel safe
return case
  when given ~* '^\s*[+-]?(inf|infinity|nan)\s*$' then given::double precision
  when length(given) < 1000 and given ~* '^\s*[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d{1,3})?\s*$' then
    case
      when abs(given::numeric) >= 1.7976931348623159e308 then sign(given::numeric)::double precision * 'infinity'
      when abs(given::numeric) >= 2.5e-324 or given !~ '[1-9]' then given::double precision
      else 0
    end
end;

create or replace function meta.try_integer(given text) returns integer
language sql immutable strict parallel safe
return case
  when given ~ '^\s*[+-]?0*\d{1,10}\s*$' then
    case when given::bigint between -2147483648 and 2147483647 then given::integer end
end;

create or replace function meta.try_date(given text) returns date
language sql immutable strict parallel safe
return case
  when given ~ '^\s*(?!0000)\d{4}-(0?[1-9]|1[0-2])-(0?[1-9]|[12]\d|3[01])\s*$' then
    case
      when split_part(given, '-', 3)::integer <= extract(
        day from make_date(split_part(given, '-', 1)::integer, split_part(given, '-', 2)::integer, 1)
          + interval '1 month' - interval '1 day'
      )
      then make_date(
        split_part(given, '-', 1)::integer,
        split_part(given, '-', 2)::integer,
        split_part(given, '-', 3)::integer
      )
    end
end;

-- The locale of the database may know ASCII alone, and the columns are compared byte by byte.
create or replace function meta.lower_case(given text) returns text
language sql immutable strict parallel safe
return lower(given collate "und-x-icu");

-- PostgreSQL has no text for the escape of a NUL, wherever in a document it stands; an escaped backslash before it makes it other text.
create or replace function meta.without_nul(document text) returns text
language sql immutable strict parallel safe
return regexp_replace(document, '(?<!\\)((?:\\\\)*)\\u0000', '\1\\ufffd', 'g');

-- A path is a name, plain or in quotes.
create or replace function meta.json_extract_string(document text, path text) returns text
language sql immutable strict parallel safe
return meta.without_nul(document)::json ->> trim(both '"' from substr(path, 3));

create or replace function meta.json_keys(document json) returns text[]
language sql immutable strict parallel safe
return array(select name from json_object_keys(meta.without_nul(document::text)::json) as name);

-- The elements of a list, each as JSON.
create or replace function meta.from_json(document text, structure text) returns text[]
language sql immutable strict parallel safe
return array(select element from json_array_elements_text(meta.without_nul(document)::json) as element);
