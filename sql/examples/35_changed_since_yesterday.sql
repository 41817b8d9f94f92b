-- Question: What changed since yesterday?
-- Words: what is new, today, overnight
-- Grain: one row per value that changed on the newest day on which anything changed
-- Key: table_name, row_key, column_name, changed_at
-- Columns: project_id, project_name, table_name, column_name, change, date, row_key, old_value, new_value,
--   change_number, was_final, changed_at
-- Caveat: values that were published before; what is new is not here. A copy of whole views takes what
--   answerlake export --changed writes, which names deleted files too.
with newest as (
  select date_trunc('day', max(changed_at)) as instant from main.restated_values
)
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
  r.was_final,
  r.changed_at
from main.restated_values r
join newest n on r.changed_at >= n.instant
order by r.project_name, r.date desc, r.table_name, r.column_name, r.row_key;
