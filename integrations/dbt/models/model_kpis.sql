-- Generated from src/guide/governed.ts; "npx vitest run test/bi/semantic.test.ts -u" writes it again.
select
  project_id,
  model_id,
  date,
  project_name,
  model_name,
  is_final,
  100.0 * (organic_brand_mentions) as share_of_voice_pct_by_model_numerator,
  case when organic_brand_mentions is not null then organic_responses end as share_of_voice_pct_by_model_denominator,
  organic_responses,
  organic_brand_mentions
from {{ source('answerlake', 'model_kpis') }}
