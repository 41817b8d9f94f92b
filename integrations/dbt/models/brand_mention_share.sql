-- Generated from src/guide/governed.ts; "npx vitest run test/bi/semantic.test.ts -u" writes it again.
select
  project_id,
  date,
  brand_id,
  project_name,
  brand_name,
  is_own_brand,
  is_final,
  100.0 * (case when is_own_brand then mention_count end) as brand_mention_share_pct_numerator,
  mention_count
from {{ source('answerlake', 'brand_mention_share') }}
