-- One row per value that the API changed or withdrew afterwards.
create view detail.restated_values as
with changed as (
  select *, unnest(json_keys(cast(coalesce(old, new) as json))) as column_name from meta.restatements
),
extracted as (
  select
    *,
    json_extract_string(key, '$.project_id') as project_id,
    json_extract_string(old, '$."' || column_name || '"') as old_value,
    json_extract_string(new, '$."' || column_name || '"') as new_value
  from changed
)
select
  e.project_id,
  p.name as project_name,
  e.table_name,
  e.column_name,
  e.change,
  json_extract_string(e.key, '$.grain') as grain,
  try_cast(coalesce(json_extract_string(e.key, '$.date'), json_extract_string(e.key, '$.window_start')) as date) as date,
  json_extract_string(e.key, '$.window_kind') as window_kind,
  json_extract_string(e.key, '$.scope') as scope,
  json_extract_string(e.key, '$.scope_id') as scope_id,
  e.key as row_key,
  e.old_value,
  e.new_value,
  try_cast(e.old_value as double) as old_number,
  try_cast(e.new_value as double) as new_number,
  try_cast(e.new_value as double) - try_cast(e.old_value as double) as change_number,
  coalesce(e.was_final, false) as was_final,
  e.run_id,
  e.changed_at
from extracted e
left join core.projects p on p.project_id = e.project_id
-- A value that was unknown before was not reported before; counters of prompts grow with every answer.
where e.old_value is not null
  and e.table_name <> 'prompt_snapshots'
  and not (
    e.table_name = 'prompts'
    and e.column_name in ('amount_of_responses', 'volume', 'average_visibility', 'difficulty', 'updated_at')
  );

comment on view detail.restated_values is 'What was reported before and what is reported now. One row per changed or vanished value; what was NULL before, and the running counters of prompts, are no restatement. Source: meta.restatements.';
