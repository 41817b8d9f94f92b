-- Kinds of event in a group of events.
concat_ws(
      ', ',
      case when bool_or(type = 'action') then 'action' end,
      case when bool_or(type = 'prompts_created') then 'prompts_created' end,
      case when bool_or(type = 'prompts_deleted') then 'prompts_deleted' end
    )
