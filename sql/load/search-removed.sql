-- Makes {{difference}}: a row per stored row of {{table}} that two sync days lack and that a search of the whole range has not found on another day.
-- `stays`: it lies before all that the search found.
create or replace temp table {{difference}} as
select 0 as slice_no, 'delete' as action, {{key}}, {{old_and_new}}, coalesce(t.date < f.first_row, true) as stays
from core.{{table}} t
join meta.vanishing v on v.table_name = {{table_name}} and v.change = 'gone' and v.key = {{key_json}}
join ({{asked_since}}) a on a.project_id = t.project_id
left join (
  select t.project_id, min(t.date) as first_row
  from core.{{table}} t
  where not exists (from meta.vanishing v where v.table_name = {{table_name}} and v.key = {{key_json}})
    and not exists (
      from meta.asked_days k
      where k.endpoint = {{endpoint}} and k.project_id = t.project_id and k.date = t.date and k.reason = 'kept'
    )
  group by 1
) f on f.project_id = t.project_id
where v.witnesses >= 2 and a.asked_on >= v.witnessed_on
