-- What tells whole and final days of `v`.
cross join main.sync_settings s
left join main.project_sync_days w on w.project_id = v.project_id
