-- One row per project, window and competitor that answers mention, tracked as a brand or not.
{% from "figures.sql" import previous_window_start %}
{% from "days.sql" import is_whole_window, join_window_state %}
{% from "text.sql" import host %}
create view detail.competitor_mention_trend as
with first_days as (
  select project_id, min(date) as first_date
  from core.share_of_voice
  where grain = 'day' and scope = 'project' and total_responses > 0
  group by project_id
),
mentions as (
  select v.*, {{ previous_window_start() }} as previous_start, {{ is_whole_window() }} as is_whole_window
  from core.competitor_mentions v
  {{ join_window_state("competitor_mentions") }}
  left join first_days f on f.project_id = v.project_id
  where v.scope = 'project'
),
tracked as (
  select distinct project_id, lower(name) as name from core.brands where name is not null
  union
  select distinct project_id, {{ host("domain") }} from core.brands where domain is not null and domain <> ''
)
select
  v.project_id,
  p.name as project_name,
  v.window_kind,
  v.window_start,
  v.window_end,
  cast(v.window_end - v.window_start + 1 as integer) as days_in_window,
  v.is_whole_window,
  v.competitor,
  exists (
    select 1
    from tracked t
    where t.project_id = v.project_id and (t.name = lower(v.competitor) or t.name = {{ host("v.competitor") }})
  ) as is_tracked,
  v.count as mention_count,
  v.percentage as mention_share_pct,
  b.count as previous_mention_count,
  b.percentage as previous_mention_share_pct
from mentions v
left join mentions b
  on b.project_id = v.project_id and b.window_kind = v.window_kind and b.window_start = v.previous_start
  and b.competitor = v.competitor and b.is_whole_window
left join core.projects p on p.project_id = v.project_id;

comment on view detail.competitor_mention_trend is 'Competitors that answers mention, window by window, with the window before next to it; untracked rivals included. One row per project, window and competitor. Source: GET v1 responses/competitors.';
