-- Condition on a day x: a filter's day needs no second question where its project has none.
(
  x.scope = 'project' or exists (
    from meta.asked_days p
    where p.endpoint = x.endpoint and p.project_id = x.project_id and p.scope = 'project' and p.date = x.date and p.state = 'row'
      and p.grain is not distinct from x.grain and p.window_kind is not distinct from x.window_kind
  )
)
