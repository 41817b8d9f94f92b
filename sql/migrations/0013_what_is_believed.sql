-- One record of what was asked, one table of alarms.

-- One row per series and period, or per window, that was asked for
create table meta.asked_days (
  endpoint varchar not null,
  project_id varchar not null,
  scope varchar not null,
  scope_id varchar not null,
  grain varchar,
  window_kind varchar,
  date date not null,
  asked_on date,
  first_on date,
  asked_with varchar,
  cut_at integer,
  state varchar not null,
  reason varchar,
  whole_at timestamp
);
comment on table meta.asked_days is 'What was asked, and what came of it: the one record of coverage. A day is whole when it was asked after its end, final when it was asked lookback_days after it.';

-- One row per trouble that lasts
create table meta.alarms (
  endpoint varchar not null,
  project_id varchar not null,
  scope varchar not null,
  scope_id varchar not null,
  grain varchar,
  window_kind varchar,
  reason varchar not null,
  first_on date not null,
  days integer not null,
  last_on date not null,
  known_since date,
  asked_on date,
  periods integer,
  message varchar
);
comment on table meta.alarms is 'What stays wrong. It makes a run partial (exit 3) on three sync days; then it is known, listed, and asked about once a week.';

alter table meta.slices add column alarm varchar;

alter table meta.vanishing add column witnesses integer;
alter table meta.vanishing add column last_on date;
update meta.vanishing set witnesses = 1, last_on = witnessed_on;

-- What 0.2.0 knew, in its own words; nothing is asked again.
create temp table old_periods as
select
  s.endpoint,
  s.project_id,
  s.scope,
  s.scope_id,
  s.grain,
  cast(unnest(generate_series(
    cast(date_trunc(coalesce(s.grain, 'day'), s.window_start) as date),
    coalesce(s.covered_end, s.window_end),
    case s.grain when 'week' then interval '7 days' when 'month' then interval '1 month' else interval '1 day' end
  )) as date) as date,
  s.status,
  s.sync_day - case when coalesce(s.timezone, 'UTC') = 'UTC' then 0 else lag_days end as asked_on,
  s.asked_with,
  case when s.truncated and s.error_class is null then s.asked_limit end as cut_at
from meta.slices s
cross join (
  select coalesce(max(try_cast(value as integer)), 0) as lag_days from meta.settings where name = 'timezone_lag_days'
) settings
where s.window_kind is null and s.window_start is not null and s.project_id <> ''
  and s.status in ('loaded', 'empty', 'not_enabled', 'truncated', 'refused');

create temp table old_rows as
select distinct 'visibility' as endpoint, project_id, scope, scope_id, grain, date_trunc(grain, date) as date from core.visibility
union all
select distinct 'sentiment', project_id, scope, scope_id, grain, date_trunc(grain, date) from core.sentiment
union all
select distinct 'share_of_voice', project_id, scope, scope_id, grain, date_trunc(grain, date) from core.share_of_voice
union all
select distinct 'brand_visibility', project_id, scope, scope_id, grain, date_trunc(grain, date) from core.brand_visibility
union all
select distinct 'domain_citations', project_id, scope, scope_id, grain, date_trunc(grain, date) from core.domain_citations
union all
select distinct 'citation_ranks', project_id, scope, scope_id, grain, date_trunc(grain, date) from core.citation_ranks
union all
select distinct 'response_sentiment', project_id, scope, scope_id, grain, date_trunc(grain, date) from core.response_sentiment
union all
select distinct 'crawler_requests', project_id, scope, scope_id, grain, date_trunc(grain, date) from core.crawler_requests
union all
select distinct 'visitor_visits', project_id, scope, scope_id, grain, date_trunc(grain, date) from core.visitor_visits
union all
select distinct 'events', project_id, 'project', project_id, null, date from core.events;

