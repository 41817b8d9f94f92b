-- One row per project, and per period or part if asked for: a governed figure, its 95 % interval, n (what it is computed from), and the days behind it.
with days as (
  select {{project_id}} as project_id, {{project_name}} as project_name, {{part_id}} as part_id, {{part_name}} as part_name,
    {{first}} as first_day, {{last}} as last_day, date, is_final,
    {{numerator}} as numerator, {{denominator}} as denominator, {{spread}} as spread
  from main.{{view}}
  where date between {{from}} and {{to}}{{project}}
),
-- What every part repeats counts once a day, and on days without a row of the part, too.
wholes as (
  select project_id, first_day, sum(denominator) as whole
  from (select project_id, first_day, date, max(denominator) as denominator from days group by all)
  group by all
),
summed as (
  select project_id, any_value(project_name) as project_name, part_id, any_value(part_name) as part_name, first_day, last_day,
    sum(numerator) as numerator,
    case when {{is_repeated}} then any_value(whole) else sum(denominator) end as denominator,
    sum(spread) as spread,
    count(distinct date) filter (numerator is not null) as days_with_figure,
    count(distinct date) filter (numerator is not null and not is_final) as days_that_may_change
  from days
  join wholes using (project_id, first_day)
  group by project_id, part_id, first_day, last_day
),
valued as (
  select s.*,
    case {{kind}}
      when 'sum' then numerator
      when 'share' then 100.0 * numerator / nullif(denominator, 0)
      when 'net' then 100.0 * numerator / nullif(denominator, 0)
      else numerator / nullif(denominator, 0)
    end as value,
    case {{kind}}
      when 'share' then 100.0 * (numerator + 1.9208) / (denominator + 3.8416)
      when 'net' then 100.0 * numerator / (denominator + 3.84)
      else numerator / nullif(denominator, 0)
    end as middle,
    case {{kind}}
      when 'share' then 196.0 * sqrt(nullif(greatest(1.0 * numerator * (denominator - numerator) / nullif(denominator, 0), -0.9604) + 0.9604, 0)) / (denominator + 3.8416)
      when 'net' then 196.0 * sqrt(((spread + 2.56) / (denominator + 3.84) - power(1.0 * numerator / (denominator + 3.84), 2)) / (denominator + 3.84))
      -- The usual variation of a mean of that many days, as for effects of actions.
      when 'mean' then typical_change_7_days * power(3.5 / nullif(denominator, 0), 0.32)
    end as half
  from summed s
  left join detail.typical_changes t on t.project_id = s.project_id and t.measure = {{measure}} and part_id is null
)
select coalesce(project_label, project_name) as project_name{{names}},
  round(value, 4) as value,
  round(case when half is not null then greatest(middle - half, case when {{kind}} = 'net' then -100 else 0 end) end, 4) as low,
  round(case when half is not null then least(middle + half, 100) end, 4) as high,
  case when {{kind}} = 'sum' then days_with_figure else denominator end as n,
  days_with_figure,
  least(last_day, {{to}}) - greatest(first_day, {{from}}) + 1 as days_asked,
  days_that_may_change
from valued
left join detail.project_labels using (project_id)
where part_id is null or value is not null
order by 1, first_day, value desc nulls last, part_name
