-- Generated from src/guide/governed.ts; "npx vitest run test/bi/semantic.test.ts -u" writes it again.
select
  project_id,
  date,
  project_name,
  is_final,
  visibility,
  sentiment,
  100.0 * (organic_brand_mentions) as share_of_voice_pct_numerator,
  case when organic_brand_mentions is not null then organic_responses end as share_of_voice_pct_denominator,
  100.0 * (case when known_count > 0 then coalesce(positive_count, 0) - coalesce(negative_count, 0) end) as net_sentiment_known_pct_numerator,
  known_count,
  organic_responses,
  organic_brand_mentions,
  citations_count,
  crawler_requests_count,
  ai_visits_count,
  actions_completed
from {{ source('answerlake', 'daily_kpis') }}
