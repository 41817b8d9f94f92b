-- One row per series endpoint and day of project $1 from $2 to $3: whether stored answers cover it, and may still change.
select endpoint, date, status, series_expected_count, series_covered_count
from main.sync_coverage
where project_id = $1 and grain = 'day' and date between cast($2 as date) and cast($3 as date)
order by endpoint, date;
