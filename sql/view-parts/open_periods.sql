-- Periods that every answer came too early for, by their last day: before they were over (is_partial), or before they were older than the look-back.
-- One row per series, which is {{keys}} of the slices with {{only}}, and day. A newer answer about other periods makes them neither whole nor final.
-- The ledger has a row for each series and night, a million in a year of 80 projects: days are bits of one number for 60 days, and nothing is sorted.
(
  with asked as (
    select
      z.endpoint,
      z.project_id,
      z.scope,
      z.scope_id,
      coalesce(z.grain, 'day') as grain,
      z.status in ({{answered_statuses}}) as is_answered,
      z.window_start - {{day_one}} as first_day,
      {{period_end_asked}} - {{day_one}} as last_day,
      least(z.sync_day - 1, coalesce(z.covered_end, z.window_end)) - {{day_one}} as over_day,
      least(z.sync_day - greatest(s.lookback_days, 1), coalesce(z.covered_end, z.window_end)) - {{day_one}} as final_day
    from meta.slices z
    cross join main.sync_settings s
    where z.window_kind is null and z.window_start is not null and {{only}}
  ),
  blocks as (
    select
      {{keys}},
      is_answered,
      first_day,
      last_day,
      over_day,
      final_day,
      unnest(range(first_day - first_day % 60, last_day + 1, 60)) as block
    from asked
  ),
  -- Bits of the days before the first one, and of those up to each end.
  bits as (
    select
      {{keys}},
      is_answered,
      -- for bits|days in before_days|first_day - block, asked_days|last_day + 1 - block, over_days|over_day + 1 - block, final_days|final_day + 1 - block
      (cast(1 as bigint) << greatest(least({{days}}, 60), 0)) - 1 as {{bits}},
      -- end for
      block
    from blocks
  ),
  told as (
    select
      {{keys}},
      block,
      coalesce(bit_or(asked_days & ~before_days) filter (where is_answered), 0) as answered,
      coalesce(bit_or(over_days & ~before_days) filter (where is_answered), 0) as whole,
      coalesce(bit_or(final_days & ~before_days) filter (where is_answered), 0) as settled,
      coalesce(bit_or(asked_days & ~before_days & ~over_days) filter (where not is_answered), 0) as failed_partial,
      coalesce(bit_or(asked_days & ~before_days & ~final_days) filter (where not is_answered), 0) as failed_old
    from bits
    group by {{keys}}, block
  ),
  early as (
    select
      {{keys}},
      block,
      answered & ~whole as partial_answered,
      (answered | failed_partial) & ~whole as partial,
      answered & ~settled & old_days as old_answered,
      (answered | failed_old) & ~settled & old_days as old
    from (
      select
        told.*,
        (cast(1 as bigint) << greatest(least(s.sync_day - s.lookback_days - {{day_one}} + 1 - block, 60), 0)) - 1 as old_days
      from told
      cross join main.sync_settings s
    ) told
  )
  select
    {{keys}},
    {{day_one}} + cast(block + bit as integer) as date,
    (partial >> bit) & 1 = 1 as is_partial,
    ((partial_answered | old_answered) >> bit) & 1 = 1 as is_answered,
    (partial_answered >> bit) & 1 = 1 as is_partial_answer
  from early
  cross join (select unnest(range(0, 60, 1)) as bit) bits
  where ((partial | old) >> bit) & 1 = 1
)
