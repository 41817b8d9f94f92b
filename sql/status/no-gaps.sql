-- One row: what to say where there is no gap. Without expected days, no gap can be known.
select
  case
    when is_known
      then 'No gaps' || coalesce(' before ' || (select clock_day from main.sync_settings), '') || ': every expected day is covered.'
    else 'Gaps are not known: no sync has got as far as planning its days.'
  end as text,
  is_known
from (
  select
    exists (from meta.expected_series where start_date is not null) or exists (from meta.slices where window_kind is not null)
    -- Lists have no days.
    or (
      exists (from meta.expected_series)
      and not exists (from meta.expected_series join meta.tables using (endpoint) where shape in ('series', 'window'))
    ) as is_known
)
