-- One row per project, judged measure and day: the figure without weekdays, and without what moved the rivals too.
{% from "effects.sql" import scale_rows, scale_steps %}
create view detail.adjusted_days as
with newest as materialized (
  select project_id, max(date) as last_date from detail.project_days where is_whole_day group by project_id
),
-- The distance of each rival from its own mean: a rival that is listed later moves nothing.
rivals as materialized (
  select project_id, date, avg(score) as visibility, avg(share) as share_of_voice
  from (
    select
      v.project_id,
      v.date,
      v.average_visibility - avg(v.average_visibility) over brand as score,
      v.visibility_percentage - avg(v.visibility_percentage) over brand as share
    from core.brand_visibility v
    join core.brands b on b.project_id = v.project_id and b.brand_id = v.brand_id
    where v.grain = 'day' and v.scope = 'project' and b.relation = 'DIRECT_COMPETITOR'
    window brand as (partition by v.project_id, v.brand_id)
  ) distances
  group by project_id, date
),
figures as materialized (
  select
    d.project_id,
    d.project_name,
    d.measure,
    d.date,
    case when d.is_whole_day then d.value end as own,
    case d.measure when 'visibility' then r.visibility when 'share_of_voice' then r.share_of_voice end as rivals,
    d.denominator as weight,
    d.is_whole_day,
    n.last_date
  from detail.measure_days d
  join newest n on n.project_id = d.project_id
  left join rivals r on r.project_id = d.project_id and r.date = d.date
  where d.measure in ('visibility', 'sentiment', 'share_of_voice')
),
weekdays as (
  select
    project_id,
    measure,
    weekday,
    coalesce(own_effect - avg(own_effect) over series, 0) as own_effect,
    coalesce(rivals_effect - avg(rivals_effect) over series, 0) as rivals_effect
  from (
    select
      project_id,
      measure,
      extract(isodow from date) as weekday,
      median(own - own_mean) as own_effect,
      median(rivals - rivals_mean) as rivals_effect
    from (
      select *, avg(own) over week as own_mean, avg(rivals) over week as rivals_mean
      from figures
      where date > last_date - 371
      window week as (partition by project_id, measure order by date asc rows between 3 preceding and 3 following)
    ) weeks
    where date between last_date - 364 and last_date - 3
    group by project_id, measure, weekday
  ) effects
  window series as (partition by project_id, measure)
),
calm as materialized (
  select f.*, coalesce(w.own_effect, 0) as weekday_effect, f.own - coalesce(w.own_effect, 0) as own_calm, f.rivals - coalesce(w.rivals_effect, 0) as rivals_calm
  from figures f
  left join weekdays w
    on w.project_id = f.project_id and w.measure = f.measure and w.weekday = extract(isodow from f.date)
),
-- How much of the rivals' weekly change the project's figure shares.
shared as (
  select
    project_id,
    measure,
    -- NaN, where one of them never changes, is larger than every number.
    case when corr(own_change, rivals_change) between 0.25 and 1.0001 then regr_slope(own_change, rivals_change) end as rivals_share
  from (
    select
      project_id,
      measure,
      avg(own_calm) over after_7 - avg(own_calm) over before_7 as own_change,
      avg(rivals_calm) over after_7 - avg(rivals_calm) over before_7 as rivals_change
    from calm
    where date >= last_date - 371
    window
      before_7 as (partition by project_id, measure order by date asc rows between 7 preceding and 1 preceding),
      after_7 as (partition by project_id, measure order by date asc rows between 1 following and 7 following)
  ) changes
  group by project_id, measure
)
select
  c.project_id,
  c.project_name,
  c.measure,
  c.date,
  c.own as value,
  c.weekday_effect,
  coalesce(s.rivals_share * c.rivals_calm, 0) as rivals_value,
  c.own_calm - coalesce(s.rivals_share * c.rivals_calm, 0) as adjusted_value,
  c.weight,
  coalesce(s.rivals_share, 0) as rivals_share,
  c.is_whole_day
from calm c
left join shared s on s.project_id = c.project_id and s.measure = c.measure;

comment on view detail.adjusted_days is 'What effects are judged by: the daily figure less the effect of its weekday, and less what it shares with the mean of the direct competitors (their score for visibility, their share of answers for share of voice, nothing for sentiment). It assumes that your own actions do not move your rivals. One row per project, measure (visibility, sentiment, share_of_voice) and day. Source: the project series, GET v1 analytics/brands/visibility-over-time.';

-- One row per project and judged measure: how far effects stray by themselves.
create view detail.effect_scales as
with every_day as (
  select * from detail.adjusted_days
),
moving as (
  select project_id, date from main.setup_changes where moves_figures
),
{{ scale_steps() }}
{{ scale_rows() }};

comment on view detail.effect_scales is 'How far differences of means of the adjusted series (detail.adjusted_days) stray by themselves, from its last 365 whole days. One row per project and measure (visibility, sentiment, share_of_voice). action_effects is judged by it. Source: the project series.';
