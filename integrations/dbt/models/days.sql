-- One row per day: the time spine of the metrics.
select date as date_day from {{ source('answerlake', 'calendar') }}
