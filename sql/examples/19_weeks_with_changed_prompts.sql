-- Question: Did share of voice move because the set of prompts changed?
-- Words: share of voice by week, weekly
-- Grain: one row per project and ISO week, whole weeks only
-- Key: project_id, week_start
-- Columns: project_id, project_name, week_start, days_with_data, prompts_created, prompts_deleted, responses,
--   responses_change, share_of_voice_pct, share_of_voice_change_points, is_final
-- Caveat: share of voice is asked of organic prompts alone; created and deleted prompts are of any type. A jump in
--   responses beside new prompts says that two weeks did not ask the same questions; it is NULL unless both
--   weeks have seven days of data.
with weeks as (
  select
    k.project_id,
    k.project_name,
    c.week_start,
    count(*) as days_count,
    count(k.organic_responses) as days_with_data,
    sum(k.prompts_created) as prompts_created,
    sum(k.prompts_deleted) as prompts_deleted,
    sum(k.organic_responses) as responses,
    100.0 * sum(k.organic_brand_mentions)
      / nullif(sum(k.organic_responses) filter (where k.organic_brand_mentions is not null), 0) as share_of_voice_pct,
    bool_and(k.is_final) as is_final
  from main.daily_kpis k
  join main.calendar c on c.date = k.date
  group by k.project_id, k.project_name, c.week_start
)
select
  project_id,
  project_name,
  week_start,
  days_with_data,
  cast(prompts_created as bigint) as prompts_created,
  cast(prompts_deleted as bigint) as prompts_deleted,
  cast(responses as bigint) as responses,
  case when days_with_data = 7 and lag(days_with_data) over project = 7
    then cast(responses - lag(responses) over project as bigint) end as responses_change,
  share_of_voice_pct,
  share_of_voice_pct - lag(share_of_voice_pct) over project as share_of_voice_change_points,
  is_final
from weeks
where days_count = 7
window project as (partition by project_id order by week_start)
order by project_name, week_start;
