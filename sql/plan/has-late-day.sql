-- Condition on a closed window x: a day of its project's series came after it was asked, so it lacks the figures of that day.
exists (
  from meta.asked_days d join temp.asked_today t on t.series = d.endpoint
  where t.endpoint = x.endpoint and d.project_id = x.project_id and d.scope = 'project' and d.grain = 'day'
    and d.date between x.date and x.last_day and d.state = 'row' and d.first_on > x.asked_on and d.first_on > x.first_on
)
