-- The filter of a series `v` for people; needs the part scope_joins.
case v.scope
    when 'project' then p.name
    when 'model' then m.label
    when 'monitor' then n.name
    when 'prompt' then q.prompt
    else v.scope_id
  end
