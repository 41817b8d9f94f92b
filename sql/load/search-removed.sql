-- Makes {{difference}}: a row per stored row of {{table}} that two sync days lack and that a search of the whole range has not found on another day.
create or replace temp table {{difference}} as
select 0 as slice_no, 'delete' as action, {{key}}, {{old_and_new}}
from core.{{table}} t
join meta.vanishing v on v.table_name = {{table_name}} and v.change = 'gone' and v.key = {{key_json}}
join ({{asked_since}}) a on a.project_id = t.project_id
where v.witnesses >= 2 and a.asked_on >= v.witnessed_on
