-- Generated from src/guide/governed.ts; "npx vitest run test/bi/semantic.test.ts -u" writes it again.
select
  project_id,
  date,
  brand_id,
  project_name,
  brand_name,
  is_own_brand,
  is_final,
  100.0 * (case when is_own_brand then visibility_pct * all_responses / 100.0 end) as own_visibility_pct_numerator,
  case when is_own_brand then all_responses end as own_visibility_pct_denominator
from {{ source('answerlake', 'brand_visibility_trend') }}
