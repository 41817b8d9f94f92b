-- One row per view of one's own that the newest publish left out; target: what keeps its last rows.
select file, line, message, target from known_views order by file
