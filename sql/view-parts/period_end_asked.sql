-- Last day of the period that holds the last day that the slice `z` covers.
case z.grain
        when 'week' then cast(date_trunc('week', coalesce(z.covered_end, z.window_end)) as date) + 6
        when 'month' then cast(date_trunc('month', coalesce(z.covered_end, z.window_end)) + interval '1 month' - interval '1 day' as date)
        else coalesce(z.covered_end, z.window_end)
      end
