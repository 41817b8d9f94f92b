-- Question: When did a competitor overtake us, and when did we overtake one?
-- Grain: one row per project, competitor and week in which the lead changed
-- Key: project_id, competitor_brand_id, week_start
-- Columns: project_id, project_name, competitor_brand_id, competitor_name, week_start, new_leader, own_mentions,
--   competitor_mentions, lead, lead_before
-- Caveat: by mentions of whole final weeks, which add up over days. A lead counts only beyond twice the joint error of the
--   two counts (the root of their sum), and only with seven days of data for both brands; the lead before is that of the
--   last week with one, perhaps some weeks earlier.
with own as (
  select project_id, date, max(mention_count) as mentions from main.brand_mention_share where is_own_brand group by project_id, date
),
weeks as (
  select
    g.project_id,
    g.project_name,
    g.competitor_brand_id,
    g.competitor_name,
    c.week_start,
    sum(o.mentions) as own_mentions,
    sum(g.competitor_mention_count) as competitor_mentions
  from main.competitor_gap g
  join main.calendar c on c.date = g.date
  left join own o on o.project_id = g.project_id and o.date = g.date
  where g.is_final
  group by g.project_id, g.project_name, g.competitor_brand_id, g.competitor_name, c.week_start
  having count(o.mentions) = 7 and count(g.competitor_mention_count) = 7
),
led as (
  select
    *,
    own_mentions - competitor_mentions as lead,
    lag(own_mentions - competitor_mentions) over (
      partition by project_id, competitor_brand_id order by week_start
    ) as lead_before
  from weeks
  where abs(own_mentions - competitor_mentions) > 2 * sqrt(own_mentions + competitor_mentions)
)
select
  project_id,
  project_name,
  competitor_brand_id,
  competitor_name,
  week_start,
  case when lead > 0 then 'own brand' else 'competitor' end as new_leader,
  cast(own_mentions as bigint) as own_mentions,
  cast(competitor_mentions as bigint) as competitor_mentions,
  cast(lead as bigint) as lead,
  cast(lead_before as bigint) as lead_before
from led
where sign(lead) <> sign(lead_before)
order by project_name, week_start desc, competitor_name, competitor_brand_id;
