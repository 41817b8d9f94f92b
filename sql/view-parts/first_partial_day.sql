-- First day that was not over when answered slices asked for it, or was not asked for: an answer about old days makes newer ones no whole ones. Of slices that all failed, their first day.
coalesce(
    max(least(sync_day, coalesce(covered_end, window_end) + 1)) filter (where status in ({{answered_statuses}})),
    min(window_start)
  )
