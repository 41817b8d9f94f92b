-- Condition on a closed window, week or month x: a day of its series came after it was asked, so it lacks the figures of that day.
exists (
  from meta.asked_days d
  where {{of_series}} and d.project_id = x.project_id and d.grain = 'day' and d.date between x.date and x.last_day
    and d.state = 'row' and d.first_on > x.asked_on and d.first_on > x.first_on
)
