-- One row per span (the actions of a day, or a burst of actions), measure and days after it: every step of its judgment.
{% set sums = [["mean", "value"], ["weekday", "weekday_effect"], ["rivals", "rivals_value"], ["adjusted", "adjusted_value"]] %}
{% from "effects.sql" import scale_rows, scale_steps %}
create view detail.action_effects as
with spans as materialized (
  select project_id, 'action' as span, date as first_date, date as last_date from detail.action_bursts
  union all
  select project_id, 'burst', min(date), max(date) from detail.action_bursts group by project_id, overlap_group_id
),
setup as materialized (
  select project_id, date, what, title, moves_figures from main.setup_changes
),
moving as materialized (
  select distinct project_id, date from setup where moves_figures
),
every_day as materialized (
  select * from detail.adjusted_days
),
neighbours as (
  select distinct project_id, date, false as is_setup from core.events where type = 'action'
  union all
  select project_id, date, true from moving
),
titles as materialized (
  select b.project_id, b.span, b.first_date, string_agg(s.title, '; ' order by s.date asc, s.what asc) as setup_change_titles
  from spans b
  join setup s on s.project_id = b.project_id and s.date between b.first_date - 14 and b.last_date + 14
  group by b.project_id, b.span, b.first_date
),
adjusted as materialized (
  select project_id, measure, date, value, weekday_effect, rivals_value, adjusted_value, weight
  from every_day
  where adjusted_value is not null
),
{{ scale_steps() }},
scales as materialized (
  {{ scale_rows() }}
),
bounds as materialized (
  select
    b.project_id,
    b.span,
    b.first_date,
    b.last_date,
    greatest(b.first_date - 14, max(n.date) filter (where n.date < b.first_date) + 1) as before_from,
    min(n.date) filter (where n.date > b.last_date) as next_date,
    coalesce(bool_or(n.is_setup and n.date between b.first_date - 3 and b.last_date + 3), false) as is_setup_changed
  from spans b
  left join neighbours n on n.project_id = b.project_id and n.date between b.first_date - 14 and b.last_date + 56
  group by b.project_id, b.span, b.first_date, b.last_date
),
-- Each period after it, and each measure.
windows as (
  select
    w.project_id,
    w.span,
    w.first_date,
    w.last_date,
    m.measure,
    p.days,
    w.before_from,
    w.last_date + p.first_day as after_from,
    w.last_date + p.last_day as after_end,
    least(w.last_date + p.last_day, coalesce(w.next_date - 1, w.last_date + p.last_day)) as after_to,
    w.is_setup_changed
  from bounds w
  join (values ('1_14', 1, 14), ('15_28', 15, 28), ('29_56', 29, 56)) p (days, first_day, last_day) on w.span = 'burst' or p.days = '1_14'
  cross join (values ('visibility'), ('sentiment'), ('share_of_voice')) m (measure)
),
-- Means of the days before, of those after, of the second half of these, and the level of the six weeks before.
sides as (
  select
    w.*,
    {% for side, is_inside in [["before", "a.date between w.before_from and w.first_date - 1"], ["after", "a.date >= w.after_from"]] %}
    count(*) filter (where {{ is_inside }}) as {{ side }}_days,
    {% for name, column in sums %}
    sum(a.{{ column }} * a.weight) filter (where {{ is_inside }}) / nullif(sum(a.weight) filter (where {{ is_inside }}), 0) as {{ side }}_{{ name }},
    {% endfor %}
    {% endfor %}
    {% set is_late = "a.date >= w.after_from and a.date - w.after_from >= w.after_to - a.date" %}
    sum(a.adjusted_value * a.weight) filter (where {{ is_late }}) / nullif(sum(a.weight) filter (where {{ is_late }}), 0) as late_adjusted,
    median(a.adjusted_value) filter (where a.date < w.first_date) as level_before
  from windows w
  left join adjusted a on a.project_id = w.project_id and a.measure = w.measure and a.date between w.first_date - 42 and w.after_to
  group by w.project_id, w.span, w.first_date, w.last_date, w.measure, w.days, w.before_from, w.after_from, w.after_end, w.after_to, w.is_setup_changed
),
-- Days count in full: of a project that is sampled on some weekdays, each has its share of the week.
placed as (
  select
    w.*,
    c.project_name,
    c.last_date as newest_date,
    c.typical_change_7_days as typical_change,
    case w.days when '1_14' then c.typical_change_7_days when '15_28' then c.typical_change_15_28 else c.typical_change_29_56 end as typical,
    -- What 1/n + 1/n of the two means is whose difference that is.
    case w.days when '1_14' then 2 / 7.0 when '15_28' then 1 / 7.0 else 1 / 14.0 + 1 / 28.0 end as typical_precision,
    c.exponent,
    w.after_adjusted - w.before_adjusted as adjusted_change,
    c.drift_per_day * ((w.after_to - w.first_date + 1 + (w.after_from - w.before_from)) / 2.0) as drift,
    c.drift_per_day * ((w.after_to - w.first_date + (w.after_from - w.first_date)) / 2.0 + 21.5) as level_drift,
    w.before_days / c.sampled_share as before_span,
    w.after_days / c.sampled_share as after_span
  from sides w
  join scales c on c.project_id = w.project_id and c.measure = w.measure
),
judged as (
  select
    *,
    adjusted_change - drift as effect_found,
    after_adjusted - level_before - level_drift as lift,
    late_adjusted - level_before - level_drift as late_lift,
    case
      when typical_change is null then 'young_series'
      when is_setup_changed then 'setup_changed'
      when newest_date < after_end then 'not_over'
      when first_date - before_from < 4 or after_to - after_from < 3 then 'neighbour_too_close'
      when before_span < 3.5 or after_span < 3.5 or adjusted_change is null then 'too_few_days'
    end as not_judged,
    greatest(
      typical * power((1 / nullif(before_span, 0) + 1 / nullif(after_span, 0)) / typical_precision, exponent),
      typical_change * power((1 / nullif(before_span, 0) + 1 / nullif(after_span, 0)) * 3.5, exponent)
    ) as half
  from placed
)
select
  j.project_id,
  j.project_name,
  j.span,
  j.first_date,
  j.last_date,
  j.measure,
  j.days,
  j.before_from,
  j.first_date - 1 as before_to,
  after_from,
  after_to,
  before_days,
  after_days,
  before_mean,
  after_mean,
  after_weekday - before_weekday as weekday_effect,
  after_rivals - before_rivals as rivals_effect,
  drift,
  typical_change,
  level_before,
  case when not_judged is null then effect_found end as effect,
  case when not_judged is null then effect_found - half end as effect_low,
  case when not_judged is null then effect_found + half end as effect_high,
  -- The level after, and still in the second half of the days, must differ from that of the six weeks before: the end of a dip is no success.
  case when not_judged is null then abs(effect_found) > half and lift * sign(effect_found) > 0.97 * half and late_lift * sign(effect_found) > 0.5 * half end as is_clear,
  not_judged,
  t.setup_change_titles
from judged j
left join titles t on t.project_id = j.project_id and t.span = j.span and t.first_date = j.first_date;

comment on view detail.action_effects is 'How the figures moved after completed actions, with every step of the judgment: effect = after_mean - before_mean - weekday_effect - rivals_effect - drift; its interval is typical_change * ((1/before_days + 1/after_days) / (2/7)) ^ exponent on either side (after 15 days and more, what such differences stray by themselves). The windows end where a neighbouring action, or a setup change of more than 3 % of the answers, begins. One row per span (action: the actions of one day; burst: those with gaps of at most 3 days), measure and days after it. Change after, never caused by. Source: GET v2 events and the project series.';
