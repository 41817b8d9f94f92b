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
{{ comments("adjusted_days", "project_id, project_name, measure, date") }}
comment on column detail.adjusted_days.value is 'The figure of a whole day, in the unit of the measure; NULL where it is missing. Do not sum or average.';
comment on column detail.adjusted_days.weekday_effect is 'How far its weekday lies from the mean of the week, in the unit of the measure. Do not sum.';
comment on column detail.adjusted_days.rivals_value is 'What the day shares with the rivals: rivals_share times their distance from their own mean. Do not sum.';
comment on column detail.adjusted_days.adjusted_value is 'The figure without the effect of its weekday and without what moved the rivals as well. Only differences between days mean anything. Do not sum.';
comment on column detail.adjusted_days.weight is 'Weight of the day in a mean: organic responses for share of voice, 1 otherwise.';
comment on column detail.adjusted_days.rivals_share is 'Share of the rivals'' change that your own figure shows too: slope of changes from week to week over a year; 0 where they are hardly related (correlation below 0.25). Repeated on every row: do not sum or average.';
{{ comments("adjusted_days", "is_whole_day") }}

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
{{ comments("effect_scales", "project_id, project_name, measure") }}
comment on column detail.effect_scales.last_date is 'Last whole day (UTC) of the project.';
comment on column detail.effect_scales.days_count is 'Days around which both means of 7 days are known; fewer than 60 are too few to judge by.';
comment on column detail.effect_scales.sampled_share is 'Share of the last 56 days that have a figure: 1, or less where prompts are asked on some weekdays only. Do not sum or average.';
comment on column detail.effect_scales.typical_change_7_days is '1.96 standard deviations of the difference of two means of 7 days, computed so that real shifts hardly swell it, in the unit of the measure. Do not sum or average.';
comment on column detail.effect_scales.typical_change_15_28 is 'The same of the mean of the days 15 to 28 after a day less that of the 14 before. Do not sum or average.';
comment on column detail.effect_scales.typical_change_29_56 is 'The same of the days 29 to 56. Do not sum or average.';
comment on column detail.effect_scales.exponent is 'How fast typical_change_7_days shrinks with longer means: 0.32 as a rule, less and below 0 for series that wander. Do not sum or average.';
comment on column detail.effect_scales.drift_per_day is 'Slow trend a day, in the unit of the measure: mean over the days outside the windows of actions and setup_changes (14 days before to 7 after) or over all days, whichever is less, 0 where their signs differ, and less what may be chance; 0 where there are fewer than 60 of them. Do not sum or average.';
