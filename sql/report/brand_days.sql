-- One row per day from $2 to $3 and brand of project $1: share in all mentions of the 7 days that end on the day, where at least 4 have a value.
with days as (
  select date, is_final
  from main.project_days
  where project_id = $1 and date between cast($2 as date) - 6 and cast($3 as date)
),
listed as (
  select date, brand_id, mention_count, all_mention_count
  from main.brand_mention_share
  where project_id = $1 and grain = 'day' and date between cast($2 as date) - 6 and cast($3 as date)
),
shares as (
  select
    d.date,
    d.is_final,
    b.brand_id,
    case
      when count(l.mention_count) over seven >= 4
        then cast(100.0 * sum(l.mention_count) over seven / nullif(sum(l.all_mention_count) over seven, 0) as double)
    end as share_7_day_pct
  from days d
  cross join (select distinct brand_id from listed) b
  left join listed l on l.date = d.date and l.brand_id = b.brand_id
  window seven as (partition by b.brand_id order by d.date range between interval 6 days preceding and current row)
)
select * from shares where date >= cast($2 as date) order by brand_id, date;
