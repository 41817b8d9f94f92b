-- One row per row that an answer lacks for the first time.
select * from meta.vanishing where {{chosen}} order by table_name, project_id, key
