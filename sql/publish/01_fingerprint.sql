-- One row per part of `meta`. Two files for which these rows and the rows per table of `core` are the same say the same.
-- It leaves out the runs, and when and by which run an unchanged slice was asked again.
-- By series, not by slice: asking for the same days in other windows covers nothing new.
select 'meta.slices' as part, count(*) as rows, cast(bit_xor(hash(
  endpoint, project_id, scope, scope_id, grain, window_kind, first_day, last_day, last_sync, troubles, cut_off
)) as varchar) as digest
from (
  select
    endpoint, project_id, scope, scope_id, grain, window_kind,
    min(window_start) as first_day,
    max(window_end) as last_day,
    max(sync_day) as last_sync,
    count(*) filter (where status in ('failed', 'suspicious')) as troubles,
    bool_or(truncated) as cut_off
  from meta.slices
  group by endpoint, project_id, scope, scope_id, grain, window_kind
)
union all
select 'meta.settings', count(*), cast(bit_xor(hash(name, value)) as varchar)
from meta.settings where name not like 'published%'
union all
select 'meta.expected_series', count(*), cast(bit_xor(hash(endpoint, project_id, scope, scope_id, grain, start_date)) as varchar)
from meta.expected_series
union all
select 'meta.restatements', count(*), null from meta.restatements
union all
select 'meta.rejects', count(*), null from meta.rejects
union all
select 'meta.drift', count(*), null from meta.drift
union all
select 'meta.vanishing', count(*), null from meta.vanishing
union all
select 'meta.alarms', count(*), cast(bit_xor(hash(endpoint, project_id, scope, scope_id, grain, window_kind, reason, days, known_since)) as varchar)
from meta.alarms
union all
select 'meta.asked_days', count(*), cast(bit_xor(hash(endpoint, project_id, scope, scope_id, grain, window_kind, date, asked_on, state, reason)) as varchar)
from meta.asked_days;
