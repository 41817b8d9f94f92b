-- Question: What changed since yesterday?
-- Grain: one row per project and day that is new, changed or gone since the last day on which anything changed
-- Key: project_id, date, what
-- Columns: project_id, project_name, date, what, changed_at, visibility, visibility_before, share_of_voice_pct,
--   sentiment, is_final
-- Caveat: a copy that keeps daily_kpis takes the rows with a changed_at after its own newest one and removes what
--   deleted_rows names; put that instant for the subselect. visibility_before: the figure that was published before; NULL
--   when visibility is not what changed.
with since as (
  select date_trunc('day', max(changed_at)) as instant from main.daily_kpis
),
restated as (
  select r.project_id, r.date, min_by(r.old_number, r.changed_at) as visibility_before
  from main.restated_values r
  join since s on r.changed_at >= s.instant
  where r.table_name = 'visibility' and r.column_name = 'visibility'
  group by r.project_id, r.date
)
select
  k.project_id,
  k.project_name,
  k.date,
  'new or changed' as what,
  k.changed_at,
  k.visibility,
  r.visibility_before,
  k.share_of_voice_pct,
  k.sentiment,
  k.is_final
from main.daily_kpis k
join since s on k.changed_at >= s.instant
left join restated r on r.project_id = k.project_id and r.date = k.date
union all
select d.project_id, p.project_name, d.date, 'gone', d.deleted_at, null, null, null, null, null
from main.deleted_rows d
join since s on d.deleted_at >= s.instant
left join main.projects p on p.project_id = d.project_id
where d.schema_name = 'main' and d.view_name = 'daily_kpis'
order by changed_at desc, project_name, date desc, what;
