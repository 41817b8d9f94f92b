-- Makes known_views: a row per view of one's own that the newest publish left out, of the file or of a target.
create temp table known_views as
select unnest(
  from_json({{views}}, '[{"file": "VARCHAR", "line": "BIGINT", "message": "VARCHAR", "target": "VARCHAR"}]'),
  recursive := true
)
