-- One row per span (the actions of a day, or a burst of actions), measure and days after it: every step of its judgment.
{% from "effects.sql" import judge_steps, scale_rows, scale_steps %}
create view detail.action_effects as
with actions as materialized (
  select distinct project_id, date as first_date, date as last_date from core.events where type = 'action'
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
  select project_id, first_date as date, false as is_setup from actions
  union all
  select project_id, date, true from moving
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
{{ judge_steps("actions", "('1_14', 1, 14)") }},
-- A burst: actions that stand too close to be judged one by one, or in the wake of the one before, in stretches of 28 days.
chained as (
  select
    *,
    max(case when coalesce(first_date - previous_date > case when coalesce(is_moved, false) then 10 else 4 end, true) then first_date end) over (
      partition by project_id order by first_date asc range unbounded preceding
    ) as chain_date
  from judged_actions
),
placed_in_bursts as materialized (
  select *, min(first_date) over (partition by project_id, chain_date, (first_date - chain_date) // 28) as burst_date
  from chained
),
bursts as materialized (
  select project_id, burst_date as first_date, max(first_date) as last_date
  from placed_in_bursts
  group by project_id, burst_date
),
{{ judge_steps("bursts", "('1_14', 1, 14), ('15_28', 15, 28), ('29_56', 29, 56)") }},
judged as (
  select 'action' as span, * exclude (chain_date) from placed_in_bursts
  union all
  select 'burst', *, first_date from judged_bursts
),
titles as (
  select project_id, list({date: date, title: title} order by date asc, what asc) as changes from setup group by project_id
)
select
  j.project_id,
  p.name as project_name,
  j.span,
  j.first_date,
  j.last_date,
  j.project_id || ':' || strftime(j.burst_date, '%Y-%m-%d') as overlap_group_id,
  j.measure,
  j.days,
  j.before_from,
  j.first_date - 1 as before_to,
  j.after_from,
  j.after_to,
  j.before_days,
  j.after_days,
  j.before_mean,
  j.after_mean,
  j.after_weekday - j.before_weekday as weekday_effect,
  j.after_rivals - j.before_rivals as rivals_effect,
  j.drift,
  j.typical_change,
  j.level_before,
  case when j.not_judged is null then j.effect end as effect,
  case when j.not_judged is null then j.effect - j.half end as effect_low,
  case when j.not_judged is null then j.effect + j.half end as effect_high,
  -- The level after, and still in the second half of the days, must differ from that of the six weeks before: the end of a dip is no success.
  case
    when j.not_judged is null
      then abs(j.effect) > j.half and j.lift * sign(j.effect) > 0.97 * j.half and j.late_lift * sign(j.effect) > 0.5 * j.half
  end as is_clear,
  j.not_judged,
  coalesce(j.first_date - j.previous_date > 10, true) as is_alone_before,
  nullif(array_to_string([x.title for x in t.changes if x.date between j.first_date - 14 and j.last_date + 14], '; '), '') as setup_change_titles
from judged j
left join core.projects p on p.project_id = j.project_id
left join titles t on t.project_id = j.project_id;

comment on view detail.action_effects is 'How the figures moved after completed actions, with every step of the judgment: effect = after_mean - before_mean - weekday_effect - rivals_effect - drift; its interval is typical_change * ((1/before_days + 1/after_days) / (2/7)) ^ exponent on either side, before_days and after_days divided by sampled_share of detail.effect_scales where prompts are asked on some weekdays only (after 15 days and more, what such differences stray by themselves). The windows end where a neighbouring action, or a setup change of more than 3 % of the answers, begins. One row per span (action: the actions of one day; burst: those that cannot be told apart), measure and days after it. Change after, never caused by. Source: GET v2 events and the project series.';
