-- Question: How does every client stand, in one list?
-- Words: weekly report for a client, overview, status of all clients
-- Grain: one row per project, those that fell clearly first
-- Key: project_id
-- Columns: project_id, project_name, last_date, visibility, visibility_change, visibility_is_clear,
--   visibility_change_90_days, visibility_90_days_is_clear, share_of_voice_pct, share_of_voice_change,
--   share_of_voice_is_clear, net_sentiment_known_pct, net_sentiment_change, net_sentiment_is_clear
-- Caveat: means of 28 whole days against the 28 before, and of 90 against 90. Levels of different clients depend on their
--   prompts: compare changes, not levels. NULL where a side has too few days.
select
  project_id,
  project_name,
  max(last_date) as last_date,
  max(value) filter (where measure = 'visibility' and window_days = 28) as visibility,
  max(change) filter (where measure = 'visibility' and window_days = 28) as visibility_change,
  bool_or(is_clear) filter (where measure = 'visibility' and window_days = 28) as visibility_is_clear,
  max(change) filter (where measure = 'visibility' and window_days = 90) as visibility_change_90_days,
  bool_or(is_clear) filter (where measure = 'visibility' and window_days = 90) as visibility_90_days_is_clear,
  max(value) filter (where measure = 'share_of_voice' and window_days = 28) as share_of_voice_pct,
  max(change) filter (where measure = 'share_of_voice' and window_days = 28) as share_of_voice_change,
  bool_or(is_clear) filter (where measure = 'share_of_voice' and window_days = 28) as share_of_voice_is_clear,
  max(value) filter (where measure = 'net_sentiment_known' and window_days = 28) as net_sentiment_known_pct,
  max(change) filter (where measure = 'net_sentiment_known' and window_days = 28) as net_sentiment_change,
  bool_or(is_clear) filter (where measure = 'net_sentiment_known' and window_days = 28) as net_sentiment_is_clear
from main.kpi_changes
group by project_id, project_name
order by visibility_is_clear and visibility_change < 0 desc nulls last, visibility_change nulls last, project_name;
