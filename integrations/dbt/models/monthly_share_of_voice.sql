-- One row per project and month: share of voice from the counts of its whole days, never from averaging them.
select
  k.project_id,
  c.month_start,
  cast(sum(k.brand_mentions) as bigint) as brand_mentions,
  cast(sum(k.total_responses) as bigint) as total_responses,
  100.0 * sum(k.brand_mentions)
    / nullif(sum(k.total_responses) filter (where k.brand_mentions is not null), 0) as share_of_voice_pct,
  count(k.total_responses) as days_with_data,
  count(*) = day(last_day(c.month_start)) as is_whole_month,
  bool_and(k.is_final) as is_final
from {{ source('answerlake', 'daily_kpis') }} k
join {{ source('answerlake', 'calendar') }} c on c.date = k.date
where k.is_whole_day
group by k.project_id, c.month_start
