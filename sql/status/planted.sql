-- One row per project and first day of an action, or of a burst of actions: what the simulator planted, and how many actions were judged.
create temp table planted_bursts as
with planted as (
  select unnest(from_json({{planted}}, '[{"action": "VARCHAR", "size": "VARCHAR"}]'), recursive := true)
)
select
  b.project_name,
  b.first_date,
  ['nothing', 'small', 'large'][max(list_position(['nothing', 'small', 'large'], coalesce(p.size, 'nothing')))] as planted,
  count(*) filter (b.is_final and b.visibility_effect is not null) as judged,
  count(*) filter (b.is_final and b.visibility_effect is not null and p.size = 'large') as found
from main.action_group_impact b
join detail.api_events a on a.project_id = b.project_id and a.type = 'action' and a.date between b.first_date and b.last_date
left join planted p on p.action = concat_ws(' ', b.project_name, a.date, a.title)
group by all
