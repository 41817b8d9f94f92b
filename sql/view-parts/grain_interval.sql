-- Length of a period of the series `e`.
case e.grain
            when 'day' then interval '1 day'
            when 'week' then interval '7 days'
            else interval '1 month'
          end
