-- One row per series or window of a project itself, without a filter, that ever had a row.
select distinct endpoint, project_id from meta.asked_days where scope = 'project' and state = 'row'
