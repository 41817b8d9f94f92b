-- One row per dated event. One row of nothing when there is none: a source may not be empty.
select e.project_id, e.date, e.type, e.title
from (select 1)
left join main.event_annotations e on true
order by e.project_id, e.date desc, e.title
