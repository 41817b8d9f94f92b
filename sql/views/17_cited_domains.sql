-- One row per project, window and domain.
create view main.cited_domains as
with windows as (
  select
    project_id,
    window_kind,
    window_start,
    max(window_end) as window_end,
    case window_kind
      when 'month' then cast(window_start - interval 1 month as date)
      when 'last_7_days' then window_start - 7
      when 'last_28_days' then window_start - 28
      when 'last_90_days' then window_start - 90
      else window_start - 1
    end as previous_start
  from core.domain_citation_totals
  where scope = 'project'
  group by project_id, window_kind, window_start
),
pairs as (
  select w.*, b.window_start is not null as has_previous
  from windows w
  left join windows b
    on b.project_id = w.project_id and b.window_kind = w.window_kind and b.window_start = w.previous_start
),
now_listed as (
  select w.project_id, w.window_kind, w.window_start, d.domain, d.total, d.percentage, d.average_rank
  from pairs w
  join core.domain_citation_totals d
    on d.project_id = w.project_id and d.window_kind = w.window_kind and d.window_start = w.window_start
  where d.scope = 'project'
),
before_listed as (
  select w.project_id, w.window_kind, w.window_start, d.domain, d.total, d.average_rank
  from pairs w
  join core.domain_citation_totals d
    on d.project_id = w.project_id and d.window_kind = w.window_kind and d.window_start = w.previous_start
  where d.scope = 'project'
),
listed as (
  select
    coalesce(n.project_id, b.project_id) as project_id,
    coalesce(n.window_kind, b.window_kind) as window_kind,
    coalesce(n.window_start, b.window_start) as window_start,
    coalesce(n.domain, b.domain) as domain,
    n.domain is not null as is_listed,
    b.domain is not null as was_listed,
    n.total,
    n.percentage,
    n.average_rank,
    b.total as previous_total,
    b.average_rank as previous_average_rank
  from now_listed n
  full join before_listed b
    on b.project_id = n.project_id
    and b.window_kind = n.window_kind
    and b.window_start = n.window_start
    and b.domain = n.domain
),
own as (
  select distinct project_id, lower(domain) as domain from core.brands where relation = 'SELF'
)
select
  l.project_id,
  p.name as project_name,
  l.window_kind,
  l.window_start,
  w.window_end,
  l.domain,
  o.domain is not null as is_own_domain,
  case
    when not w.has_previous then null
    when l.is_listed and l.was_listed then 'kept'
    when l.is_listed then 'new'
    else 'lost'
  end as domain_status,
  l.total as citations_count,
  l.percentage as citations_share_pct,
  l.average_rank as average_citation_rank,
  l.previous_total as previous_citations_count,
  l.total - l.previous_total as citations_change,
  l.previous_average_rank as previous_average_citation_rank,
  t.total_citations as window_citations_count
from listed l
join pairs w
  on w.project_id = l.project_id and w.window_kind = l.window_kind and w.window_start = l.window_start
left join core.citation_totals t
  on t.project_id = l.project_id
  and t.window_kind = l.window_kind
  and t.window_start = l.window_start
  and t.scope = 'project'
left join own o on o.project_id = l.project_id and o.domain = lower(l.domain)
left join core.projects p on p.project_id = l.project_id;

comment on view main.cited_domains is 'Cited domains per window, with new and lost ones against the window before (the month before, or the same number of days before). One row per project, window and domain, lost domains included. The API lists only the first domains. Source: GET v1 citations/domains-over-time.';
-- comments: project_id, project_name, window_kind, window_start, window_end
comment on column main.cited_domains.domain is 'Cited domain. Source: GET v1 citations/domains-over-time.';
comment on column main.cited_domains.is_own_domain is 'True when it is the domain of the own brand.';
comment on column main.cited_domains.domain_status is 'new, kept or lost against the list of the window before; NULL when that window is not stored.';
comment on column main.cited_domains.citations_count is 'Citations in the window; NULL for a lost domain. Adds up over domains of one window, not over windows. Source: GET v1 citations/domains-over-time.';
comment on column main.cited_domains.citations_share_pct is 'Share of all citations of the window, percent. Do not add over windows. Source: GET v1 citations/domains-over-time.';
comment on column main.cited_domains.average_citation_rank is 'Average rank, 1 is best. Do not sum or average. Source: GET v1 citations/domains-over-time.';
comment on column main.cited_domains.previous_citations_count is 'Citations in the window before; NULL for a new domain or when that window is not stored. Do not add over windows.';
comment on column main.cited_domains.citations_change is 'Citations less those of the window before; NULL when one side is not listed.';
comment on column main.cited_domains.previous_average_citation_rank is 'Average rank in the window before. Do not sum or average.';
comment on column main.cited_domains.window_citations_count is 'All citations of the window, unlisted domains included. Repeated on every row: do not sum. Source: GET v1 citations/domains-over-time.';
