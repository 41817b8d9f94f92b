-- One row per goal of the configuration.
{% from "typical.sql" import typical_steps %}
create view main.targets as
with listed as (
  select unnest(from_json(value, '["json"]')) as target
  from meta.settings
  where name = 'targets'
),
goals as (
  select
    json_extract_string(target, '$.project') as project_id,
    json_extract_string(target, '$.measure') as measure,
    cast(json_extract_string(target, '$.goal') as double) as goal,
    cast(json_extract_string(target, '$.by') as date) as due_date
  from listed
),
-- Only the series that have a goal.
every_day as materialized (
  select *
  from detail.measure_days d
  where exists (select 1 from goals g where g.project_id = d.project_id and g.measure = d.measure)
),
{{ typical_steps() }},
latest as (
  select d.project_id, d.measure, sum(d.numerator) / nullif(sum(d.denominator), 0) as value
  from every_day d
  join newest n on n.project_id = d.project_id and d.date between n.last_date - 27 and n.last_date
  where d.is_whole_day
  group by d.project_id, d.measure
),
-- The mean of 28 days, centred 13.5 days before their last, continues with the steady trend, and varies as such means have varied.
moving as (
  select
    g.project_id,
    g.measure,
    g.goal,
    g.due_date,
    k.value,
    t.last_date,
    t.steady_drift_28_days as drift,
    t.spread_28_days as spread,
    greatest(g.due_date - t.last_date, 0) as days_ahead,
    case g.measure when 'net_sentiment_known' then -100 when 'sentiment' then null else 0 end as lowest,
    case when g.measure in ('visibility', 'share_of_voice', 'net_sentiment_known') then 100 end as highest
  from goals g
  left join latest k on k.project_id = g.project_id and k.measure = g.measure
  left join typical t on t.project_id = g.project_id and t.measure = g.measure
),
compared as (
  select
    *,
    {% for name, sign in [["projected_value", "0"], ["projected_low", "-1"], ["projected_high", "1"]] %}
    -- A score or a share never exceeds its bounds.
    case
      when drift is not null and value is not null
        then least(
          greatest(
            value + drift * (days_ahead + 13.5) / 28.0
              {%- if sign != "0" %} + {{ sign }} * 2.3 * sqrt(spread * spread * days_ahead / 28.0 + power(drift * days_ahead / 112.0, 2)){% endif %},
            lowest
          ),
          highest
        )
    end as {{ name }}{{ "," if not loop.last }}
    {% endfor %}
  from moving
)
select
  c.project_id,
  p.name as project_name,
  c.measure,
  c.goal,
  c.due_date,
  c.last_date,
  c.value,
  c.goal - c.value as distance,
  c.projected_value,
  c.projected_low,
  c.projected_high,
  c.value >= c.goal as is_reached,
  c.projected_value >= c.goal as is_on_course,
  c.goal < c.projected_low or c.goal > c.projected_high as is_sure
from compared c
left join core.projects p on p.project_id = c.project_id;

comment on view main.targets is 'Goals of the configuration, the present level of each, and whether it will be reached if the trend continues. One row per project and measure. Source: targets in the configuration and the project series.';
