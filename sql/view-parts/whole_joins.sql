-- What tells whole and final days of `v`, a series of the endpoint {{series}}: `x` is the series itself, `w` the project, for a series that the ledger does not know; `early` has what was asked for too early.
cross join main.sync_settings s
left join main.project_sync_days w on w.project_id = v.project_id
left join (
  select project_id, scope, scope_id, grain, {{first_partial_day}} as sync_day
  from meta.slices
  where endpoint = '{{series}}' and window_kind is null
  group by project_id, scope, scope_id, grain
) x
  on x.project_id = v.project_id and x.scope = v.scope and x.scope_id = v.scope_id and x.grain = v.grain
left join {{open_periods keys=series_keys only=of_series}} early
  on early.project_id = v.project_id and early.scope = v.scope and early.scope_id = v.scope_id and early.grain = v.grain
  and early.date = {{period_end}}
