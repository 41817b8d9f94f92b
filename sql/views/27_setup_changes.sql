-- One row per project, model or monitor, and day: its answers, 0 on days on which it was covered and had none.
create view detail.filter_answers as
with asked as (
  select project_id, scope, scope_id, min(date) as first_answer, max(date) as last_answer
  from core.share_of_voice
  where grain = 'day' and scope in ('model', 'monitor') and total_responses > 0
  group by project_id, scope, scope_id
),
-- Where it was never asked, its days are those of the project.
told as (
  select project_id, scope, scope_id, max(date) as last_date
  from meta.asked_days
  where endpoint = 'share_of_voice' and grain = 'day' and window_kind is null and scope in ('model', 'monitor') and asked_on > date
  group by project_id, scope, scope_id
),
ranges as (
  select project_id, min(date) as first_date, max(date) filter (where is_whole_day) as last_date
  from detail.project_days
  group by project_id
),
days as (
  select
    a.project_id,
    a.scope,
    a.scope_id,
    r.first_date,
    cast(
      unnest(
        generate_series(
          r.first_date,
          -- A deprecated model is no longer asked: it has no answers from then on.
          case when m.deprecated then r.last_date else greatest(least(coalesce(t.last_date, r.last_date), r.last_date), a.last_answer) end,
          interval '1 day'
        )
      ) as date
    ) as date
  from asked a
  join ranges r on r.project_id = a.project_id
  left join told t on t.project_id = a.project_id and t.scope = a.scope and t.scope_id = a.scope_id
  left join core.models m on m.model_id = case when a.scope = 'model' then a.scope_id end
)
select d.project_id, d.scope, d.scope_id, d.first_date, d.date, coalesce(v.total_responses, 0) as organic_responses
from days d
left join core.share_of_voice v
  on v.project_id = d.project_id and v.scope = d.scope and v.scope_id = d.scope_id and v.date = d.date and v.grain = 'day';

comment on view detail.filter_answers is 'Answers of each model and monitor by day, from the first day of the project to the last that it was asked for: 0 where it had none. One row per project, scope (model, monitor), value and day. Source: GET v1 share-of-voice/time-series.';

