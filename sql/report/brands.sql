-- One row per brand of project $1: mentions and share over the 28 days that end on $2, and over the 28 days before.
with counted as (
  select
    brand_id,
    any_value(brand_name) as brand_name,
    any_value(relation) as relation,
    bool_or(is_own_brand) as is_own_brand,
    sum(mention_count) filter (where date > cast($2 as date) - 28) as mentions,
    sum(mention_count) filter (where date <= cast($2 as date) - 28) as previous_mentions
  from main.brand_mention_share
  where project_id = $1 and grain = 'day' and date > cast($2 as date) - 56 and date <= cast($2 as date)
  group by brand_id
)
select
  brand_id,
  brand_name,
  relation,
  coalesce(is_own_brand, false) as is_own_brand,
  cast(mentions as double) as mentions,
  cast(100.0 * mentions / nullif(sum(mentions) over (), 0) as double) as share_pct,
  cast(100.0 * previous_mentions / nullif(sum(previous_mentions) over (), 0) as double) as previous_share_pct
from counted
order by mentions desc nulls last, brand_id;
