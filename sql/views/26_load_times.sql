-- One row per project and endpoint with days that a night loaded after an earlier one had covered them while they ran.
create view main.load_times as
select
  x.project_id,
  any_value(p.name) as project_name,
  x.endpoint,
  count(*) as days_count,
  median(x.hours) as median_hours,
  quantile_cont(x.hours, 0.9) as percentile_90_hours,
  max(x.hours) as max_hours
from (
  select a.project_id, a.endpoint, epoch(a.whole_at - (a.date + interval 1 day)) / 3600.0 as hours
  from meta.asked_days a
  cross join main.sync_settings s
  where a.scope = 'project' and a.window_kind is null and coalesce(a.grain, 'day') = 'day'
    and a.whole_at is not null and a.date >= s.clock_day - 30
) x
left join core.projects p on p.project_id = x.project_id
group by x.project_id, x.endpoint;

comment on view main.load_times is 'How long after its end a day was loaded, over the last 30 days. One row per project and endpoint; days that were first requested after their end, such as those of a first sync, do not count. Source: meta.asked_days.';