-- One row per project, day and what changed about the questions.
create view main.setup_changes as
-- Every step reads the one before it once: DuckDB before 1.4 computes each use of a CTE of a stored view again.
with asked as (
  select
    *,
    max(case when organic_responses > 0 then date end) over (series rows between unbounded preceding and 1 preceding) as previous_day,
    min(case when organic_responses > 0 then date end) over (series rows between 1 following and unbounded following) as next_day,
    max(date) over (partition by project_id, scope, scope_id) as last_date,
    -- On how many of the same weekdays before, and from then on, it was asked.
    {% for days in [7, 14, 21, 28] %}
    lag(cast(organic_responses > 0 as integer), {{ days }}) over series {{ "+" if not loop.last }}
    {% endfor %}
    as asked_before,
    cast(organic_responses > 0 as integer) + lead(cast(organic_responses > 0 as integer), 7) over series as asked_after
  from detail.filter_answers
  window series as (partition by project_id, scope, scope_id order by date asc)
),
-- Gaps between days with answers, in days, what the 28 days before let expect, and the answers of 14 days on either side.
placed as (
  select
    *,
    coalesce(next_day, last_date + 1) - date - 1 as gap,
    date - coalesce(previous_day, first_date - 1) - 1 as gap_before,
    max(case when organic_responses > 0 then coalesce(date - previous_day - 1, 0) end) over recent as longest_gap,
    sum(organic_responses) over recent / 28.0 as daily_answers,
    sum(organic_responses) over (series rows between 13 preceding and current row) as own_before,
    sum(organic_responses) over (series rows between current row and 13 following) as own_after,
    asked_before = 4 and asked_after = 0 or asked_before = 0 and asked_after = 2 as is_different,
    count(*) filter (where asked_before in (0, 4) and asked_after in (0, 2)) over week as steady_days,
    count(*) filter (where asked_before = 4) over week as days_before,
    count(*) filter (where asked_after = 2) over week as days_after
  from asked
  window
    series as (partition by project_id, scope, scope_id order by date asc),
    recent as (partition by project_id, scope, scope_id order by date asc rows between 27 preceding and current row),
    week as (partition by project_id, scope, scope_id order by date asc rows between current row and 6 following)
),
rhythms as (
  select
    *,
    scope = 'monitor' and is_different and steady_days = 7 and days_before > 0 and days_after > 0 and date >= first_date + 28 as has_new_rhythm
  from placed
),
told as (
  select
    *,
    organic_responses > 0 and gap >= greatest(3, 3 * longest_gap) and gap * daily_answers >= 10 and date + 1 >= first_date + 28
      and not coalesce(
        bool_or(has_new_rhythm) over (partition by project_id, scope, scope_id order by date asc rows between 6 preceding and 7 following),
        false
      ) as has_gone,
    organic_responses > 0 and gap_before >= 28 as has_come
  from rhythms
),
-- Dated on its first day; its answers are those of the side on which it is asked.
filter_changes as (
  select
    t.project_id,
    t.scope,
    t.scope_id,
    case k.kind when 'gone' then t.date + 1 else t.date end as date,
    case k.kind
      when 'rhythm' then 'monitor_rhythm'
      when 'gone' then case t.scope when 'model' then 'model_gone' else 'monitor_stopped' end
      else case t.scope when 'model' then 'model_added' else 'monitor_started' end
    end as what,
    case k.kind when 'gone' then t.date - 13 else t.date end as share_from,
    case k.kind when 'gone' then t.date else t.date + 13 end as share_to,
    case k.kind when 'gone' then t.own_before else t.own_after end as own
  from told t
  join (values ('gone'), ('come'), ('rhythm')) k (kind)
    on k.kind = 'gone' and t.has_gone or k.kind = 'come' and t.has_come or k.kind = 'rhythm' and t.has_new_rhythm
  where t.has_gone or t.has_come or t.has_new_rhythm
),
changed as (
  select
    c.project_id,
    c.date,
    c.what,
    coalesce(any_value(m.label), any_value(n.name), c.scope_id) as name,
    1 as parts,
    1.0 * c.own / nullif(sum(t.total_responses), 0) as share
  from filter_changes c
  left join core.share_of_voice t
    on t.project_id = c.project_id and t.grain = 'day' and t.scope = 'project' and t.date between c.share_from and c.share_to
  left join core.models m on m.model_id = case when c.scope = 'model' then c.scope_id end
  left join core.monitors n on n.project_id = c.project_id and n.monitor_id = case when c.scope = 'monitor' then c.scope_id end
  group by c.project_id, c.scope, c.scope_id, c.date, c.what, c.own
),
prompt_events as (
  select
    e.project_id,
    e.date,
    e.type,
    string_agg(distinct coalesce(m.name, e.monitor_name), ', ' order by coalesce(m.name, e.monitor_name) asc) as names,
    sum(e.prompt_count) as prompts
  from core.events e
  left join core.monitors m on m.project_id = e.project_id and m.monitor_id = e.monitor_id
  where e.type in ('prompts_created', 'prompts_deleted')
  group by e.project_id, e.date, e.type
),
listed as (
  select e.project_id, e.date, e.type, count(q.prompt_id) as prompts
  from prompt_events e
  left join core.prompts q
    on q.project_id = e.project_id and coalesce(cast(q.created_at as date) <= e.date, true) and coalesce(cast(q.removed_at as date) >= e.date, true)
  group by e.project_id, e.date, e.type
),
-- The first and the last list of the 14 days after prompts came, and before they went.
snapshot_days as (
  select e.project_id, e.date, e.type, min(s.date) as first_list, max(s.date) as last_list
  from prompt_events e
  join (select distinct project_id, date from core.prompt_snapshots) s
    on s.project_id = e.project_id
    and s.date between case e.type when 'prompts_created' then e.date else e.date - 15 end
      and case e.type when 'prompts_created' then e.date + 14 else e.date - 1 end
  group by e.project_id, e.date, e.type
  having max(s.date) > min(s.date)
),
moved as (
  select distinct e.project_id, e.date, e.type, p.prompt_id
  from core.events e
  join core.event_prompts p on p.project_id = e.project_id and p.event_id = e.event_id
  where e.type in ('prompts_created', 'prompts_deleted')
),
-- All answers are those between the two lists: a first list may already hold answers of prompts that came.
-- Where these have none between the lists, their part of the list stands for it.
counted as (
  select
    d.project_id,
    d.date,
    d.type,
    sum(l.amount_of_responses - coalesce(f.amount_of_responses, 0)) as all_answers,
    case
      when d.type = 'prompts_deleted'
        or sum(l.amount_of_responses - coalesce(f.amount_of_responses, 0)) filter (where v.prompt_id is not null) > 0
        or sum(l.amount_of_responses) filter (where v.prompt_id is not null) = 0
        then sum(l.amount_of_responses - coalesce(f.amount_of_responses, 0)) filter (where v.prompt_id is not null)
    end as own_answers
  from snapshot_days d
  join core.prompt_snapshots l on l.project_id = d.project_id and l.date = d.last_list
  left join core.prompt_snapshots f on f.project_id = d.project_id and f.date = d.first_list and f.prompt_id = l.prompt_id
  left join moved v on v.project_id = d.project_id and v.date = d.date and v.type = d.type and v.prompt_id = l.prompt_id
  group by d.project_id, d.date, d.type
),
joined as (
  select project_id, date, what, string_agg(name, ', ' order by name asc) as names, sum(parts) as count, sum(share) as share
  from changed
  group by project_id, date, what
  union all
  select
    e.project_id,
    e.date,
    case e.type when 'prompts_created' then 'prompts_added' else 'prompts_removed' end,
    e.names,
    e.prompts,
    coalesce(
      1.0 * c.own_answers / nullif(c.all_answers, 0),
      1.0 * e.prompts / nullif(greatest(l.prompts + case e.type when 'prompts_deleted' then e.prompts else 0 end, e.prompts), 0)
    )
  from prompt_events e
  left join listed l on l.project_id = e.project_id and l.date = e.date and l.type = e.type
  left join counted c on c.project_id = e.project_id and c.date = e.date and c.type = e.type and c.all_answers > 0
),
judged as (
  select project_id, bool_or(scope = 'model') as has_models, bool_or(scope = 'monitor') as has_monitors
  from core.share_of_voice
  where grain = 'day' and scope in ('model', 'monitor') and total_responses > 0
  group by project_id
)
select
  j.project_id,
  p.name as project_name,
  j.date,
  j.what,
  j.names,
  cast(j.count as bigint) as count,
  cast(least(greatest(j.share, 0), 1) as double) as share_of_answers,
  concat_ws(', ', 'events', case when s.has_models then 'models' end, case when s.has_monitors then 'monitors' end) as judged_by,
  concat(
    coalesce(cast(j.count as varchar) || ' ', ''),
    case j.what
      when 'prompts_added' then case when j.count = 1 then 'prompt added' else 'prompts added' end
      when 'prompts_removed' then case when j.count = 1 then 'prompt removed' else 'prompts removed' end
      when 'model_added' then 'model added'
      when 'model_gone' then 'model gone'
      when 'monitor_started' then 'monitor started'
      when 'monitor_stopped' then 'monitor stopped'
      else 'monitor asked on other days'
    end,
    coalesce(': ' || j.names, '')
  ) as title,
  coalesce(j.share > 0.03, true) as moves_figures
from joined j
left join judged s on s.project_id = j.project_id
left join core.projects p on p.project_id = j.project_id;

comment on view main.setup_changes is 'Changes of the questions, which alone move the figures: prompts that came or went, models and monitors that began, stopped or changed their days. One row per project, day and kind of change. Models and monitors are told from their answers where those are asked for (judged_by). Source: GET v2 events, GET v1 prompts, GET v1 share-of-voice/time-series.';
