-- Medians, also over windows, which the ordered-set aggregates of PostgreSQL refuse, and rounding of doubles.

create or replace function meta.round(value double precision, digits integer) returns double precision
language sql immutable strict parallel safe
return sign(value) * floor(abs(value) * power(10::double precision, digits) + 0.5::double precision) / power(10::double precision, digits);

create or replace function meta.median_of(given double precision[]) returns double precision
language sql immutable strict parallel safe
return (select percentile_cont(0.5) within group (order by value) from unnest(given) as value);

create or replace function meta.mad_of(given double precision[]) returns double precision
language sql immutable strict parallel safe
return (
  -- Materialized: PostgreSQL would compute the middle again for each value.
  with center as materialized (select meta.median_of(given) as middle)
  select percentile_cont(0.5) within group (order by abs(value - middle)) from unnest(given) as value, center
);

create or replace aggregate meta.median(double precision) (
  sfunc = array_append,
  stype = double precision[],
  initcond = '{}',
  finalfunc = meta.median_of,
  parallel = safe
);

create or replace aggregate meta.mad(double precision) (
  sfunc = array_append,
  stype = double precision[],
  initcond = '{}',
  finalfunc = meta.mad_of,
  parallel = safe
);
