-- One row per project and length of window: the two periods between three nights with a whole prompt list, and the figures of both.
create view detail.visibility_periods as
with lists as (
  select project_id, date, min(seen_at) as seen_at from core.prompt_snapshots group by project_id, date
),
-- A list that came later than six in the morning holds answers of its own day.
nights as materialized (
  select project_id, date
  from lists
  where seen_at is not null and seen_at <= cast(date as timestamp) + interval '6 hours'
),
newest as (
  select project_id, max(date) as to_night from nights group by project_id
),
wanted as (
  select p.project_id, p.name as project_name, w.window_days, w.tolerance, n.to_night
  from core.projects p
  cross join (values (7, 1), (28, 4), (90, 12)) w (window_days, tolerance)
  left join newest n on n.project_id = p.project_id
),
{% for name, times in [["middle", 1], ["first", 2]] %}
{{ name }}_nights as (
  select project_id, window_days, date
  from (
    select
      w.project_id,
      w.window_days,
      n.date,
      row_number() over (
        partition by w.project_id, w.window_days
        order by abs(n.date - (w.to_night - {{ times }} * w.window_days)) asc, n.date desc
      ) as place
    from wanted w
    join nights n
      on n.project_id = w.project_id
      and n.date between w.to_night - {{ times }} * w.window_days - w.tolerance and w.to_night - {{ times }} * w.window_days + w.tolerance
  ) near
  where place = 1
),
{% endfor %}
bounds as (
  select w.project_id, w.project_name, w.window_days, f.date as from_night, m.date as middle_night, w.to_night
  from wanted w
  left join middle_nights m on m.project_id = w.project_id and m.window_days = w.window_days
  left join first_nights f on f.project_id = w.project_id and f.window_days = w.window_days
),
-- Of several own brands, the one that is named most.
own as (
  select project_id, brand_id
  from (
    select v.project_id, v.brand_id, row_number() over (partition by v.project_id order by sum(v.mention_count) desc, v.brand_id asc) as place
    from core.brand_visibility v
    join core.brands b on b.project_id = v.project_id and b.brand_id = v.brand_id and b.relation = 'SELF'
    where v.grain = 'day' and v.scope = 'project'
    group by v.project_id, v.brand_id
  ) brands
  where place = 1
),
figures as materialized (
  select v.project_id, v.brand_id, v.date, v.total_responses, v.average_visibility
  from core.brand_visibility v
  join own o on o.project_id = v.project_id and o.brand_id = v.brand_id
  where v.grain = 'day' and v.scope = 'project' and v.total_responses > 0 and v.average_visibility is not null
),
restated as (
  select
    {% for column in ["project_id", "brand_id"] %}
    json_extract_string(key, '$.{{ column }}') as {{ column }},
    {% endfor %}
    {{ try_cast("json_extract_string(key, '$.date')", "date") }} as date,
    {{ try_cast("json_extract_string(old, '$.average_visibility')", "double") }} as old_visibility,
    changed_at
  from meta.restatements
  where table_name = 'brand_visibility' and change = 'updated' and old like '%"average_visibility":%'
    and json_extract_string(key, '$.grain') = 'day' and json_extract_string(key, '$.scope') = 'project'
),
-- What a day of the period before said when that period ended: the old value of the first change since.
reported as (
  select project_id, window_days, date, old_visibility
  from (
    select
      b.project_id,
      b.window_days,
      r.date,
      r.old_visibility,
      row_number() over (partition by b.project_id, b.window_days, r.date order by r.changed_at asc) as place
    from bounds b
    join own o on o.project_id = b.project_id
    join restated r
      on r.project_id = b.project_id and r.brand_id = o.brand_id and r.date >= b.from_night and r.date < b.middle_night
      and r.changed_at > cast(b.middle_night as timestamp) + interval '1 day'
  ) changes
  where place = 1
),
sums as (
  select
    b.project_id,
    b.window_days,
    {% for side, is_inside in [["before", "f.date < b.middle_night"], ["after", "f.date >= b.middle_night"]] %}
    sum(f.total_responses) filter (where {{ is_inside }}) as responses_{{ side }},
    sum(f.total_responses * f.average_visibility) filter (where {{ is_inside }}) as score_{{ side }},
    {% endfor %}
    sum(f.total_responses * coalesce(r.old_visibility, f.average_visibility)) filter (where f.date < b.middle_night) as score_reported
  from bounds b
  join figures f on f.project_id = b.project_id and f.date >= b.from_night and f.date < b.to_night
  left join reported r on r.project_id = b.project_id and r.window_days = b.window_days and r.date = f.date
  group by b.project_id, b.window_days
)
select
  b.project_id,
  b.project_name,
  b.window_days,
  b.from_night,
  b.middle_night,
  b.to_night,
  b.from_night as before_from,
  b.middle_night - 1 as before_to,
  b.middle_night as after_from,
  b.to_night - 1 as after_to,
  cast(s.responses_before as double) as responses_before,
  cast(s.responses_after as double) as responses_after,
  s.score_before / s.responses_before as visibility_before,
  s.score_after / s.responses_after as visibility_after,
  s.score_reported / s.responses_before as before_as_reported
