-- One row per project and month: share of voice from the counts of its whole days, never from averaging them.
select
  k.project_id,
  c.month_start,
  cast(sum(k.organic_brand_mentions) as bigint) as organic_brand_mentions,
  cast(sum(k.organic_responses) as bigint) as organic_responses,
  100.0 * sum(k.organic_brand_mentions)
    / nullif(sum(k.organic_responses) filter (where k.organic_brand_mentions is not null), 0) as share_of_voice_pct,
  count(k.organic_responses) as days_with_data,
  count(*) = day(last_day(c.month_start)) as is_whole_month,
  bool_and(k.is_final) as is_final
from {{ source('answerlake', 'daily_kpis') }} k
join {{ source('answerlake', 'calendar') }} c on c.date = k.date
group by k.project_id, c.month_start
