-- One row per period ($4: day or week) that touches $2 to $3 of project $1: responses by sentiment of its days up to $3.
select
  cast(date_trunc($4, d.date) as date) as date,
  count(*) as days_count,
  count(s.total_count) as days_with_data,
  bool_and(d.is_final) as is_final,
  cast(sum(s.positive_count) as double) as positive,
  cast(sum(s.neutral_count) as double) as neutral,
  cast(sum(s.negative_count) as double) as negative,
  cast(sum(s.unknown_count) as double) as unknown
from main.project_days d
left join main.sentiment_split s on s.project_id = d.project_id and s.date = d.date
where d.project_id = $1
  and d.date between cast(date_trunc($4, cast($2 as date)) as date) and cast($3 as date)
group by all
order by 1;