from bounds b
left join sums s on s.project_id = b.project_id and s.window_days = b.window_days and b.middle_night is not null and b.from_night is not null;

comment on view detail.visibility_periods is 'The two periods that why_visibility_moved compares: the days between three nights with a prompt list that came by 06:00 UTC, the newest one and those nearest to one and two windows before it. One row per project and length of window. Source: GET v1 prompts, GET v1 analytics/brands/visibility-over-time.';

-- One row per project, length of window and prompt with answers in either period, and one for the answers of no listed prompt.
create view detail.prompt_periods as
with periods as materialized (
  select * from detail.visibility_periods where from_night is not null and middle_night is not null
),
seen as materialized (
  select project_id, prompt_id, min(date) as first_date, max(date) as last_date from core.prompt_snapshots group by project_id, prompt_id
),
-- Half of the last decimal that the list shows.
decimals as (
  select
    project_id,
    max(
      case
        when abs(average_visibility - round(average_visibility, 0)) < 1e-9 then 0
        when abs(average_visibility - round(average_visibility, 1)) < 1e-9 then 1
        when abs(average_visibility - round(average_visibility, 2)) < 1e-9 then 2
        else 4
      end
    ) as places
  from core.prompt_snapshots
  where average_visibility is not null
  group by project_id
),
-- A prompt that is not on a list: without answers before it was first seen, with its last figures after it went.
totals as (
  select
    p.project_id,
    p.window_days,
    s.prompt_id,
    s.first_date > p.from_night as is_new,
    s.last_date < p.to_night as is_gone,
    {% for night in ["from", "middle", "to"] %}
    cast(
      case
        when {{ night }}_list.prompt_id is not null then coalesce({{ night }}_list.amount_of_responses, 0)
        when s.first_date > p.{{ night }}_night then 0
        else coalesce(l.amount_of_responses, 0)
      end as double
    ) as responses_{{ night }},
    coalesce(case when {{ night }}_list.prompt_id is not null then {{ night }}_list.average_visibility when s.first_date <= p.{{ night }}_night then l.average_visibility end, 0) as visibility_{{ night }}{{ "," if not loop.last }}
    {% endfor %}
  from periods p
  join seen s on s.project_id = p.project_id
  left join core.prompt_snapshots l on l.project_id = s.project_id and l.prompt_id = s.prompt_id and l.date = s.last_date
  {% for night in ["from", "middle", "to"] %}
  left join core.prompt_snapshots {{ night }}_list
    on {{ night }}_list.project_id = s.project_id and {{ night }}_list.prompt_id = s.prompt_id and {{ night }}_list.date = p.{{ night }}_night
  {% endfor %}
),
counted as (
  select
    t.project_id,
    t.window_days,
    t.prompt_id,
    t.is_new,
    t.is_gone,
    t.responses_middle - t.responses_from as responses_before,
    t.responses_to - t.responses_middle as responses_after,
    t.responses_middle * t.visibility_middle - t.responses_from * t.visibility_from as score_before,
    t.responses_to * t.visibility_to - t.responses_middle * t.visibility_middle as score_after,
    0.5 * power(10.0, -d.places) * (t.responses_from + t.responses_middle) / nullif(t.responses_middle - t.responses_from, 0) as error_before,
    0.5 * power(10.0, -d.places) * (t.responses_middle + t.responses_to) / nullif(t.responses_to - t.responses_middle, 0) as error_after
  from totals t
  left join decimals d on d.project_id = t.project_id
),
listed as (
  select
    project_id,
    window_days,
    sum(responses_before) as responses_before,
    sum(responses_after) as responses_after,
    sum(score_before) as score_before,
    sum(score_after) as score_after
  from counted
  group by project_id, window_days
),
rows_of_all as (
  select project_id, window_days, prompt_id, is_new, is_gone, responses_before, responses_after, score_before, score_after, error_before, error_after
  from counted
  where responses_before <> 0 or responses_after <> 0
  union all
  select
    p.project_id, p.window_days, '(other)', false, false,
    p.responses_before - coalesce(l.responses_before, 0),
    p.responses_after - coalesce(l.responses_after, 0),
    p.responses_before * p.visibility_before - coalesce(l.score_before, 0),
    p.responses_after * p.visibility_after - coalesce(l.score_after, 0),
    null, null
  from periods p
  left join listed l on l.project_id = p.project_id and l.window_days = p.window_days
),
weighed as (
  select
    r.*,
    r.prompt_id <> '(other)' and r.responses_before > 0 and r.responses_after > 0 as is_kept,
    r.responses_before / p.responses_before as weight_before,
    r.responses_after / p.responses_after as weight_after,
    r.score_before / p.responses_before as points_before,
    r.score_after / p.responses_after as points_after,
    coalesce(r.score_before / nullif(r.responses_before, 0), r.score_after / nullif(r.responses_after, 0)) as rate_before,
    coalesce(r.score_after / nullif(r.responses_after, 0), r.score_before / nullif(r.responses_before, 0)) as rate_after
  from rows_of_all r
  join periods p on p.project_id = r.project_id and p.window_days = r.window_days
),
-- What was asked in both periods: dilution falls on what came or went.
common as (
  select
    project_id,
    window_days,
    sum((weight_before + weight_after) * (rate_before + rate_after) / 2) / nullif(sum(weight_before + weight_after), 0) as common_rate
  from weighed
  where is_kept
  group by project_id, window_days
)
select
  v.project_id,
  v.window_days,
  v.prompt_id,
  q.monitor_id,
  v.is_new,
  v.is_gone or q.removed_at is not null as is_gone,
  v.is_kept,
  v.responses_before,
  v.responses_after,
  v.weight_before,
  v.weight_after,
  v.rate_before,
  v.rate_after,
  v.error_before,
  v.error_after,
  v.points_after - v.points_before - c.common_rate * (v.weight_after - v.weight_before) as contribution,
  (v.weight_before + v.weight_after) / 2 * (v.rate_after - v.rate_before) as rate_part,
  c.common_rate
