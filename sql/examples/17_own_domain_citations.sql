-- Question: How often, and how high up, is our own site cited, month by month?
-- Words: is our site cited, citations of our own domain
-- Grain: one row per project and month
-- Key: project_id, month_start
-- Columns: project_id, project_name, month_start, window_end, own_citations_count, all_citations_count,
--   own_citations_share_pct, average_citation_rank, average_citation_rank_change
-- Caveat: NULL citations mean that your own domain was not on the list of that month, which has only the first domains;
--   it is not zero. Whole months alone. The change of rank is NULL where the month before is not there.
with months as (
  select project_id, project_name, window_start, max(window_end) as window_end
  from main.cited_domains
  group by project_id, project_name, window_start
),
own as (
  select
    project_id,
    window_start,
    sum(citations_count) as citations_count,
    sum(citations_share_pct) as citations_share_pct,
    max_by(average_citation_rank, citations_count) as average_citation_rank
  from main.cited_domains
  where is_own_domain
  group by project_id, window_start
)
select
  m.project_id,
  m.project_name,
  m.window_start as month_start,
  m.window_end,
  cast(o.citations_count as bigint) as own_citations_count,
  cast(round(100 * o.citations_count / nullif(o.citations_share_pct, 0)) as bigint) as all_citations_count,
  o.citations_share_pct as own_citations_share_pct,
  o.average_citation_rank,
  case when lag(m.window_start) over project = m.window_start - interval 1 month
    then o.average_citation_rank - lag(o.average_citation_rank) over project end as average_citation_rank_change
from months m
left join own o on o.project_id = m.project_id and o.window_start = m.window_start
window project as (partition by m.project_id order by m.window_start)
order by m.project_name, m.window_start;
