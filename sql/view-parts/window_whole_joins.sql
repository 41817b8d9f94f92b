-- What tells whole windows `v` of the endpoint {{series}}: `x` is the window itself, `w` the project, for a window that the ledger does not know.
-- An answer that failed took the place of the one before it in the ledger: nobody knows of what day the rows are.
cross join main.sync_settings s
left join main.project_sync_days w on w.project_id = v.project_id
left join (
  select project_id, window_kind, window_start, max(case when status in ({{answered_statuses}}) then sync_day else window_start end) as sync_day
  from meta.slices
  where endpoint = '{{series}}' and window_kind is not null and scope = 'project'
  group by project_id, window_kind, window_start
) x
  on x.project_id = v.project_id and x.window_kind = v.window_kind and x.window_start = v.window_start
