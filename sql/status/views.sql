-- One row per view of one's own that the newest publish left out.
select file, line, message
from (
  select unnest(from_json(value, '[{"file": "VARCHAR", "line": "BIGINT", "message": "VARCHAR"}]'), recursive := true)
  from meta.settings where name = 'published_own_views_left_out'
)
order by file
