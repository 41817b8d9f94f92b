-- One row per governed figure, project, part and day: what to add up and divide by. From sql/figures.yaml.
{% from "basket.sql" import real_steps %}
{% from "numbers.sql" import half %}
{% from "text.sql" import wilson %}
create view detail.figure_days as
with figures as (
  {% for view, figures in figures_of_views %}
  select
    v.project_id,
    v.project_name,
    f.metric,
    f.split_by,
    {% for end in ["id", "name"] %}
    case f.split_by {% for figure in figures %}{% if loop.first or figure.split_by != figures[loop.index0 - 1].split_by %}when '{{ figure.split_by }}' then v.{{ figure[end] }} {% endif %}{% endfor %}end as part_{{ end }},
    {% endfor %}
    v.date,
    case f.metric || ' ' || f.split_by
      {% for figure in figures %}
      when '{{ figure.metric }} {{ figure.split_by }}' then {{ figure.factor }} * ({{ figure.numerator }})
      {% endfor %}
    end as numerator,
    case f.metric || ' ' || f.split_by
      {% for figure in figures %}
      when '{{ figure.metric }} {{ figure.split_by }}' then {{ figure.once or figure.denominator or "null" }}
      {% endfor %}
    end as denominator,
    cast({% for figure in figures if figure.spread %}case f.metric when '{{ figure.metric }}' then {{ figure.spread }} end{% else %}null{% endfor %} as double) as spread,
    v.is_final
  from main.{{ view }} v
  cross join (
    values {% for figure in figures %}('{{ figure.metric }}', '{{ figure.split_by }}'){{ ", " if not loop.last }}{% endfor %}

  ) f (metric, split_by)
  {{ "union all" if not loop.last }}
  {% endfor %}
)
-- Names of parameters stand with their table: a macro puts its value in place of a bare one.
select
  f.project_id,
  any_value(f.project_name) as project_name,
  f.metric,
  f.split_by,
  f.part_id,
  any_value(f.part_name) as part_name,
  f.date,
  cast(sum(f.numerator) as double) as numerator,
  -- What counts once for all parts of a day.
  cast(case when f.split_by = 'brand' then sum(sum(f.denominator)) over (partition by f.project_id, f.metric, f.split_by, f.date) else coalesce(sum(f.denominator), case when count(f.numerator) > 0 then 1 end) end as double) as denominator,
  sum(f.spread) as spread,
  bool_and(f.is_final) as is_final
from figures f
group by f.project_id, f.metric, f.split_by, f.part_id, f.date;

comment on view detail.figure_days is 'The parts of the governed figures by day: the sum of numerator through the sum of denominator is the figure of several days, of a count the mean of a day. One row per figure, project, kind of part (split_by), part and whole day. Source: the views named in sql/figures.yaml.';

-- One row per governed figure.
create view detail.figures as
select *
from (
  values
    {% for figure in figures %}
    ('{{ figure.name }}', {{ [figure.label] | quoted }}, {{ [figure.unit] | quoted }}, '{{ figure.kind }}', {{ "'" ~ figure.measure ~ "'" if figure.measure else "cast(null as varchar)" }}, {{ figure.is_of_answers }}){{ "," if not loop.last }}
    {% endfor %}
) f (metric, label, unit, kind, measure, is_of_answers);

comment on view detail.figures is 'The governed figures: what metric and compare_periods answer. One row per figure.';

