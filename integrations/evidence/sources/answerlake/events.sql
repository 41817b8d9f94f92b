-- One row per dated event. One empty row if there are none: a source must not be empty.
select e.project_id, e.date, e.type, e.title
from (select 1)
left join main.event_annotations e on true
order by e.project_id, e.date desc, e.title
