-- An alarm ends when nothing new is lost, and a project can be left out.

alter table meta.alarms add column is_recent boolean default true;
comment on table meta.alarms is 'What stays wrong. It makes a run partial (exit 3) on three sync days, and on every one on which a project''s own series, list or window table got nothing new; otherwise it is then known and listed.';

alter table meta.slices add column got_nothing boolean;

alter table meta.expected_series alter column start_date drop not null;
comment on table meta.expected_series is 'What the configuration asks for; rewritten by each run. Gaps are the days of what stands here that meta.asked_days does not cover.';
insert into meta.expected_series
select distinct s.endpoint, s.project_id, 'project', s.project_id, cast(null as varchar), cast(null as date)
from meta.slices s
where (s.window_start is null or s.window_kind is not null) and exists (from meta.expected_series e where e.project_id = s.project_id);

