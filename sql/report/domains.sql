-- One row per domain that project $1's newest window lists, most cited first; the last 28 days where they are asked for.
with newest as (
  select window_kind, window_start
  from main.cited_domains
  where project_id = $1
  order by
    case window_kind when 'last_28_days' then 1 when 'last_90_days' then 2 when 'last_7_days' then 3 when 'month' then 4 else 5 end,
    window_start desc
  limit 1
)
select
  c.window_start,
  c.window_end,
  c.domain,
  coalesce(c.is_own_domain, false) as is_own_domain,
  c.domain_status,
  c.citations_count,
  c.citations_share_pct,
  c.average_citation_rank,
  c.previous_citations_count
from main.cited_domains c
semi join newest n on n.window_kind = c.window_kind and n.window_start = c.window_start
where c.project_id = $1 and c.citations_count > 0
order by c.citations_count desc, c.domain;
