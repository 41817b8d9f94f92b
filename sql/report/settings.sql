-- One row per file: the day the newest run took for today, its look-back, and the newest stored answer.
select
  s.sync_day,
  s.lookback_days,
  (select max(last_success_at) from main.sync_freshness) as last_success_at
from main.sync_settings s;