-- Two periods of a figure side by side. One row per project, and per part with split_by.
create or replace macro main.compare_periods(metric, from_day, to_day, against_from, against_to, split_by := 'project') as table
with asked as (
  select
    cast(from_day as date) as first_day,
    cast(to_day as date) as last_day,
    cast(against_from as date) as first_against,
    cast(against_to as date) as last_against
),
figure as (
  select * from detail.figures f where f.metric = metric
),
sides as (
  select 'day' as side, a.first_day as first_date, a.last_day as last_date from asked a
  union all
  select 'against', a.first_against, a.last_against from asked a
),
weekdays as (
  select
    d.project_id, d.part_id, s.side, isodow(d.date) as weekday,
    any_value(d.project_name) as project_name,
    any_value(d.part_name) as part_name,
    sum(d.numerator) as numerator,
    sum(d.denominator) as denominator,
    count(d.numerator) as days
  from detail.figure_days d
  join sides s on d.date between s.first_date and s.last_date
  where d.metric = metric and d.split_by = split_by
  group by d.project_id, d.part_id, s.side, isodow(d.date)
),
-- Figures of the two sides next to each other; weekdays count alike where each side has every weekday twice.
compared as (
  select
    w.project_id, w.part_id,
    any_value(w.project_name) as project_name,
    any_value(w.part_name) as part_name,
    {% for side in ["day", "against"] %}
    {% set is_here = "filter (where w.side = '" ~ side ~ "')" %}
    sum(w.numerator) {{ is_here }} as numerator_{{ side }},
    sum(w.denominator) {{ is_here }} as denominator_{{ side }},
    coalesce(sum(w.days) {{ is_here }}, 0) as days_{{ side }},
    avg(w.numerator / w.denominator) {{ is_here }} as balanced_{{ side }},
    count(*) filter (where w.side = '{{ side }}' and w.days >= 2) = 7 as is_balanced_{{ side }}{{ "," if not loop.last }}
    {% endfor %}
  from weekdays w
  group by w.project_id, w.part_id
),
valued as (
  select
    c.*,
    f.kind,
    f.measure,
    f.is_of_answers,
    a.*,
    f.kind in ('mean', 'sum') and c.is_balanced_day and c.is_balanced_against as is_balanced,
    {% for side in ["day", "against"] %}
    case
      when f.kind in ('mean', 'sum') and c.is_balanced_day and c.is_balanced_against then c.balanced_{{ side }}
      else c.numerator_{{ side }} / nullif(c.denominator_{{ side }}, 0)
    end as value_{{ side }},
    case when f.kind = 'share' then {{ wilson("c.numerator_" ~ side ~ " / 100.0", "c.denominator_" ~ side, -1) }} end as low_{{ side }},
    case when f.kind = 'share' then {{ wilson("c.numerator_" ~ side ~ " / 100.0", "c.denominator_" ~ side, 1) }} end as high_{{ side }},
    {% endfor %}
    case
      when split_by = 'project'
        then {{ half("t.typical_change_7_days", "c.days_day", "c.days_against", "(a.first_day - a.first_against + (a.last_day - a.last_against)) / 2.0") }}
    end as half
  from compared c
  cross join figure f
  cross join asked a
  left join detail.typical_changes t on t.project_id = c.project_id and t.measure = f.measure
),
intervals as (
  select
    v.*,
    v.value_day - v.value_against as change,
    v.value_day - v.value_against - sqrt(power(v.value_day - v.low_day, 2) + power(v.high_against - v.value_against, 2)) as share_low,
    v.value_day - v.value_against + sqrt(power(v.high_day - v.value_day, 2) + power(v.value_against - v.low_against, 2)) as share_high
  from valued v
),
setup as materialized (
  select s.project_id, s.date, s.what, s.title from main.setup_changes s where s.moves_figures
),
titles as (
  select s.project_id, string_agg(cast(s.date as varchar) || ' ' || s.title, '; ' order by s.date asc, s.what asc) as setup_changes
  from setup s
  join asked a on s.date between least(a.first_day, a.first_against) and greatest(a.last_day, a.last_against)
  group by s.project_id
),
-- The earlier period is the one before.
wanted as materialized (
  select
    p.project_id,
    1 as period,
    case when a.first_day >= a.first_against then a.first_against else a.first_day end as first_against,
    case when a.first_day >= a.first_against then a.last_against else a.last_day end as last_against,
    case when a.first_day >= a.first_against then a.first_day else a.first_against end as first_day,
    case when a.first_day >= a.first_against then a.last_day else a.last_against end as last_day
  from core.projects p
  cross join asked a
  join figure f on f.measure in ('visibility', 'sentiment', 'share_of_voice')
  where split_by = 'project'
),
{{ real_steps() }},
moved as (
  select
    i.*,
    case when i.is_of_answers then u.setup_changes end as setup_changes,
    case
      when r.real_change is not null then case when i.first_day >= i.first_against then r.real_change else -r.real_change end
      when r.change_of_questions is not null
        then i.change - case when i.first_day >= i.first_against then r.change_of_questions else -r.change_of_questions end
    end as real_change
  from intervals i
  left join titles u on u.project_id = i.project_id
  left join real r on r.project_id = i.project_id and r.measure = i.measure
)
select
  m.project_id,
  m.project_name,
  metric as metric,
  m.value_day as value,
  m.value_against,
  case when m.kind = 'sum' then m.numerator_day end as total,
  case when m.kind = 'sum' then m.numerator_against end as total_against,
  m.change,
  -- Of a share, the wider one of both intervals.
  {% for end, sign in [["low", "-"], ["high", "+"]] %}
  case when m.kind = 'share' and m.share_high - m.share_low > 2 * m.half then m.share_{{ end }} else m.change {{ sign }} m.half end as change_{{ end }},
  {% endfor %}
  cast(m.days_day as bigint) as days,
  cast(m.last_day - m.first_day + 1 - m.days_day as bigint) as days_without,
  cast(m.days_against as bigint) as days_against,
  cast(m.last_against - m.first_against + 1 - m.days_against as bigint) as days_without_against,
  case when m.is_balanced then 'balanced' else 'as_they_are' end as weekdays,
  m.setup_changes,
  m.real_change,
  m.change - m.real_change as change_of_questions,
  case when m.setup_changes is not null then 'setup_changed' end as not_judged,
  case when split_by <> 'project' then m.part_id end as part_id,
  case when split_by <> 'project' then m.part_name end as part_name
from moved m
where m.days_day + m.days_against > 0
order by m.project_name, m.project_id, m.value_day desc nulls last;
