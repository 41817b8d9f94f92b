-- The same for rows of a project alone.
cross join main.sync_settings s
left join main.project_sync_days w on w.project_id = v.project_id
