-- One row per key that a table of `meta` holds twice. Nothing else keeps keys unique: the tables have no index.
(select 'meta.runs' as place, concat_ws(' | ', run_id) as offender
 from meta.runs group by run_id having count(*) > 1 limit 5)
union all
(select 'meta.slices' as place, concat_ws(' | ', endpoint, project_id, scope, scope_id, grain, window_kind, window_start, if(window_kind is null, window_end, null)) as offender
 from meta.slices group by endpoint, project_id, scope, scope_id, grain, window_kind, window_start, if(window_kind is null, window_end, null) having count(*) > 1 limit 5)
union all
(select 'meta.drift' as place, concat_ws(' | ', endpoint, path, kind) as offender
 from meta.drift group by endpoint, path, kind having count(*) > 1 limit 5)
union all
(select 'meta.quotas' as place, concat_ws(' | ', base_url, organization_id) as offender
 from meta.quotas group by base_url, organization_id having count(*) > 1 limit 5)
union all
(select 'meta.vanishing' as place, concat_ws(' | ', table_name, key) as offender
 from meta.vanishing group by table_name, key having count(*) > 1 limit 5)
union all
(select 'meta.asked_days' as place, concat_ws(' | ', endpoint, project_id, scope, scope_id, grain, window_kind, date) as offender
 from meta.asked_days
 where hash(endpoint, project_id, scope, scope_id, grain, window_kind, date) in (
   select hash(endpoint, project_id, scope, scope_id, grain, window_kind, date) from meta.asked_days group by 1 having count(*) > 1)
 group by endpoint, project_id, scope, scope_id, grain, window_kind, date having count(*) > 1 limit 5)
union all
(select 'meta.alarms' as place, concat_ws(' | ', endpoint, project_id, scope, scope_id, grain, window_kind, reason) as offender
 from meta.alarms group by endpoint, project_id, scope, scope_id, grain, window_kind, reason having count(*) > 1 limit 5)
union all
(select 'meta.settings' as place, concat_ws(' | ', name) as offender
 from meta.settings group by name having count(*) > 1 limit 5)
union all
(select 'meta.expected_series' as place, concat_ws(' | ', endpoint, project_id, scope, scope_id, grain) as offender
 from meta.expected_series group by endpoint, project_id, scope, scope_id, grain having count(*) > 1 limit 5)
