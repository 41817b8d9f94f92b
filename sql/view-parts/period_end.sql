-- Last day of the period of a series `v`.
case v.grain
      when 'week' then v.date + 6
      when 'month' then cast(v.date + interval '1 month' - interval '1 day' as date)
      else v.date
    end
