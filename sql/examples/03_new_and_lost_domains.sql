-- Question: Which domains do AI answers cite now that they did not cite the month before, and which dropped out?
-- Words: lost sources, new citations, sources that cite us
-- Grain: one row per project and domain, newest whole month
-- Key: project_id, domain
-- Columns: project_id, project_name, month_start, domain, domain_status, is_own_domain, citations_count,
--   previous_citations_count, citations_share_pct, average_citation_rank
-- Caveat: the API lists only the first domains of a window: lost may mean fallen below the end of the list. NULL where
--   the month before is not stored, which is why the newest month with a month before it is taken.
with newest as (
  select c.project_id, max(c.window_start) as window_start
  from main.cited_domains c
  where c.domain_status is not null
  group by c.project_id
)
select
  c.project_id,
  c.project_name,
  c.window_start as month_start,
  c.domain,
  c.domain_status,
  c.is_own_domain,
  c.citations_count,
  c.previous_citations_count,
  c.citations_share_pct,
  c.average_citation_rank
from main.cited_domains c
join newest n on n.project_id = c.project_id and n.window_start = c.window_start
where c.domain_status in ('new', 'lost')
order by c.project_name, c.domain_status, coalesce(c.citations_count, c.previous_citations_count) desc, c.domain;
