-- One row per project whose daily series were ever stored.
create view main.project_sync_days as
select project_id, {{first_partial_day}} as sync_day
from meta.slices
where project_id <> '' and grain = 'day' and window_kind is null and status in ({{answered_statuses}})
group by project_id;

comment on view main.project_sync_days is 'The day of the newest sync that stored daily figures of a project: that day was not over. The days before it were, but for those that were never asked for again (project_days). One row per project. Source: meta.slices.';
-- comments: project_id
comment on column main.project_sync_days.sync_day is 'First day (UTC) whose figures are partial. A sync that failed for the project, or asked for events alone, does not move it.';
