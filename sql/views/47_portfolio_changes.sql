-- One row per organization, level, model, measure and length of window: did all brands move, or one model for all of them?
create view main.portfolio_changes as
with model_days as (
  select project_id, scope_id, 'visibility' as measure, date, visibility as numerator, 1 as denominator
  from core.visibility
  where grain = 'day' and scope = 'model' and visibility is not null
  union all
  select project_id, scope_id, 'sentiment', date, sentiment, 1
  from core.sentiment
  where grain = 'day' and scope = 'model' and sentiment is not null
  union all
  select project_id, scope_id, 'share_of_voice', date, 100.0 * brand_mentions, total_responses
  from core.share_of_voice
  where grain = 'day' and scope = 'model' and brand_mentions is not null and total_responses > 0
),
newest as (
  select project_id, max(date) as last_date from detail.project_days where is_whole_day group by project_id
),
model_sides as (
  select
    m.project_id,
    m.scope_id,
    m.measure,
    w.window_days,
    {% for side, is_inside in [
      ["last", "m.date > n.last_date - w.window_days"],
      ["previous", "m.date <= n.last_date - w.window_days"]
    ] %}
    sum(m.numerator) filter (where {{ is_inside }}) / nullif(sum(m.denominator) filter (where {{ is_inside }}), 0) as {{ side }}_value,
    count(*) filter (where {{ is_inside }}) as {{ side }}_days{{ "," if not loop.last }}
    {% endfor %}
  from model_days m
  join newest n on n.project_id = m.project_id
  join (values (7), (28)) w(window_days) on m.date between n.last_date - 2 * w.window_days + 1 and n.last_date
  group by m.project_id, m.scope_id, m.measure, w.window_days
),
changes as (
  select project_id, 'all' as level, 'all' as model_id, measure, window_days, change
  from main.kpi_changes
  where window_days in (7, 28) and change is not null
  union all
  select project_id, 'model', scope_id, measure, window_days, last_value - previous_value
  from model_sides
  where last_days >= 3 and previous_days >= 3 and last_days * 7 >= 3 * window_days and previous_days * 7 >= 3 * window_days
),
summed as (
  select
    p.organization_id,
    level,
    model_id,
    measure,
    window_days,
    count(*) as projects_count,
    count(*) filter (where change > 1e-9) as up_count,
    count(*) filter (where change < -1e-9) as down_count,
    median(change) as median_change,
    -- The median varies 1.2533 times as much as a mean, and more with few projects.
    (1.96 + 5.0 / count(*)) * 1.2533 * 1.4826 * mad(change) / sqrt(count(*)) as half
  from changes c
  left join core.projects p on p.project_id = c.project_id
  group by p.organization_id, level, model_id, measure, window_days
)
select
  v.organization_id,
  o.name as organization_name,
  v.level,
  v.model_id,
  case v.level when 'all' then 'All models' else m.label end as model_name,
  v.measure,
  cast(v.window_days as integer) as window_days,
  v.projects_count,
  v.up_count,
  v.down_count,
  v.median_change,
  case when v.projects_count >= 5 then v.median_change - v.half end as change_low,
  case when v.projects_count >= 5 then v.median_change + v.half end as change_high,
  case
    when v.projects_count >= 5
      then abs(v.median_change) > v.half and 5 * greatest(v.up_count, v.down_count) >= 4 * v.projects_count
  end as is_portfolio_wide
from summed v
left join core.organizations o on o.organization_id = v.organization_id
left join core.models m on m.model_id = case when v.level = 'model' then v.model_id end;

comment on view main.portfolio_changes is 'Whether all brands moved together, or one model for all of them: the change of the last whole days against those before over all projects of an organization. One row per organization, level (all: every answer; model: one model), model, measure and length of window. Where is_portfolio_wide is true, look at the model or the market first, not at a brand. Source: the project and model series.';