from weighed v
left join common c on c.project_id = v.project_id and c.window_days = v.window_days
left join core.prompts q on q.project_id = v.project_id and q.prompt_id = v.prompt_id;

comment on view detail.prompt_periods is 'Answers and visibility of each prompt in the two periods of detail.visibility_periods, told from the running totals of the prompt list, and what they add to the change of the project. One row per project, length of window and prompt, and one (other) for the answers of no listed prompt. Source: GET v1 prompts.';

-- One row per project, length of window and part of the change of visibility.
create view main.why_visibility_moved as
with periods as materialized (
  select * from detail.visibility_periods
),
prompts as materialized (
  select * from detail.prompt_periods
),
-- A monitor that began or stopped with the same prompts, or asks its kept prompts clearly more or less often than the others.
paces as (
  select
    project_id,
    window_days,
    monitor_id,
    count(*) filter (where not is_new) as older_prompts,
    count(*) filter (where not is_gone) as listed_prompts,
    sum(responses_before) as all_before,
    sum(responses_after) as all_after,
    sum(responses_before) filter (where is_kept) as kept_before,
    sum(responses_after) filter (where is_kept) as kept_after
  from prompts
  where prompt_id <> '(other)' and monitor_id is not null
  group by project_id, window_days, monitor_id
),
moved_monitors as (
  select project_id, window_days, monitor_id
  from (
    select
      *,
      kept_before / nullif(sum(kept_before) over kept, 0) as share_before,
      kept_after / nullif(sum(kept_after) over kept, 0) as share_after
    from paces
    window kept as (partition by project_id, window_days)
  ) shares
  where all_before = 0 and all_after > 0 and older_prompts > 0
    or all_after = 0 and all_before > 0 and listed_prompts > 0
    or abs(share_after - share_before) > 0.03 and (share_after > 1.25 * share_before or share_before > 1.25 * share_after)
),
sorted as (
  select
    p.project_id,
    p.window_days,
    case
      when p.prompt_id = '(other)' then 'other'
      when m.monitor_id is not null then 'monitors'
      when p.is_new then 'prompts_added'
      when p.is_gone or p.responses_after <= 0 then 'prompts_removed'
      else 'sampling'
    end as part,
    case when p.is_kept then p.contribution - p.rate_part else p.contribution end as points,
    case when p.is_kept then p.rate_part else 0 end as rate_part,
    p.is_kept,
    p.prompt_id,
    p.responses_before,
    p.responses_after,
    p.rate_before * p.responses_before as score_before,
    p.rate_after * p.responses_after as score_after,
    p.responses_before < 0 or p.responses_after < 0 as has_fallen,
    p.rate_before < -coalesce(p.error_before, 0) - 0.01 or p.rate_before > 100.01 + coalesce(p.error_before, 0)
      or p.rate_after < -coalesce(p.error_after, 0) - 0.01 or p.rate_after > 100.01 + coalesce(p.error_after, 0) as is_impossible
  from prompts p
  left join moved_monitors m on m.project_id = p.project_id and m.window_days = p.window_days and m.monitor_id = p.monitor_id
),
summed as (
  select
    project_id,
    window_days,
    {% for part in ["prompts_added", "prompts_removed", "monitors", "sampling", "other"] %}
    coalesce(sum(points) filter (where part = '{{ part }}'), 0) as {{ part }},
    {% endfor %}
    count(*) filter (where is_kept) as kept_prompts,
    coalesce(bool_or(has_fallen) filter (where prompt_id <> '(other)'), false) as has_fallen,
    coalesce(bool_or(is_impossible) filter (where prompt_id <> '(other)'), false) as is_impossible,
    {% for side in ["before", "after"] %}
    sum(responses_{{ side }}) filter (where prompt_id <> '(other)') as listed_{{ side }},
    sum(score_{{ side }}) filter (where prompt_id <> '(other)') as listed_score_{{ side }}{{ "," if not loop.last }}
    {% endfor %}
  from sorted
  group by project_id, window_days
),
-- Prompts that went after the first night: what they had until then is in no list.
removed as (
  select distinct p.project_id, p.window_days
  from periods p
  join core.events e on e.project_id = p.project_id and e.type = 'prompts_deleted' and e.date >= p.before_from and e.date <= p.to_night
  union
  select distinct project_id, window_days from prompts where is_gone
),
model_days as (
  select v.project_id, v.scope_id, v.date, v.visibility, s.total_responses
  from core.visibility v
  join core.share_of_voice s
    on s.project_id = v.project_id and s.scope = v.scope and s.scope_id = v.scope_id and s.grain = v.grain and s.date = v.date
  where v.scope = 'model' and v.grain = 'day' and v.visibility is not null and s.total_responses > 0
),
model_sums as (
  select
    p.project_id,
    p.window_days,
    d.scope_id,
    {% for side, is_inside in [["before", "d.date < p.middle_night"], ["after", "d.date >= p.middle_night"]] %}
    coalesce(cast(sum(d.total_responses) filter (where {{ is_inside }}) as double), 0) as responses_{{ side }},
    sum(d.total_responses * d.visibility) filter (where {{ is_inside }}) as score_{{ side }}{{ "," if not loop.last }}
    {% endfor %}
  from periods p
  join model_days d on d.project_id = p.project_id and d.date >= p.before_from and d.date < p.to_night
  where p.from_night is not null and p.middle_night is not null
  group by p.project_id, p.window_days, d.scope_id
),
model_weights as (
  select
    project_id,
    window_days,
    responses_before > 0 and responses_after > 0 as is_kept,
    responses_before / nullif(sum(responses_before) over models, 0) as weight_before,
    responses_after / nullif(sum(responses_after) over models, 0) as weight_after,
    coalesce(score_before / nullif(responses_before, 0), score_after / nullif(responses_after, 0)) as rate_before,
    coalesce(score_after / nullif(responses_after, 0), score_before / nullif(responses_before, 0)) as rate_after
  from model_sums
  window models as (partition by project_id, window_days)
),
model_common as (
  select
    project_id,
    window_days,
    sum((weight_before + weight_after) * (rate_before + rate_after) / 2) / nullif(sum(weight_before + weight_after), 0) as common_rate
  from model_weights
  where is_kept
  group by project_id, window_days
),
models as (
  select w.project_id, w.window_days, sum((w.weight_after - w.weight_before) * ((w.rate_before + w.rate_after) / 2 - c.common_rate)) as points
  from model_weights w
  join model_common c on c.project_id = w.project_id and c.window_days = w.window_days
  group by w.project_id, w.window_days
),
-- Prompts and a model that moved together would count one thing twice.
together as (
  select distinct p.project_id, p.window_days
  from periods p
  join main.setup_changes s on s.project_id = p.project_id and s.moves_figures and s.what not like 'model%' and s.date > p.before_from and s.date <= p.to_night
  join main.setup_changes m on m.project_id = p.project_id and m.moves_figures and m.what like 'model%' and m.date between s.date - 7 and s.date + 7
    and m.date > p.before_from and m.date <= p.to_night
),
judged as (
  select
    p.*,
    p.visibility_after - p.visibility_before as change,
    case
      when p.from_night is null or p.middle_night is null or p.visibility_before is null or p.visibility_after is null then 'nights_missing'
      when s.has_fallen or s.is_impossible then 'totals_disagree'
      when r.project_id is null and (
        abs(s.listed_before - p.responses_before) > 0.05 * p.responses_before
        or abs(s.listed_after - p.responses_after) > 0.05 * p.responses_after
        or abs(s.listed_score_before / nullif(s.listed_before, 0) - p.visibility_before) > 1
        or abs(s.listed_score_after / nullif(s.listed_after, 0) - p.visibility_after) > 1
      ) then 'totals_disagree'
      when coalesce(s.kept_prompts, 0) = 0 then 'nothing_in_common'
    end as not_told,
    t.project_id is not null and m.points is not null as is_together,
    s.prompts_added,
    s.prompts_removed + case when r.project_id is not null then s.other else 0 end as prompts_removed,
    s.monitors,
    s.sampling,
    case when r.project_id is null then s.other else 0 end as unexplained,
    m.points as models
  from periods p
  left join summed s on s.project_id = p.project_id and s.window_days = p.window_days
  left join removed r on r.project_id = p.project_id and r.window_days = p.window_days
  left join models m on m.project_id = p.project_id and m.window_days = p.window_days
  left join together t on t.project_id = p.project_id and t.window_days = p.window_days
),
joined as (
  select
    *,
    case
      when not is_together then 0
      when abs(models) > abs(prompts_added + prompts_removed + monitors) then models
      else prompts_added + prompts_removed + monitors
    end as prompts_and_models
  from judged
)
select
  j.project_id,
  j.project_name,
  cast(j.window_days as integer) as window_days,
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
      when p.part = 'real_change'
        then j.change - j.sampling - j.unexplained - j.prompts_and_models
          - case when j.is_together then 0 else j.prompts_added + j.prompts_removed + j.monitors + coalesce(j.models, 0) end
      when j.is_together then 0
      when p.part = 'prompts_added' then j.prompts_added
      when p.part = 'prompts_removed' then j.prompts_removed
      when p.part = 'monitors' then j.monitors
      else j.models
    end as double
  ) as points,
  case j.window_days when 7 then t.typical_change_7_days when 28 then t.typical_change_28_days else t.typical_change_90_days end as typical_change,
  case when j.models is null then 'prompts' else 'prompts, models' end as judged_by,
  j.not_told
from joined j
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
