-- One row per project and measure: normal variation of a difference of means.
{% from "typical.sql" import typical_steps %}
create view detail.typical_changes as
with every_day as materialized (
  select * from detail.measure_days
),
{{ typical_steps() }}
select * from typical;

comment on view detail.typical_changes is 'Normal variation of a difference of two means, computed from the last 365 whole days of the project''s own series: 1.96 * 1.4826 * the median distance of 7-day differences from their median, which real shifts hardly move. One row per project and measure. A change beyond it is clear, not explained. Source: the project series.';
