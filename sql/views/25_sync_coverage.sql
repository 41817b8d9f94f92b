-- One row per project, endpoint and period.
create view detail.sync_coverage as
select
  project_id,
  project_name,
  endpoint,
  grain,
  date,
  count(*) as series_expected_count,
  count(*) filter (where is_covered) as series_covered_count,
  count(*) filter (where is_settled) as series_settled_count,
  bool_and(is_covered) as is_covered,
  bool_and(is_settled) as is_settled,
  case
    when bool_and(is_covered) and bool_or(status = 'unconfirmed') then 'unconfirmed'
    when bool_and(is_settled) then 'settled'
    when bool_and(status = 'not_available') then 'not_available'
    when bool_and(is_covered) then 'covered'
    when bool_and(is_covered or status in ('known', 'not_available')) then 'known'
    when bool_or(is_covered) then 'partial'
    else 'missing'
  end as status,
  min(known_reason) as known_reason,
  min(known_first_on) as known_first_on,
  max(asked_on) as asked_on
from detail.sync_series_coverage
group by project_id, project_name, endpoint, grain, date;

comment on view detail.sync_coverage is 'Which days can be trusted. One row per project, endpoint, grain and period that the configuration asks for, up to the day before the newest run. Source: meta.expected_series and meta.asked_days.';
