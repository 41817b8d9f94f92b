-- One row per burst of completed actions. One empty row if there are none: a source must not be empty.
select g.* from (select 1) left join main.action_group_impact g on g.is_final order by g.project_id, g.last_date desc
