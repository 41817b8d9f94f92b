-- Question: Which figures of last month changed after the month was over, that is since a report on its first day?
-- Grain: one row per project, table, column, day or month and time of change
-- Key: table_name, row_key, column_name, changed_at
-- Columns: project_id, project_name, table_name, column_name, change, date, row_key, old_value,
--   new_value, change_number, changed_at
-- Caveat: only figures whose day was already final, so that the report did not have to expect the change. What was NULL
--   came late and is no restatement. Whole projects only; models, monitors and rolling windows are in detail.restated_values.
select
  r.project_id,
  r.project_name,
  r.table_name,
  r.column_name,
  r.change,
  r.date,
  r.row_key,
  r.old_value,
  r.new_value,
  r.change_number,
  r.changed_at
from main.restated_values r
cross join main.sync_settings s
where r.was_final
  and r.date >= cast(date_trunc('month', s.sync_day) - interval 1 month as date)
  and r.date < cast(date_trunc('month', s.sync_day) as date)
  and r.changed_at >= date_trunc('month', s.sync_day)
order by r.project_name, r.table_name, r.date, r.column_name, r.changed_at;
