-- Drops what the views of 0.3.0 needed in a database, after them.
drop aggregate if exists meta.median(double precision), meta.mad(double precision);
drop function if exists
  meta.generate_series(date, date, interval), meta.range(integer, integer, integer), meta.date_trunc(text, date), meta.last_day(date),
  meta.year(date), meta.month(date), meta.isoyear(date), meta.weekofyear(date), meta.isodow(date), meta.dayname(date), meta.strftime(date, text),
  meta.round(double precision, integer), meta.median_of(double precision[]), meta.mad_of(double precision[]),
  meta.try_double(text), meta.try_integer(text), meta.try_date(text), meta.lower_case(text), meta.without_nul(text),
  meta.json_extract_string(text, text), meta.json_keys(json), meta.from_json(text, text),
  main.host_of(text), main.canonical_path(text), main.source_of(text);
delete from meta.target_settings where name = 'stored';
