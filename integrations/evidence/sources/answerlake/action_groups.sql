-- One row per burst of completed actions. One row of nothing when there is none: a source may not be empty.
select g.* from (select 1) left join main.action_group_impact g on g.is_final order by g.project_id, g.last_date desc
