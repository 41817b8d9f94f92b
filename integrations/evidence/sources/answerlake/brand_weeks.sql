-- One row per project, brand and whole week. One empty row if there are none: a source must not be empty.
select
  b.project_id,
  c.week_start as date,
  b.brand_name,
  b.is_own_brand,
  100.0 * sum(b.mention_count) / nullif(sum(t.all_mentions), 0) as mention_share_pct
from (select 1)
left join main.brand_mention_share b on b.brand_name is not null
left join (select project_id, date, sum(mention_count) as all_mentions from main.brand_mention_share group by project_id, date) t
  on t.project_id = b.project_id and t.date = b.date
left join main.calendar c on c.date = b.date
group by b.project_id, c.week_start, b.brand_name, b.is_own_brand
having b.project_id is null or count(distinct b.date) = 7
order by b.project_id, date, b.brand_name
