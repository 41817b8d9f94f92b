-- One row per project and month whose summary is not the sum of its days, but differs by exactly one end day.
with days as (
  select
    project_id,
    date,
    coalesce(positive, 0) + coalesce(negative, 0) + coalesce(neutral, 0) + coalesce(unknown, 0) as responses
  from core.response_sentiment
  where grain = 'day' and scope = 'project'
),
months as (
  select
    m.project_id,
    m.window_start,
    m.total_responses,
    (select sum(d.responses) from days d
     where d.project_id = m.project_id and d.date between m.window_start and m.window_end) as summed,
    (select any_value(d.responses) from days d where d.project_id = m.project_id and d.date = m.window_end) as last_day,
    (select any_value(d.responses) from days d where d.project_id = m.project_id and d.date = m.window_end + 1) as next_day,
    (select min(d.date) from days d where d.project_id = m.project_id) as first_date
  from core.response_summary m
  where m.window_kind = 'month' and m.scope = 'project' and m.window_end = last_day(m.window_start)
)
select
  'the summary of ' || strftime(window_start, '%Y-%m') || ' of project ' || project_id || ' has '
  || cast(total_responses as bigint) || ' responses, and its days have ' || cast(summed as bigint)
  || case
    when total_responses < summed then ': its last day seems to be left out'
    else ': the day after it seems to be counted'
  end
  || ' (meta.limits.end_inclusive says what is believed of endDate)' as doubt
from months
where first_date <= window_start
  and ((last_day > 0 and total_responses = summed - last_day) or (next_day > 0 and total_responses = summed + next_day))
order by project_id, window_start;
