-- One row per project, measure and length of window. One row of nothing when there is none: a source may not be empty.
select c.*, case when c.is_clear then c.change end as clear_change
from (select 1)
left join main.kpi_changes c on true
order by c.project_id, c.measure, c.window_days
