-- One row per project and whole day: the day of the sync is not over, and its low figures would look like a fall.
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
where is_whole_day
order by project_id, date
