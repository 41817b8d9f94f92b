-- One row per project and length of window: the two periods between three nights with a whole prompt list, and the figures of both.
{% from "basket.sql" import list_steps, model_steps, nearest_list, part_steps, prompt_rows, prompt_steps, sum_steps %}
create view detail.visibility_periods as
with {{ list_steps() }},
newest as (
  select project_id, min(cut_day) as first_cut, max(cut_day) as to_cut from nights group by project_id
),
wanted as (
  select p.project_id, p.name as project_name, w.period, w.tolerance, n.to_cut
  from core.projects p
  cross join (values (7, 1), (28, 4), (90, 12), (365, 52)) w (period, tolerance)
  left join newest n on n.project_id = p.project_id
  -- A year has rows once the lists go back for two.
  where w.period < 365 or n.first_cut <= n.to_cut - 2 * w.period + w.tolerance
),
{{ nearest_list("from", "w.to_cut - 2 * w.period", "w.tolerance") }},
{{ nearest_list("middle", "w.to_cut - w.period", "w.tolerance") }},
{{ nearest_list("to", "w.to_cut", "0") }},
bounds as materialized (
  select
    w.project_id,
    w.project_name,
    w.period,
    f.list_date as from_night,
    m.list_date as until_night,
    m.list_date as middle_night,
    t.list_date as to_night,
    f.cut_day as before_from,
    m.cut_day - 1 as before_to,
    m.cut_day as after_from,
    t.cut_day - 1 as after_to,
    greatest(f.hours_off, m.hours_off, t.hours_off) as hours_off
  from wanted w
  {% for name in ["from", "middle", "to"] %}
  left join {{ name }}_lists {{ name[0] }} on {{ name[0] }}.project_id = w.project_id and {{ name[0] }}.period = w.period
  {% endfor %}
),
{{ sum_steps() }},
restated as (
  select
    {% for column in ["project_id", "brand_id"] %}
    json_extract_string(key, '$.{{ column }}') as {{ column }},
    {% endfor %}
    try_cast(json_extract_string(key, '$.date') as date) as date,
    try_cast(json_extract_string(old, '$.average_visibility') as double) as old_visibility,
    changed_at
  from meta.restatements
  where table_name = 'brand_visibility' and change = 'updated' and old like '%"average_visibility":%'
    and json_extract_string(key, '$.grain') = 'day' and json_extract_string(key, '$.scope') = 'project'
),
-- What a day of the period before said when that period ended: the old value of the first change since.
reported as (
  select project_id, period, date, old_visibility
  from (
    select
      b.project_id,
      b.period,
      r.date,
      r.old_visibility,
      row_number() over (partition by b.project_id, b.period, r.date order by r.changed_at asc) as place
    from bounds b
    join own o on o.project_id = b.project_id
    join restated r
      on r.project_id = b.project_id and r.brand_id = o.brand_id and r.date between b.before_from and b.before_to
      and r.changed_at > cast(b.after_from as timestamp) + interval '1 day'
  ) changes
  where place = 1
),
restated_sums as (
  select r.project_id, r.period, sum(f.total_responses * (r.old_visibility - f.average_visibility)) as score_restated
  from reported r
  join figures f on f.project_id = r.project_id and f.date = r.date
  where r.old_visibility is not null
  group by r.project_id, r.period
)
select
  b.project_id,
  b.project_name,
  b.period as window_days,
  b.from_night,
  b.until_night,
  b.middle_night,
  b.to_night,
  b.before_from,
  b.before_to,
  b.after_from,
  b.after_to,
  b.hours_off,
  s.responses_before,
  s.responses_after,
  s.score_before / s.responses_before as visibility_before,
  s.score_after / s.responses_after as visibility_after,
  (s.score_before + coalesce(r.score_restated, 0)) / s.responses_before as before_as_reported
from bounds b
left join sums s on s.project_id = b.project_id and s.period = b.period and b.middle_night is not null and b.from_night is not null
left join restated_sums r on r.project_id = b.project_id and r.period = b.period;

comment on view detail.visibility_periods is 'The two periods that why_visibility_moved compares: the days between three nights with a prompt list, the newest one and those nearest to one and two windows before it. One row per project and length of window. Source: GET v1 prompts, GET v1 analytics/brands/visibility-over-time.';

-- One row per project, length of window and prompt with answers in either period, and one for the answers of no listed prompt.
create view detail.prompt_periods as
with periods as materialized (
  select *, window_days as period from detail.visibility_periods where from_night is not null and middle_night is not null
),
{{ prompt_steps() }},
prompts as (
  {{ prompt_rows() }}
)
select
  project_id,
  period as window_days,
  prompt_id,
  {% for column in ["monitor_id", "is_new", "is_gone", "is_kept", "responses_before", "responses_after", "weight_before", "weight_after", "rate_before", "rate_after", "error_before", "error_after", "contribution", "rate_part"] %}
  {{ column }},
  {% endfor %}
  common_rate
