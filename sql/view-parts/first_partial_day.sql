-- First day of answered slices that was not over when it was asked, or was not asked: an answer about old days makes newer ones no whole ones.
max(case when status in ({{answered_statuses}}) then least(sync_day, coalesce(covered_end, window_end) + 1) else window_start end)
