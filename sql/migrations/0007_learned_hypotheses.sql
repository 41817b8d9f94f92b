-- What is learned of the server is a hypothesis: it has evidence, and it expires.
alter table meta.limits add column refused_days integer;
alter table meta.limits add column expires_at timestamp;
update meta.limits set expires_at = learned_at + interval 7 days where max_window_days is not null;
update meta.limits set expires_at = quota_reset_at where quota_reset_at is not null;
comment on column meta.limits.max_window_days is 'Largest window in days that was answered where a longer one was refused.';
comment on column meta.limits.refused_days is 'Shortest window in days that was refused as too long; NULL when none was.';
comment on column meta.limits.expires_at is 'Instant (UTC) from which the limit is tried again; NULL if it does not expire.';

alter table meta.slices add column asked_end date;
alter table meta.slices add column timezone varchar;
update meta.slices
set timezone = (select value from meta.settings where name = 'timezone')
where endpoint in ('crawler_requests', 'visitor_visits', 'crawler_top_pages');
comment on column meta.slices.asked_end is 'Last day (UTC) that the request asked for; one day after window_end where the server leaves out the end day. NULL when it is not known.';
comment on column meta.slices.timezone is 'Time zone that the days of the answer are cut in; NULL where the request carries none.';

-- One row per project that an earlier run reached and no configured key reaches any more
create table meta.unreached_projects (
  project_id varchar not null,
  first_missed date not null,
  last_missed date not null,
  nights integer not null
);
comment on table meta.unreached_projects is 'Projects that an earlier run reached and that no configured key reaches any more. Their rows are kept as they were.';
comment on column meta.unreached_projects.project_id is 'Project id (core.projects).';
comment on column meta.unreached_projects.first_missed is 'First sync day (UTC) on which no key reached it.';
comment on column meta.unreached_projects.last_missed is 'Last sync day (UTC) on which no key reached it.';
comment on column meta.unreached_projects.nights is 'Sync days on which no key reached it; after the third it no longer makes a run partial.';
