-- One row per project, measure and day: means of the days around it.
create view main.measure_windows as
with covered as (
  select project_id, min(date) as first_date, max(date) filter (where is_whole_day) as last_date
  from main.project_days
  group by project_id
),
whole as (
  select
    d.project_id,
    d.project_name,
    d.measure,
    d.date,
    case when d.is_whole_day then d.numerator end as numerator,
    case when d.is_whole_day then d.denominator end as denominator,
    d.is_whole_day,
    d.is_final,
    c.first_date,
    c.last_date
  from main.measure_days d
  join covered c on c.project_id = d.project_id
)
select
  project_id,
  project_name,
  measure,
  date,
  {% for window in ["before_7", "after_7", "before_14", "after_14", "from_14", "last_7", "previous_7", "last_28", "previous_28"] %}
  sum(numerator) over {{ window }} / nullif(sum(denominator) over {{ window }}, 0) as mean_{{ window }},
  count(numerator) over {{ window }} as days_{{ window }},
  {% endfor %}
  coalesce(date - 14 >= first_date and date + 14 <= last_date, false) as is_complete_14,
  is_whole_day,
  is_final
from whole
window
  {% for days in ["7", "14"] %}
  before_{{ days }} as (partition by project_id, measure order by date asc rows between {{ days }} preceding and 1 preceding),
  after_{{ days }} as (partition by project_id, measure order by date asc rows between 1 following and {{ days }} following),
  {% endfor %}
  {% for days, first, second in [
    ["7", "6", "13"],
    ["28", "27", "55"]
  ] %}
  last_{{ days }} as (partition by project_id, measure order by date asc rows between {{ first }} preceding and current row),
  previous_{{ days }} as (partition by project_id, measure order by date asc rows between {{ second }} preceding and {{ days }} preceding),
  {% endfor %}
  from_14 as (partition by project_id, measure order by date asc rows between current row and 13 following);

comment on view main.measure_windows is 'Means of the days before and after each day, for comparing periods. One row per project, measure and day. What action_impact, turning_points and kpi_changes are made of. Source: the project series.';
{{ comments("measure_windows", "project_id, project_name, measure, date") }}
{% for window, words in [
  ["before_7", "the 7 days before the day"],
  ["after_7", "the 7 days after the day"],
  ["before_14", "the 14 days before the day"],
  ["after_14", "the 14 days after the day"],
  ["from_14", "the 14 days that begin with the day"],
  ["last_7", "the 7 days that end with the day"],
  ["previous_7", "the 7 days before those"],
  ["last_28", "the 28 days that end with the day"],
  ["previous_28", "the 28 days before those"]
] %}
comment on column main.measure_windows.mean_{{ window }} is 'Mean of {{ words }}, whole days alone; NULL without a figure. Do not sum or average.';
comment on column main.measure_windows.days_{{ window }} is 'Days with a figure among {{ words }}. Windows overlap: do not sum.';
{% endfor %}
comment on column main.measure_windows.is_complete_14 is 'True when the 14 whole days before and after are all within the covered days: a cut window holds some weekdays more often than others.';
{{ comments("measure_windows", "is_whole_day, is_final") }}
