-- First day of answered slices that was not over when it was asked, or was not asked: an answer about old days makes newer ones no whole ones.
max(least(sync_day, coalesce(covered_end, window_end) + 1))
