-- One row per active prompt of today's list as of its newest day, most visible first, the 6 most and the 6 least visible: its visibility, and that of the snapshot before. Each prompt counts alike.
with newest as (
  select *
  from main.prompt_trend
  semi join main.prompt_catalog using (project_id, prompt_id)
  where {{project}}
  qualify row_number() over (partition by project_id, prompt_id order by date desc) = 1
),
named as (
  -- Prompts of the same words are told apart by their monitor.
  select
    *,
    concat(
      coalesce(prompt, prompt_id),
      case when count(*) over (partition by project_id, coalesce(prompt, prompt_id)) > 1 then ' · ' || coalesce(monitor_name, monitor_id, prompt_id) end
    ) as label,
    row_number() over (partition by project_id order by average_visibility desc, responses_count desc, prompt_id) as place,
    count(*) over (partition by project_id) as prompts_count
  from newest
  where coalesce(is_active, true) and average_visibility is not null
)
select
  project_id, date as window_start, date as window_end, label, place > 6 as is_worst, false as is_own,
  average_visibility as value, previous_average_visibility as previous
from named
where place <= 6 or place > prompts_count - 6
order by project_id, place;
