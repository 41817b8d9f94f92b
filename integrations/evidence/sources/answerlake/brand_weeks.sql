-- One row per project, brand and whole week. One empty row if there are none: a source must not be empty.
select b.project_id, b.date, b.brand_name, b.is_own_brand, b.mention_share_pct
from (select 1)
left join main.brand_mention_share b on b.grain = 'week' and b.scope = 'project' and b.is_whole_day and b.brand_name is not null
order by b.project_id, b.date, b.brand_name
