-- Names of what the filter of a series `v` stands for; names may be missing.
left join core.projects p on p.project_id = v.project_id
left join core.models m on v.scope = 'model' and m.model_id = v.scope_id
left join core.monitors n on v.scope = 'monitor' and n.project_id = v.project_id and n.monitor_id = v.scope_id
left join core.prompts q on v.scope = 'prompt' and q.project_id = v.project_id and q.prompt_id = v.scope_id
