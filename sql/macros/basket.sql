{# How much of a change of visibility the questions made: steps of why_visibility_moved, kpi_changes and compare_periods. #}

{# Whole prompt lists by the midnight nearest to them, at which they cut a period: `nights`. #}
{% macro list_steps() -%}
lists as (
  select project_id, date as list_date, min(seen_at) as seen_at, cast(min(seen_at) + interval '12 hours' - interval '1 microsecond' as date) as cut_day
  from core.prompt_snapshots
  where seen_at is not null
  group by project_id, date
),
distances as (
  select project_id, list_date, cut_day, abs(extract(epoch from seen_at - cast(cut_day as timestamp))) / 3600.0 as hours_off
  from lists
),
nights as materialized (
  select project_id, list_date, cut_day, hours_off
  from (
    select *, row_number() over (partition by project_id, cut_day order by hours_off asc, list_date desc) as place
    from distances
  ) near
  where place = 1
)
{%- endmacro %}

{# The list nearest to a day of each of `wanted` (project_id, period, days): `<name>_lists`. #}
{% macro nearest_list(name, day, tolerance) -%}
{{ name }}_lists as (
  select project_id, period, list_date, cut_day, hours_off
  from (
    select
      w.project_id,
      w.period,
      n.list_date,
      n.cut_day,
      n.hours_off,
      row_number() over (partition by w.project_id, w.period order by abs(n.cut_day - ({{ day }})) asc, n.cut_day desc) as place
    from wanted w
    join nights n on n.project_id = w.project_id and abs(n.cut_day - ({{ day }})) <= {{ tolerance }}
  ) near
  where place = 1
)
{%- endmacro %}

{# Answers and visibility of both periods of `bounds`: `own`, `figures`, `sums`. #}
{% macro sum_steps() -%}
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
sums as (
  select
    b.project_id,
    b.period,
    {% for side in ["before", "after"] %}
    {% set is_inside = "f.date between b." ~ side ~ "_from and b." ~ side ~ "_to" %}
    cast(sum(f.total_responses) filter (where {{ is_inside }}) as double) as responses_{{ side }},
    sum(f.total_responses * f.average_visibility) filter (where {{ is_inside }}) as score_{{ side }}{{ "," if not loop.last }}
    {% endfor %}
  from bounds b
  join figures f on f.project_id = b.project_id and f.date between b.before_from and b.after_to
  group by b.project_id, b.period
)
{%- endmacro %}

{# What each prompt adds to the change between the lists of `periods`; `prompt_rows()` selects from these steps. #}
{% macro prompt_steps() -%}
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
    p.period,
    s.prompt_id,
    s.first_date > p.from_night as is_new,
    s.last_date < p.to_night as is_gone,
    {% for night in ["from", "until", "middle", "to"] %}
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
  {% for night in ["from", "until", "middle", "to"] %}
  left join core.prompt_snapshots {{ night }}_list
    on {{ night }}_list.project_id = s.project_id and {{ night }}_list.prompt_id = s.prompt_id and {{ night }}_list.date = p.{{ night }}_night
  {% endfor %}
),
counted as (
  select
    t.project_id,
    t.period,
    t.prompt_id,
    t.is_new,
    t.is_gone,
    t.responses_until - t.responses_from as responses_before,
    t.responses_to - t.responses_middle as responses_after,
    t.responses_until * t.visibility_until - t.responses_from * t.visibility_from as score_before,
    t.responses_to * t.visibility_to - t.responses_middle * t.visibility_middle as score_after,
    0.5 * power(10.0, -d.places) * (t.responses_from + t.responses_until) / nullif(t.responses_until - t.responses_from, 0) as error_before,
    0.5 * power(10.0, -d.places) * (t.responses_middle + t.responses_to) / nullif(t.responses_to - t.responses_middle, 0) as error_after
  from totals t
  left join decimals d on d.project_id = t.project_id
),
listed as (
  select
    project_id,
    period,
    sum(responses_before) as responses_before,
    sum(responses_after) as responses_after,
    sum(score_before) as score_before,
    sum(score_after) as score_after
  from counted
  group by project_id, period
),
rows_of_all as (
  select project_id, period, prompt_id, is_new, is_gone, responses_before, responses_after, score_before, score_after, error_before, error_after
  from counted
  where responses_before <> 0 or responses_after <> 0
  union all
  select
    p.project_id, p.period, '(other)', false, false,
    p.responses_before - coalesce(l.responses_before, 0),
    p.responses_after - coalesce(l.responses_after, 0),
    p.responses_before * p.visibility_before - coalesce(l.score_before, 0),
    p.responses_after * p.visibility_after - coalesce(l.score_after, 0),
    null, null
  from periods p
  left join listed l on l.project_id = p.project_id and l.period = p.period
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
  join periods p on p.project_id = r.project_id and p.period = r.period
),
-- Questions of both periods: dilution is attributed to those that came or went.
common as (
  select
    project_id,
    period,
    sum((weight_before + weight_after) * (rate_before + rate_after) / 2) / nullif(sum(weight_before + weight_after), 0) as common_rate
  from weighed
  where is_kept
  group by project_id, period
)
{%- endmacro %}
{% macro prompt_rows() -%}
select
  v.project_id,
  v.period,
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
left join common c on c.project_id = v.project_id and c.period = v.period
left join core.prompts q on q.project_id = v.project_id and q.prompt_id = v.prompt_id
{%- endmacro %}

{# Points that models made by coming, going or answering more or less, in each of `model_periods` (project_id, period, measure and its days): `models`. #}
{% macro model_steps(measures) -%}
model_days as (
  {% for measure in measures %}
  {% if measure == "share_of_voice" %}
  select project_id, scope_id, date, 'share_of_voice' as measure, 100.0 * brand_mentions / total_responses as rate, total_responses
  from core.share_of_voice
  where scope = 'model' and grain = 'day' and brand_mentions is not null and total_responses > 0
  {% else %}
  select v.project_id, v.scope_id, v.date, '{{ measure }}' as measure, v.{{ measure }} as rate, s.total_responses
  from core.{{ measure }} v
  join core.share_of_voice s
    on s.project_id = v.project_id and s.scope = v.scope and s.scope_id = v.scope_id and s.grain = v.grain and s.date = v.date
  where v.scope = 'model' and v.grain = 'day' and v.{{ measure }} is not null and s.total_responses > 0
  {% endif %}
  {{ "union all" if not loop.last }}
  {% endfor %}
),
model_sums as (
  select
    p.project_id,
    p.period,
    p.measure,
    d.scope_id,
    {% for side, is_inside in [["before", "d.date between p.before_from and p.before_to"], ["after", "d.date between p.after_from and p.after_to"]] %}
    coalesce(cast(sum(d.total_responses) filter (where {{ is_inside }}) as double), 0) as responses_{{ side }},
    sum(d.total_responses * d.rate) filter (where {{ is_inside }}) as score_{{ side }}{{ "," if not loop.last }}
    {% endfor %}
  from model_periods p
  join model_days d
    on d.project_id = p.project_id and d.measure = p.measure
    and (d.date between p.before_from and p.before_to or d.date between p.after_from and p.after_to)
  group by p.project_id, p.period, p.measure, d.scope_id
),
model_weights as (
  select
    project_id,
    period,
    measure,
    responses_before > 0 and responses_after > 0 as is_kept,
    responses_before / nullif(sum(responses_before) over models, 0) as weight_before,
    responses_after / nullif(sum(responses_after) over models, 0) as weight_after,
    coalesce(score_before / nullif(responses_before, 0), score_after / nullif(responses_after, 0)) as rate_before,
    coalesce(score_after / nullif(responses_after, 0), score_before / nullif(responses_before, 0)) as rate_after
  from model_sums
  window models as (partition by project_id, period, measure)
),
model_common as (
  select
    project_id,
    period,
    measure,
    sum((weight_before + weight_after) * (rate_before + rate_after) / 2) / nullif(sum(weight_before + weight_after), 0) as common_rate
  from model_weights
  where is_kept
  group by project_id, period, measure
),
models as (
  select w.project_id, w.period, w.measure, sum((w.weight_after - w.weight_before) * ((w.rate_before + w.rate_after) / 2 - c.common_rate)) as points
  from model_weights w
  join model_common c on c.project_id = w.project_id and c.period = w.period and c.measure = w.measure
  group by w.project_id, w.period, w.measure
)
{%- endmacro %}

{# The parts of the change of each of `periods`, from `prompts`, `models` and `setup` (setup changes that move figures): `told`. #}
{% macro part_steps() -%}
-- A monitor that began or stopped with the same prompts, or asks its kept prompts clearly more or less often than the others.
paces as (
  select
    project_id,
    period,
    monitor_id,
    count(*) filter (where not is_new) as older_prompts,
    count(*) filter (where not is_gone) as listed_prompts,
    sum(responses_before) as all_before,
    sum(responses_after) as all_after,
    sum(responses_before) filter (where is_kept) as kept_before,
    sum(responses_after) filter (where is_kept) as kept_after
  from prompts
  where prompt_id <> '(other)' and monitor_id is not null
  group by project_id, period, monitor_id
),
moved_monitors as (
  select project_id, period, monitor_id
  from (
    select
      *,
      kept_before / nullif(sum(kept_before) over kept, 0) as share_before,
      kept_after / nullif(sum(kept_after) over kept, 0) as share_after
    from paces
    window kept as (partition by project_id, period)
  ) shares
  where all_before = 0 and all_after > 0 and older_prompts > 0
    or all_after = 0 and all_before > 0 and listed_prompts > 0
    or abs(share_after - share_before) > 0.03 and (share_after > 1.25 * share_before or share_before > 1.25 * share_after)
),
sorted as (
  select
    p.project_id,
    p.period,
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
  left join moved_monitors m on m.project_id = p.project_id and m.period = p.period and m.monitor_id = p.monitor_id
),
summed as (
  select
    project_id,
    period,
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
  group by project_id, period
),
-- Prompts that left after the first night: no list has their answers up to then.
removed as (
  select distinct p.project_id, p.period
  from periods p
  join core.events e on e.project_id = p.project_id and e.type = 'prompts_deleted' and e.date >= p.before_from and e.date <= p.after_to + 1
  union
  select distinct project_id, period from prompts where is_gone
),
-- Prompts and a model that moved together would count one thing twice.
together as (
  select distinct p.project_id, p.period
  from periods p
  join setup s on s.project_id = p.project_id and s.what not like 'model%' and s.date > p.before_from and s.date <= p.after_to + 1
  join setup m on m.project_id = p.project_id and m.what like 'model%' and m.date between s.date - 7 and s.date + 7
    and m.date > p.before_from and m.date <= p.after_to + 1
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
  left join summed s on s.project_id = p.project_id and s.period = p.period
  left join removed r on r.project_id = p.project_id and r.period = p.period
  left join models m on m.project_id = p.project_id and m.period = p.period and m.measure = 'visibility'
  left join together t on t.project_id = p.project_id and t.period = p.period
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
),
told as (
  select
    *,
    case
      when not_told is null
        then change - sampling - unexplained - prompts_and_models
          - case when is_together then 0 else prompts_added + prompts_removed + monitors + coalesce(models, 0) end
    end as real_change
  from joined
)
{%- endmacro %}

{# The real change of the measures in each of `wanted` (project_id, period, first_against, last_against, first_day, last_day), from `setup`: `real`. #}
{% macro real_steps() -%}
{{ list_steps() }},
{{ nearest_list("from", "w.first_against", "greatest(1, floor((w.last_against - w.first_against + 1) / 7.0))") }},
{{ nearest_list("until", "w.last_against + 1", "greatest(1, floor((w.last_against - w.first_against + 1) / 7.0))") }},
{{ nearest_list("middle", "w.first_day", "greatest(1, floor((w.last_day - w.first_day + 1) / 7.0))") }},
{{ nearest_list("to", "w.last_day + 1", "greatest(1, floor((w.last_day - w.first_day + 1) / 7.0))") }},
bounds as materialized (
  select
    f.project_id,
    f.period,
    f.list_date as from_night,
    u.list_date as until_night,
    m.list_date as middle_night,
    t.list_date as to_night,
    f.cut_day as before_from,
    u.cut_day - 1 as before_to,
    m.cut_day as after_from,
    t.cut_day - 1 as after_to
  from from_lists f
  join until_lists u on u.project_id = f.project_id and u.period = f.period and u.cut_day > f.cut_day
  join middle_lists m on m.project_id = f.project_id and m.period = f.period
  join to_lists t on t.project_id = f.project_id and t.period = f.period and t.cut_day > m.cut_day
),
{{ sum_steps() }},
periods as materialized (
  select
    b.*,
    {% for side in ["before", "after"] %}
    s.responses_{{ side }},
    s.score_{{ side }} / s.responses_{{ side }} as visibility_{{ side }}{{ "," if not loop.last }}
    {% endfor %}
  from bounds b
  join sums s on s.project_id = b.project_id and s.period = b.period
),
{{ prompt_steps() }},
prompts as materialized (
  {{ prompt_rows() }}
),
model_periods as (
  select project_id, period, 'visibility' as measure, before_from, before_to, after_from, after_to from periods
  union all
  select w.project_id, w.period, m.measure, w.first_against, w.last_against, w.first_day, w.last_day
  from wanted w
  cross join (values ('sentiment'), ('share_of_voice')) m (measure)
),
{{ model_steps(["visibility", "sentiment", "share_of_voice"]) }},
{{ part_steps() }},
-- Which prompts moved sentiment or share of voice is in no list.
unknown as (
  select distinct w.project_id, w.period
  from wanted w
  join setup s on s.project_id = w.project_id and s.what not like 'model%' and s.date between w.first_against and w.last_day
),
real as (
  select project_id, period, 'visibility' as measure, real_change, cast(null as double) as change_of_questions
  from told
  union all
  select m.project_id, m.period, m.measure, null, m.points
  from models m
  left join unknown u on u.project_id = m.project_id and u.period = m.period
  where m.measure <> 'visibility' and u.project_id is null
)
{%- endmacro %}
