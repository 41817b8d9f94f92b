-- One row per project (and all of them together), action type and measure.
create view main.action_type_impact as
with effects as (
  select
    i.project_id,
    i.project_name,
    i.action_type,
    m.measure,
    i.date,
    {% for column, words in [["effect", "effect"], ["effect_high", "high"]] %}
    case m.measure
      {% for measure in ["visibility", "sentiment", "share_of_voice"] %}
      when '{{ measure }}' then i.{{ measure }}_{{ column }}
      {% endfor %}
    end as {{ words }}{{ "," if not loop.last }}
    {% endfor %}
  from main.action_impact i
  cross join (values ('visibility'), ('sentiment'), ('share_of_voice')) m (measure)
),
-- Actions of one type on one day share one effect: it counts once.
days as (
  select
    project_id,
    project_name,
    action_type,
    measure,
    date,
    count(*) as actions,
    any_value(effect) as effect,
    any_value(high - effect) as half
  from effects
  group by project_id, project_name, action_type, measure, date
),
pooled as (
  select
    coalesce(project_id, 'all') as project_id,
    case when project_id is null then 'All projects' else project_name end as project_name,
    action_type,
    measure,
    cast(sum(actions) as bigint) as actions_count,
    coalesce(cast(sum(actions) filter (where effect is not null) as bigint), 0) as judged_count,
    avg(effect) as mean_effect,
    sqrt(sum(half * half) filter (where effect is not null)) / nullif(count(effect), 0) as half
  from days
  group by grouping sets ((project_id, project_name, action_type, measure), (action_type, measure))
)
select
  project_id,
  project_name,
  action_type,
  measure,
  actions_count,
  judged_count,
  mean_effect,
  mean_effect - half as effect_low,
  mean_effect + half as effect_high,
  abs(mean_effect) > half as is_clear
from pooled;

comment on view main.action_type_impact is 'What the actions of one type have in common: mean of their judged effects (main.action_impact). Single actions rarely show anything, many together can. One row per project (and ''all'' for all projects together), action type and measure. Change after, never caused by. Source: GET v2 events and the project series.';
comment on column main.action_type_impact.project_id is 'Project; all for all projects together: never add both up.';
comment on column main.action_type_impact.project_name is 'Name of the project; All projects for all together.';
{{ comments("action_type_impact", "action_type") }}
comment on column main.action_type_impact.measure is 'visibility, sentiment or share_of_voice. Filter on one; never average different measures.';
comment on column main.action_type_impact.actions_count is 'Completed actions of the type. Do not sum over measures.';
comment on column main.action_type_impact.judged_count is 'Those with an effect. Do not sum over measures.';
comment on column main.action_type_impact.mean_effect is 'Mean of their effects in the unit of the measure; actions of one day count once. Do not sum or average.';
comment on column main.action_type_impact.effect_low is 'Lower end of its 95 % interval. Do not sum or average.';
comment on column main.action_type_impact.effect_high is 'Upper end of its 95 % interval. Do not sum or average.';
comment on column main.action_type_impact.is_clear is 'True when the interval leaves 0 out; NULL when none was judged.';
