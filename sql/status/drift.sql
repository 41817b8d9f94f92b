-- One row per difference from the described interface.
select * from meta.drift order by endpoint, path, kind
