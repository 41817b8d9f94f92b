-- What the views ask of days in DuckDB's words, for PostgreSQL.

create or replace function meta.generate_series(first date, last date, step interval) returns date[]
language sql immutable strict parallel safe
return array(select day::date from pg_catalog.generate_series(first::timestamp, last::timestamp, step) as day);

create or replace function meta.range(first integer, stop integer, step integer) returns integer[]
language sql immutable strict parallel safe
return array(select number from pg_catalog.generate_series(first, stop - 1, step) as number);

create or replace function meta.date_trunc(field text, day date) returns timestamp
language sql immutable strict parallel safe
return pg_catalog.date_trunc(field, day::timestamp);

create or replace function meta.last_day(day date) returns date
language sql immutable strict parallel safe
return (pg_catalog.date_trunc('month', day::timestamp) + interval '1 month' - interval '1 day')::date;

create or replace function meta.year(day date) returns bigint
language sql immutable strict parallel safe
return extract(year from day)::bigint;

create or replace function meta.month(day date) returns bigint
language sql immutable strict parallel safe
return extract(month from day)::bigint;

create or replace function meta.isoyear(day date) returns bigint
language sql immutable strict parallel safe
return extract(isoyear from day)::bigint;

create or replace function meta.weekofyear(day date) returns bigint
language sql immutable strict parallel safe
return extract(week from day)::bigint;

create or replace function meta.isodow(day date) returns bigint
language sql immutable strict parallel safe
return extract(isodow from day)::bigint;

create or replace function meta.dayname(day date) returns text
language sql immutable strict parallel safe
return (array['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'])[extract(isodow from day)::integer];

-- The views ask for one format only, and to_char would not be immutable.
create or replace function meta.strftime(day date, format text) returns text
language sql immutable strict parallel safe
return lpad(extract(year from day)::text, 4, '0') || '-' || lpad(extract(month from day)::text, 2, '0') || '-' || lpad(extract(day from day)::text, 2, '0');
