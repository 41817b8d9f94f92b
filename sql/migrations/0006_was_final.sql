-- Restatements of days that were final.
alter table meta.runs add column configured_lookback_days integer;
comment on column meta.runs.configured_lookback_days is 'Look-back of the configuration, days: older days count as final. A job may look further back (lookback_days).';

alter table meta.restatements add column was_final boolean;
update meta.restatements
set was_final = coalesce(
  case json_extract_string(key, '$.grain')
    when 'week' then try_cast(json_extract_string(key, '$.date') as date) + 6
    when 'month' then last_day(try_cast(json_extract_string(key, '$.date') as date))
    else try_cast(json_extract_string(key, '$.date') as date)
  end < (
    select r.sync_day - (select try_cast(value as integer) from meta.settings where name = 'lookback_days')
    from meta.runs r
    where r.run_id = restatements.run_id
  ),
  false
);
comment on column meta.restatements.was_final is 'True when the day, or the last day of the period or window, was older than the look-back: a figure that had been reported as final changed after all.';
