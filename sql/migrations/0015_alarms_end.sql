-- An alarm ends when nothing new is lost, and a project can be left out.

alter table meta.alarms add column is_recent boolean default true;
comment on table meta.alarms is 'What stays wrong. It makes a run partial (exit 3) on three sync days, and on every one on which a project''s own series, list or window table got nothing new; otherwise it is then known and listed.';
comment on column meta.alarms.endpoint is 'Name of the endpoint; '''' for a lost project.';
comment on column meta.alarms.reason is 'bad_row (a row or an answer cannot be read), refused (the server refuses the question), incomplete (a list is not proven whole), shrunk (more than half of the known rows are missing), ignored (the server ignores a part of the question), scale (all figures changed by a power of ten), zone (days begin at the midnight of another zone) or lost (no key lists the project, or each of its questions is refused).';
comment on column meta.alarms.known_since is 'Sync day from which it no longer makes a run partial; NULL until then, and while it takes all that is new.';
comment on column meta.alarms.is_recent is 'True when days within the look-back were asked about and seen, or a list; false when only older ones were.';

alter table meta.slices add column got_nothing boolean;
comment on column meta.slices.got_nothing is 'True when no row of the answer was stored, or none of its newest closed day; NULL in answers to an older program.';

alter table meta.expected_series alter column start_date drop not null;
comment on table meta.expected_series is 'What the configuration asks for; rewritten by each run. Gaps are the days of what stands here that meta.asked_days does not cover.';
comment on column meta.expected_series.grain is 'day, week or month; NULL for events, lists and windows.';
comment on column meta.expected_series.start_date is 'First day (UTC) that is asked for; NULL for lists and windows, which no gaps are counted of.';
insert into meta.expected_series
select distinct s.endpoint, s.project_id, 'project', s.project_id, cast(null as varchar), cast(null as date)
from meta.slices s
where (s.window_start is null or s.window_kind is not null) and exists (from meta.expected_series e where e.project_id = s.project_id);

comment on column meta.probes.parameter is 'Name of a filter parameter, X-Project-Id, startDate and endDate, max_window_days (a long range answered in steps) or api.instants (date-times that are no midnight).';
