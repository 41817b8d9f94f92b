-- One row per view of one's own that the newest publish left out.
select file || ':' || line as "where", coalesce(target, 'file') as "left out of", message from known_views order by file
