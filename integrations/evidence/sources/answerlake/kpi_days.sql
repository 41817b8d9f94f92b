-- One row per project and day up to the last that was over.
select
  project_id,
  date,
  visibility,
  share_of_voice_pct,
  net_sentiment_known_pct,
  crawler_requests_count,
  ai_visits_count,
  event_titles
from main.daily_kpis
order by project_id, date
