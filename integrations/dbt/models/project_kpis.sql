-- One row per project and whole day: the counts that the metrics are computed from.
select
  project_id,
  project_name,
  date,
  visibility,
  sentiment,
  organic_brand_mentions,
  organic_responses,
  citations_count,
  average_citation_rank,
  crawler_requests_count,
  ai_visits_count,
  actions_completed
from {{ source('answerlake', 'daily_kpis') }}
