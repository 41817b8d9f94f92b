-- Question: How does our own site's share of citations develop, week by week?
-- Grain: one row per project and ISO week, whole weeks only
-- Key: project_id, week_start
-- Columns: project_id, project_name, week_start, own_citations_count, listed_citations_count, own_citations_share_pct
-- Caveat: share among the domains that the API lists. Computed from the counts of the week, never from averaging days; a
--   day on which your own domain is not listed counts as none, and a week, or a project, without any such day is NULL.
with days as (
  select
    project_id,
    project_name,
    date,
    sum(citations_count) filter (where is_own_domain) as own_citations_count,
    sum(citations_count) as listed_citations_count
  from main.domain_citation_trend
  group by project_id, project_name, date
)
select
  d.project_id,
  d.project_name,
  c.week_start,
  cast(sum(d.own_citations_count) as bigint) as own_citations_count,
  cast(sum(d.listed_citations_count) as bigint) as listed_citations_count,
  100.0 * sum(d.own_citations_count) / nullif(sum(d.listed_citations_count), 0) as own_citations_share_pct
from days d
join main.calendar c on c.date = d.date
group by d.project_id, d.project_name, c.week_start
having count(*) = 7
order by d.project_name, c.week_start;
