-- One row per goal of the configuration.
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
-- How fast the level moves: over 90 days where there are as many before, else over 28.
moving as (
  select
    g.project_id,
    g.measure,
    g.goal,
    g.due_date,
    k.value,
    k.last_date,
    k.typical_change as typical_value,
    coalesce(l.change / 90, k.change / 28) as change_per_day,
    case when l.change is not null then l.typical_change / 90 else k.typical_change / 28 end as typical_per_day,
    -- The mean of 28 days stands 13.5 days before their last.
    greatest(g.due_date - k.last_date, 0) + 13.5 as days_ahead,
    case g.measure when 'net_sentiment_known' then -100 when 'sentiment' then null else 0 end as lowest,
    case when g.measure in ('visibility', 'share_of_voice', 'net_sentiment_known') then 100 end as highest
  from goals g
  left join main.kpi_changes k on k.project_id = g.project_id and k.measure = g.measure and k.window_days = 28
  left join main.kpi_changes l on l.project_id = g.project_id and l.measure = g.measure and l.window_days = 90
),
compared as (
  select
    *,
    {% for name, sign in [["projected_value", "0"], ["projected_low", "-1"], ["projected_high", "1"]] %}
    -- A score or a share that goes on and on still ends at its bounds.
    case
      when change_per_day is not null
        then least(
          greatest(
            value + change_per_day * days_ahead
              {%- if sign != "0" %} + {{ sign }} * sqrt(typical_value * typical_value + power(typical_per_day * days_ahead, 2)){% endif %},
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
  c.projected_value >= c.goal as is_on_course
from compared c
left join core.projects p on p.project_id = c.project_id;

comment on view main.targets is 'Goals of the configuration, where each stands and whether it will be reached if the level goes on moving as it did. One row per project and measure. Source: targets in the configuration, kpi_changes.';
{{ comments("targets", "project_id, project_name, measure") }}
comment on column main.targets.goal is 'Value to reach, in the unit of the measure. Source: the configuration.';
comment on column main.targets.due_date is 'Day (UTC) by which to reach it. Source: the configuration.';
comment on column main.targets.last_date is 'Last whole day (UTC); NULL when there is no figure.';
comment on column main.targets.value is 'Mean of the last 28 whole days (kpi_changes). Do not sum or average.';
comment on column main.targets.distance is 'Goal less value, in the unit of the measure; 0 or below: reached. Do not sum or average.';
comment on column main.targets.projected_value is 'Value on the due day if the level goes on moving as in the last 90 days (28 where fewer are known), clear or not; never beyond the bounds of a share or score. NULL where that cannot be computed. Do not sum or average.';
comment on column main.targets.projected_low is 'Lower end of its 95 % interval. Do not sum or average.';
comment on column main.targets.projected_high is 'Upper end of its 95 % interval. Do not sum or average.';
comment on column main.targets.is_reached is 'True when the value is at the goal or beyond; NULL when there is no figure.';
comment on column main.targets.is_on_course is 'True when the projected value is at the goal or beyond; NULL when there is no figure.';
