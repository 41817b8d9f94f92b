-- First day of the window before the window `v`.
case v.window_kind
      when 'month' then cast(v.window_start - interval '1 month' as date)
      when 'last_7_days' then v.window_start - 7
      when 'last_28_days' then v.window_start - 28
      when 'last_90_days' then v.window_start - 90
      else v.window_start - 1
    end
