-- One row per file: what the newest run was configured with.
create view main.sync_settings as
select
  max(try_cast(value as date)) filter (where name = 'sync_day') as sync_day,
  max(try_cast(value as date)) filter (where name in ('sync_day', 'clock_day')) as clock_day,
  max(try_cast(value as date)) filter (where name = 'start_date') as start_date,
  max(try_cast(value as integer)) filter (where name = 'lookback_days') as lookback_days,
  max(value) filter (where name = 'timezone') as timezone,
  max(value) filter (where name = 'base_url') as base_url,
  coalesce(max(try_cast(value as integer)) filter (where name = 'timezone_lag_days'), 0) as timezone_lag_days
from meta.settings;

comment on view main.sync_settings is 'What the newest run was configured with. One row. Source: meta.settings.';

-- One row per project whose daily series were ever stored.
create view detail.project_sync_days as
select a.project_id, coalesce(max(a.date) filter (where a.asked_on > a.date) + 1, min(a.date)) as sync_day
from meta.asked_days a
where a.grain = 'day' and a.window_kind is null and a.asked_on is not null
group by a.project_id;

comment on view detail.project_sync_days is 'The day of the newest sync that stored daily figures of a project: that day was not over. The days before it were over, except those that were never asked for again (project_days). One row per project. Source: meta.asked_days.';