from prompts;

comment on view detail.prompt_periods is 'Answers and visibility of each prompt in the two periods of detail.visibility_periods, told from the running totals of the prompt list, and what they add to the change of the project. One row per project, length of window and prompt, and one (other) for the answers of no listed prompt. Source: GET v1 prompts.';

-- One row per project, length of window and part of the change of visibility.
create view main.why_visibility_moved as
with periods as materialized (
  select *, window_days as period from detail.visibility_periods
),
prompts as materialized (
  select *, window_days as period from detail.prompt_periods
),
setup as materialized (
  select project_id, date, what from main.setup_changes where moves_figures
),
model_periods as (
  select project_id, period, 'visibility' as measure, before_from, before_to, after_from, after_to from periods
),
{{ model_steps(["visibility"]) }},
{{ part_steps() }}
select
  j.project_id,
  j.project_name,
  cast(j.period as integer) as window_days,
  j.before_from,
  j.before_to,
  j.after_from,
  j.after_to,
  j.visibility_before,
  j.visibility_after,
  j.before_as_reported,
  j.change,
  p.part,
  cast(
    case
      when j.not_told is not null then null
      when p.part = 'sampling' then j.sampling
      when p.part = 'prompts_and_models' then j.prompts_and_models
      when p.part = 'unexplained' then j.unexplained
      when p.part = 'real_change' then j.real_change
      when j.is_together then 0
      when p.part = 'prompts_added' then j.prompts_added
      when p.part = 'prompts_removed' then j.prompts_removed
      when p.part = 'monitors' then j.monitors
      else j.models
    end as double
  ) as points,
  case j.period when 7 then t.typical_change_7_days when 28 then t.typical_change_28_days when 90 then t.typical_change_90_days else t.typical_change_365_days end as typical_change,
  case when j.models is null then 'prompts' else 'prompts, models' end as judged_by,
  j.hours_off,
  j.not_told
from told j
cross join (
  values ('prompts_added'), ('prompts_removed'), ('monitors'), ('sampling'), ('models'), ('prompts_and_models'), ('unexplained'), ('real_change')
) p (part)
left join detail.typical_changes t on t.project_id = j.project_id and t.measure = 'visibility';

comment on view main.why_visibility_moved is 'Why the visibility of all answers moved: how much of the change the questions made (prompts that came or went, monitors, how often prompts were asked, models) and how much is real. Between nights with a prompt list, by their running totals, without a request. One row per project, length of window and part; the points of the parts sum to the change. Source: GET v1 prompts, GET v1 analytics/brands/visibility-over-time, GET v1 share-of-voice/time-series and v1 visibility-time-series by model.';

-- One row per project, length of window and prompt that moved visibility.
create view main.prompt_moves as
select
  v.project_id,
  w.project_name,
  cast(v.window_days as integer) as window_days,
  v.prompt_id,
  case v.prompt_id when '(other)' then 'Answers of no listed prompt' else q.prompt end as prompt,
  q.type as prompt_type,
  q.monitor_id,
  m.name as monitor_name,
  w.before_from,
  w.before_to,
  w.after_from,
  w.after_to,
  cast(v.responses_before as bigint) as responses_before,
  cast(v.responses_after as bigint) as responses_after,
  {% for side in ["before", "after"] %}
  case when v.responses_{{ side }} > 0 and coalesce(v.error_{{ side }}, 0) <= 2 then v.rate_{{ side }} end as visibility_{{ side }},
  {% endfor %}
  case
    when v.responses_before > 0 and v.responses_after > 0 and coalesce(v.error_before, 0) <= 2 and coalesce(v.error_after, 0) <= 2
      then v.rate_after - v.rate_before
  end as change,
  v.contribution,
  greatest(v.error_before, v.error_after) as rounding_error
from detail.prompt_periods v
join (select distinct project_id, project_name, window_days, before_from, before_to, after_from, after_to, not_told from main.why_visibility_moved) w
  on w.project_id = v.project_id and w.window_days = v.window_days and w.not_told is null
left join core.prompts q on q.project_id = v.project_id and q.prompt_id = v.prompt_id
left join core.monitors m on m.project_id = q.project_id and m.monitor_id = q.monitor_id;

comment on view main.prompt_moves is 'Which prompts moved visibility: answers and visibility of each between nights with a prompt list, and what it adds to the change of the project. One row per project, length of window and prompt with answers, and one (other) for the answers of no listed prompt; none where why_visibility_moved is not told. Source: GET v1 prompts.';
