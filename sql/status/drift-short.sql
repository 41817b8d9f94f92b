-- One row per difference from the described interface, the last seen first.
select endpoint, path, kind, sample, cast(last_seen as date) as last_seen
from meta.drift
order by last_seen desc, endpoint, path
limit 10
