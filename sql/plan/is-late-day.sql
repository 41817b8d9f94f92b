-- Condition on a closed window, week or month x and a day d of its series: d came after x was asked, so x lacks the figures of that day.
{{of_series}} and d.project_id = x.project_id and d.grain = 'day' and d.date between x.date and x.last_day
and d.state = 'row' and d.first_on > x.asked_on and d.first_on > x.first_on
