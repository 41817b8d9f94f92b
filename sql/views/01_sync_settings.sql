-- One row per file: what the newest run was configured with.
create view main.sync_settings as
select
  max(try_cast(value as date)) filter (where name = 'sync_day') as sync_day,
  max(try_cast(value as date)) filter (where name = 'start_date') as start_date,
  max(try_cast(value as integer)) filter (where name = 'lookback_days') as lookback_days,
  max(value) filter (where name = 'timezone') as timezone,
  max(value) filter (where name = 'base_url') as base_url
from meta.settings;

comment on view main.sync_settings is 'What the newest run was configured with. One row. Source: meta.settings.';
comment on column main.sync_settings.sync_day is 'The day (UTC) the newest run took for today.';
comment on column main.sync_settings.start_date is 'First day that is asked for.';
comment on column main.sync_settings.lookback_days is 'Days before the sync day that are asked for again and may still change.';
comment on column main.sync_settings.timezone is 'Time zone in which days are cut.';
comment on column main.sync_settings.base_url is 'Origin of the API.';
