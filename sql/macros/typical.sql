{# How far differences of two means stray by themselves: `typical`, one row per project and measure, from `every_day` (rows of detail.measure_days). #}
{% macro typical_steps() -%}
newest as (
  select project_id, max(date) filter (where is_whole_day) as last_date from every_day group by project_id
),
-- Only the days that count and those their windows reach back to: years of history cost nothing.
recent as (
  select
    d.project_id,
    d.measure,
    d.date,
    -- A day that is not whole keeps its place: windows of rows stay windows of days.
    case when d.is_whole_day then d.numerator end as numerator,
    case when d.is_whole_day then d.denominator end as denominator,
    d.is_whole_day,
    n.last_date
  from every_day d
  join newest n on n.project_id = d.project_id and d.date between n.last_date - 545 and n.last_date
),
sampled as (
  select project_id, measure, greatest(count(numerator) / 56.0, 1.0 / 7) as share
  from recent
  where date > last_date - 56 and is_whole_day
  group by project_id, measure
),
around as (
  select
    r.project_id,
    r.measure,
    s.share,
    {% for window, least in [
      ["before_7", "5"],
      ["after_7", "5"],
      ["before_14", "10"],
      ["after_14", "10"],
      ["last_28", "20"],
      ["last_90", "64"]
    ] %}
    case
      -- Of a project that is asked on some weekdays only, those days count.
      when count(numerator) over {{ window }} >= {{ least }} * s.share - 0.5
        then sum(numerator) over {{ window }} / nullif(sum(denominator) over {{ window }}, 0)
    end as mean_{{ window }},
    {% endfor %}
    r.date,
    r.is_whole_day,
    r.last_date
  from recent r
  join sampled s on s.project_id = r.project_id and s.measure = r.measure
  window
    {% for days in ["7", "14"] %}
    before_{{ days }} as (partition by r.project_id, r.measure order by r.date asc rows between {{ days }} preceding and 1 preceding),
    after_{{ days }} as (partition by r.project_id, r.measure order by r.date asc rows between 1 following and {{ days }} following),
    {% endfor %}
    last_28 as (partition by r.project_id, r.measure order by r.date asc rows between 27 preceding and current row),
    last_90 as (partition by r.project_id, r.measure order by r.date asc rows between 89 preceding and current row)
),
-- Other windows are these ones seen from another day: a window costs ten times what a look back does.
shifts as (
  select
    project_id,
    measure,
    share,
    date,
    is_whole_day,
    last_date,
    mean_after_7 - mean_before_7 as change_around_7,
    mean_after_14 - mean_before_14 as change_around_14,
    lag(mean_after_14, 1) over series - mean_before_14 as change_from_14,
    lag(mean_after_7, 7) over series - lag(mean_before_7, 6) over series as change_last_7,
    mean_last_28 - lag(mean_last_28, 28) over series as change_last_28,
    mean_last_90 - lag(mean_last_90, 90) over series as change_last_90
  from around
  window series as (partition by project_id, measure order by date asc)
),
-- The history of changes of 28 days in three parts: a trend is slow and steady where all of them agree.
parts as (
  select
    *,
    floor(
      3.0 * (date - min(case when change_last_28 is not null then date end) over series)
        / (last_date - min(case when change_last_28 is not null then date end) over series + 1)
    ) as third
  from shifts
  window series as (partition by project_id, measure)
),
trends as (
  select
    project_id,
    measure,
    count(change_last_28) as changes_28,
    {% for third in [0, 1, 2] %}
    median(change_last_28) filter (where third = {{ third }}) as median_{{ third }},
    {% endfor %}
    avg(change_last_28) as mean_28,
    avg(change_last_28 * change_last_28) as mean_square_28
  from parts
  where is_whole_day
  group by project_id, measure
),
steady as (
  select
    project_id,
    measure,
    changes_28,
    mean_28,
    mean_square_28,
    case
      when median_0 > 0 and median_1 > 0 and median_2 > 0 then least(median_0, median_1, median_2)
      when median_0 < 0 and median_1 < 0 and median_2 < 0 then greatest(median_0, median_1, median_2)
      else 0
    end as drift_28
  from trends
),
spread as (
  select
    project_id,
    measure,
    last_date,
    any_value(share) as sampled_share,
    count(change_around_7) as days_count,
    -- 0 where over half of the changes are the same: their variation is unknown.
    case when mad(change_around_7) > 1e-9 then 1.96 * 1.4826 * mad(change_around_7) end as typical,
    median(change_around_7) as drift_around_7,
    median(change_around_14) as drift_around_14,
    median(change_from_14) as drift_from_14,
    median(change_last_7) as drift_last_7,
    median(change_last_28) as drift_last_28,
    case when count(change_last_90) >= 60 then median(change_last_90) end as drift_last_90
  from shifts
  where date >= last_date - 364 and is_whole_day
  group by project_id, measure, last_date
),
typical as (
  select
    v.project_id,
    p.name as project_name,
    v.measure,
    last_date,
    days_count,
    case when days_count >= 60 then typical end as typical_change_7_days,
    case when days_count >= 60 then 0.8 * typical end as typical_change_14_days,
    case when days_count >= 60 then 0.64 * typical end as typical_change_28_days,
    case when days_count >= 60 then 0.44 * typical end as typical_change_90_days,
    case when days_count >= 60 then 0.28 * typical end as typical_change_365_days,
    drift_around_7 as drift_around_7_days,
    drift_around_14 as drift_around_14_days,
    drift_from_14 as drift_from_14_days,
    drift_last_7 as drift_last_7_days,
    drift_last_28 as drift_last_28_days,
    drift_last_90 as drift_last_90_days,
    case when t.changes_28 >= 60 then t.drift_28 end as steady_drift_28_days,
    -- The mean square of the changes less the drift.
    case when t.changes_28 >= 60 then sqrt(greatest(t.mean_square_28 - 2 * t.drift_28 * t.mean_28 + t.drift_28 * t.drift_28, 0)) end as spread_28_days,
    sampled_share
  from spread v
  left join core.projects p on p.project_id = v.project_id
  left join steady t on t.project_id = v.project_id and t.measure = v.measure
)
{%- endmacro %}
