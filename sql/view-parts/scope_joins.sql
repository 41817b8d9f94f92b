-- Names of what the filter of a series `v` stands for; names may be missing. Equality alone: a condition on the scope beside it made nested loops of them.
left join core.projects p on p.project_id = v.project_id
left join core.models m on m.model_id = case when v.scope = 'model' then v.scope_id end
left join core.monitors n
  on n.project_id = v.project_id and n.monitor_id = case when v.scope = 'monitor' then v.scope_id end
left join core.prompts q
  on q.project_id = v.project_id and q.prompt_id = case when v.scope = 'prompt' then v.scope_id end
