-- One row per series and reason that it is known to be wrong.
select * from meta.alarms where {{chosen}} order by project_id, endpoint, scope, scope_id, reason
