-- One row per project, measure and day on which the level shifted. One empty row if there are none: a source must not be empty.
select t.* from (select 1) left join main.turning_points t on true order by t.project_id, t.date desc
