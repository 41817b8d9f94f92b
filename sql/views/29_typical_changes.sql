-- One row per project and measure: normal variation of a difference of means.
{% from "typical.sql" import typical_steps %}
create view detail.typical_changes as
with every_day as materialized (
  select * from detail.measure_days
),
{{ typical_steps() }}
select * from typical;

comment on view detail.typical_changes is 'Normal variation of a difference of two means, computed from the last 365 whole days of the project''s own series: 1.96 * 1.4826 * the median distance of 7-day differences from their median, which real shifts hardly move. One row per project and measure. A change beyond it is clear, not explained. Source: the project series.';
{{ comments("typical_changes", "project_id, project_name, measure") }}
comment on column detail.typical_changes.last_date is 'Last whole day (UTC) of the project.';
comment on column detail.typical_changes.days_count is 'Days around which both 7-day means have at least 5 days with a figure; fewer than 60 are too few to judge.';
comment on column detail.typical_changes.typical_change_7_days is 'Typical change between two means of 7 days, in the unit of the measure; NULL with fewer than 60 such days, and where over half of the changes are the same. Do not sum or average.';
comment on column detail.typical_changes.typical_change_14_days is 'The same for means of 14 days: 0.8 of it. Do not sum or average.';
comment on column detail.typical_changes.typical_change_28_days is 'The same for means of 28 days: 0.64 of it. Do not sum or average.';
comment on column detail.typical_changes.typical_change_90_days is 'The same for means of 90 days: 0.44 of it. Do not sum or average.';
comment on column detail.typical_changes.typical_change_365_days is 'The same for means of 365 days: 0.28 of it. Do not sum or average.';
comment on column detail.typical_changes.drift_around_7_days is 'Median change of the 7 days after a day against the 7 before: a slow trend is no news. Do not sum or average.';
comment on column detail.typical_changes.drift_around_14_days is 'Median change of the 14 days after a day against the 14 before. Do not sum or average.';
comment on column detail.typical_changes.drift_from_14_days is 'Median change of the 14 days that begin with a day against the 14 before. Do not sum or average.';
comment on column detail.typical_changes.drift_last_7_days is 'Median change of 7 days against the 7 before. Do not sum or average.';
comment on column detail.typical_changes.drift_last_28_days is 'Median change of 28 days against the 28 before. Do not sum or average.';
comment on column detail.typical_changes.drift_last_90_days is 'Median change of 90 days against the 90 before; NULL with fewer than 60 such changes. Do not sum or average.';
comment on column detail.typical_changes.steady_drift_28_days is 'Slow trend in 28 days: the least of the median changes of 28 days in the three thirds of the history, 0 unless all have one sign; NULL with fewer than 60 such changes. Do not sum or average.';
comment on column detail.typical_changes.spread_28_days is 'Root of the mean square of the changes of 28 days less that trend: what a projection grows by. Do not sum or average.';
comment on column detail.typical_changes.sampled_share is 'Share of the last 56 whole days that have a figure: 1, or less where prompts are asked on some weekdays only. Do not sum or average.';
