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
{{ comments("sync_coverage", "project_id, project_name, endpoint, grain = grain_of_coverage, date = period") }}
comment on column detail.sync_coverage.series_expected_count is 'Series (scopes) that the configuration asks for.';
comment on column detail.sync_coverage.series_covered_count is 'Series that a stored answer covers.';
comment on column detail.sync_coverage.series_settled_count is 'Series that were asked again after the look-back window.';
comment on column detail.sync_coverage.is_covered is 'True when all of them are covered.';
comment on column detail.sync_coverage.is_settled is 'True when all of them are settled: nothing is expected to change.';
comment on column detail.sync_coverage.status is 'settled, covered, unconfirmed, not_available, known (what is missing has been wrong for three sync days), partial or missing.';
comment on column detail.sync_coverage.known_reason is 'Why a series is not covered, where that is known: a reason of meta.alarms; else NULL.';
comment on column detail.sync_coverage.known_first_on is 'First sync day (UTC) on which that was seen; else NULL.';
{{ comments("sync_coverage", "asked_on") }}
