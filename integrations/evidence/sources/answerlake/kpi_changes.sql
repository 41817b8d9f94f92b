-- One row per project, measure and length of window. One empty row if there are none: a source must not be empty.
select c.*, case when c.is_clear then c.change end as clear_change
from (select 1)
left join main.kpi_changes c on true
order by c.project_id, c.measure, c.window_days
