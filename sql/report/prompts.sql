-- One row per active prompt as of its newest day, most visible first, at most 12: its visibility, and that of the snapshot before.
with newest as (
  select *
  from main.prompt_trend
  where {{project}}
  qualify row_number() over (partition by project_id, prompt_id order by date desc) = 1
)
select
  project_id, date as window_start, date as window_end, coalesce(prompt, prompt_id) as label, false as is_own,
  average_visibility as value, previous_average_visibility as previous, cast(responses_count as double) as share
from newest
where coalesce(is_active, true) and average_visibility is not null
qualify row_number() over (partition by project_id order by average_visibility desc, responses_count desc, prompt_id) <= 12
order by project_id, average_visibility desc, responses_count desc, prompt_id;
