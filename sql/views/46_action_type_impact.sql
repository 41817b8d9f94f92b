-- One row per project (and all of them together), action type and measure.
create view main.action_type_impact as
with actions as (
  select project_id, date, coalesce(action_type, '') as action_type, count(*) as actions
  from core.events
  where type = 'action'
  group by project_id, date, coalesce(action_type, '')
),
-- Actions of one type on one day share one effect: it counts once. What happened in one week, to one project or to many, may have one cause: it is one observation.
weeks as (
  select
    case l.level when 'all' then 'all' else a.project_id end as project_id,
    p.organization_id,
    a.action_type,
    e.measure,
    cast(date_trunc('week', a.date) as date) as week,
    sum(a.actions) as actions,
    -- With another action in the 10 days before, what moves is not judged: a mean of those that stood still would be too small.
    sum(a.actions) filter (where e.is_alone_before and e.effect is not null) as judged,
    avg(e.effect) filter (where e.is_alone_before) as effect,
    avg(e.effect_high - e.effect) filter (where e.is_alone_before) as half
  from actions a
  join detail.action_effects e on e.project_id = a.project_id and e.span = 'action' and e.first_date = a.date and e.days = '1_14'
  left join core.projects p on p.project_id = a.project_id
  cross join (values ('project'), ('all')) l (level)
  group by 1, 2, 3, 4, 5
),
pooled as (
  select
    project_id,
    organization_id,
    action_type,
    measure,
    cast(sum(actions) as bigint) as actions_count,
    coalesce(cast(sum(judged) as bigint), 0) as judged_count,
    count(effect) as weeks_count,
    avg(effect) as mean_effect,
    -- Variance of the mean: as single effects stray by their series, and as the weeks differ.
    sum(power(half / 1.96, 2)) / nullif(power(count(effect), 2), 0) as told_variance,
    var_samp(effect) / nullif(count(effect), 0) as seen_variance
  from weeks
  group by project_id, organization_id, action_type, measure
),
-- A moderated t interval: a year of the series counts as 14 weeks would, and 2.4 / degrees widens 1.96 to the quantile of t.
judged as (
  select
    *,
    (1.96 + 2.4 / (13 + weeks_count)) * sqrt((14 * told_variance + coalesce((weeks_count - 1) * seen_variance, 0)) / (13 + weeks_count)) as half
  from pooled
)
select
  v.project_id,
  case v.project_id when 'all' then 'All projects' else p.name end as project_name,
  v.organization_id,
  nullif(v.action_type, '') as action_type,
  v.measure,
  v.actions_count,
  v.judged_count,
  v.weeks_count,
  v.mean_effect,
  v.mean_effect - v.half as effect_low,
  v.mean_effect + v.half as effect_high,
  abs(v.mean_effect) > v.half as is_clear
from judged v
left join core.projects p on p.project_id = v.project_id;

comment on view main.action_type_impact is 'What the actions of one type have in common: mean of their judged effects (detail.action_effects), those of one calendar week counted as one. Single actions rarely show anything, many together can. One row per project (and ''all'' for all projects of an organization together), action type and measure. Change after, never caused by. Source: GET v2 events and the project series.';
