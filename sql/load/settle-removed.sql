-- Settles what `search-removed` has found: it is no longer vanishing, and the days of what stays are settled for good.
delete from meta.vanishing where table_name = {{table_name}} and key in (select {{key_json}} from {{difference}} d);
update meta.asked_days a
set state = 'row', reason = 'kept', asked_on = {{today}}, whole_at = case when a.asked_on <= {{last_day}} then {{now}} else a.whole_at end
from {{difference}} d
where d.stays and a.endpoint = {{endpoint}} and a.project_id = d.project_id and a.date = d."old date";
delete from {{difference}} where stays;
