-- Generated from src/guide/governed.ts; "npx vitest run test/bi/semantic.test.ts -u" writes it again.
select
  project_id,
  date,
  project_name,
  is_final,
  average_citation_rank * ranked_citations_count as average_citation_rank_numerator,
  case when average_citation_rank is not null then ranked_citations_count end as average_citation_rank_denominator
from {{ source('answerlake', 'citation_rank_trend') }}
