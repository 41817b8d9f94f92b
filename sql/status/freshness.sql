-- One row per project and endpoint: how old its newest answer is.
select * from known_freshness where {{chosen}} order by project_id, endpoint
