-- One row per project and closed month whose total is not the sum of its days: it lacks the last day, or has the day after.
with days as (
  select
    'response_summary' as endpoint,
    project_id,
    date,
    coalesce(positive, 0) + coalesce(negative, 0) + coalesce(neutral, 0) + coalesce(unknown, 0) as responses
  from core.response_sentiment
  where grain = 'day' and scope = 'project'
  union all
  select 'share_of_voice_comparison', project_id, date, total_responses
  from core.share_of_voice
  where grain = 'day' and scope = 'project'
),
months as (
  select 'response_summary' as endpoint, project_id, window_start, window_end, total_responses
  from core.response_summary
  where window_kind = 'month' and scope = 'project' and window_end = last_day(window_start)
  union all
  select 'share_of_voice_comparison', project_id, window_start, window_end, current_total_responses
  from core.share_of_voice_comparison
  where window_kind = 'month' and scope = 'project' and window_end = last_day(window_start)
),
summed as (
  select
    m.endpoint,
    m.project_id,
    m.window_start,
    any_value(m.total_responses) as total,
    sum(d.responses) filter (where d.date <= m.window_end) as summed,
    any_value(d.responses) filter (where d.date = m.window_end) as last_day,
    any_value(d.responses) filter (where d.date > m.window_end) as next_day
  from months m
  join days d on d.endpoint = m.endpoint and d.project_id = m.project_id and d.date between m.window_start and m.window_end + 1
  group by m.endpoint, m.project_id, m.window_start
)
select
  endpoint,
  project_id,
  strftime(window_start, '%Y-%m') as month,
  cast(total as bigint) as total,
  cast(summed as bigint) as summed,
  total < summed as lacks_last_day
from summed s
where
  ((last_day > 0 and total = summed - last_day) or (next_day > 0 and total = summed + next_day))
  and window_start >= (select try_cast(value as date) from meta.settings where name = 'start_date')
  -- Only of answers that were asked for with today's settings; on the first day after a month, its total may still lack its last hours.
  and exists (
    from meta.slices x
    where
      x.endpoint = s.endpoint and x.project_id = s.project_id and x.window_kind = 'month'
      and x.window_start = s.window_start and x.status = 'loaded'
      and x.sync_day > last_day(x.window_start) + if((select try_cast(value as integer) from meta.settings where name = 'lookback_days') > 1, 1, 0)
  )
  -- A server that counts the end of one month, and of today's question, counts it of this month too: answers that were hidden since equal a day by chance.
  and not exists (
    from summed p
    join days d on d.endpoint = p.endpoint and d.project_id = p.project_id
    where
      p.endpoint = s.endpoint and p.project_id = s.project_id and p.window_start = s.window_start - interval 1 month
      and p.total = p.summed and p.last_day > 0 and s.total < s.summed
      and d.date = (select max(x.sync_day) from meta.slices x)
  )
order by endpoint, project_id, month