insert into meta.asked_days
select
  p.endpoint,
  p.project_id,
  p.scope,
  p.scope_id,
  p.grain,
  null,
  p.date,
  p.asked_on,
  coalesce(o.witnessed_on, p.asked_on),
  p.asked_with,
  p.cut_at,
  case
    when p.asked_on is null or o.reason = 'refused' then 'refused'
    when o.reason is not null then 'unconfirmed'
    when r.date is not null then 'row'
    else 'empty'
  end,
  case
    when p.asked_on is null then 'too_old'
    when o.reason = 'refused' then 'bad_row'
    when o.reason = 'incomplete' then 'incomplete'
  end,
  null
from (
  select
    endpoint, project_id, scope, scope_id, grain, date,
    max(asked_on) filter (where status <> 'refused') as asked_on,
    max_by(asked_with, asked_on) filter (where status <> 'refused') as asked_with,
    max_by(cut_at, asked_on) filter (where status <> 'refused') as cut_at
  from old_periods
  group by endpoint, project_id, scope, scope_id, grain, date
) p
left join old_rows r
  on r.endpoint = p.endpoint and r.project_id = p.project_id and r.scope = p.scope and r.scope_id = p.scope_id
  and r.grain is not distinct from p.grain and r.date = p.date
left join meta.owed_days o
  on o.endpoint = p.endpoint and o.project_id = p.project_id and o.scope = p.scope and o.scope_id = p.scope_id
  and o.grain is not distinct from p.grain and p.date between o.first_day and o.last_day
qualify row_number() over (
  partition by p.endpoint, p.project_id, p.scope, p.scope_id, p.grain, p.date order by o.reason desc nulls last
) = 1;

insert into meta.asked_days
select
  endpoint, project_id, scope, scope_id, null, window_kind, window_start, sync_day, sync_day, asked_with,
  case when truncated and error_class is null then asked_limit end,
  case when status in ('empty', 'not_enabled') then 'empty' when status = 'refused' then 'refused' else 'row' end,
  case when status = 'refused' then 'too_old' end,
  null
from meta.slices
where window_kind is not null and (status = 'refused' or (status in ('loaded', 'empty', 'not_enabled', 'truncated') and error_class is null));

update meta.asked_days a
set state = 'unconfirmed', reason = 'vanishing', first_on = v.witnessed_on
from (
  select distinct
    case table_name when 'event_prompts' then 'events' else table_name end as endpoint,
    project_id,
    date,
    witnessed_on,
    coalesce(json_extract_string(key, '$.scope_id'), project_id) as scope_id,
    json_extract_string(key, '$.grain') as grain,
    json_extract_string(key, '$.window_kind') as window_kind
  from meta.vanishing
  where date is not null
) v
where a.endpoint = v.endpoint and a.project_id = v.project_id and a.scope_id = v.scope_id and a.date = v.date
  and a.grain is not distinct from v.grain and a.window_kind is not distinct from v.window_kind;

insert into meta.alarms
select distinct
  f.endpoint, f.project_id, f.scope, f.scope_id, e.grain, null, 'refused', f.first_refused, f.nights, f.last_refused,
  case when f.nights > 3 then f.last_refused end, f.last_refused, cast(null as integer), f.error_message
from meta.refused_filters f
join meta.expected_series e
  on e.endpoint = f.endpoint and e.project_id = f.project_id and e.scope = f.scope;

drop table old_periods;
drop table old_rows;
drop table meta.owed_days;
drop table meta.refused_filters;
drop table meta.unreached_projects;
alter table meta.slices drop column covered_end;
-- One row per parameter that one more question was asked about
create table meta.probes (
  endpoint varchar not null,
  project_id varchar not null,
  parameter varchar not null,
  asked_with varchar not null,
  verdict varchar not null,
  asked_on date not null,
  run_id varchar not null
);
comment on table meta.probes is 'What one more question showed about a parameter that an answer looked as if the server had ignored. A good verdict counts for 7 days.';


-- A replay reads the raw archive again, refused rows included.
alter table meta.rejects drop column replayed_at;
