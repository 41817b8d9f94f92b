-- One row per event: for annotation layers.
create view detail.api_events as
select
  e.project_id,
  p.name as project_name,
  e.event_id,
  e.occurred_at as "time",
  e.date,
  case
    when e.type = 'action' then coalesce(e.action_title, e.action_type, 'Action completed')
    else concat(
      coalesce(cast(e.prompt_count as varchar), 'some'),
      case when e.prompt_count = 1 then ' prompt ' else ' prompts ' end,
      case when e.type = 'prompts_created' then 'created' else 'deleted' end,
      coalesce(' in ' || coalesce(m.name, e.monitor_name), '')
    )
  end as title,
  concat(
    case e.type
      when 'action' then 'Completed action'
      when 'prompts_created' then 'Prompts created'
      else 'Prompts deleted'
    end,
    coalesce(' of type ' || e.action_type, ''),
    ' in project ',
    coalesce(p.name, e.project_id)
  ) as text,
  concat_ws(',', e.type, e.action_type) as tags,
  e.type,
  e.action_id,
  e.action_type,
  e.monitor_id,
  coalesce(m.name, e.monitor_name) as monitor_name,
  e.prompt_count
from core.events e
left join core.projects p on p.project_id = e.project_id
left join core.monitors m on m.project_id = e.project_id and m.monitor_id = e.monitor_id;

comment on view detail.api_events is 'Dated events of the API. One row per event. Source: GET v2 events.';
