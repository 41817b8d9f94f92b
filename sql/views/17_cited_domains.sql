-- One row per project, scope, window and domain.
{% from "days.sql" import is_whole_window, join_window_state %}
{% from "figures.sql" import join_scope_names, previous_window_start, scope_name %}
{% from "text.sql" import host %}
create view detail.cited_domains as
with windows as (
  select project_id, scope, scope_id, window_kind, window_start, max(window_end) as window_end
  from core.domain_citation_totals
  group by project_id, scope, scope_id, window_kind, window_start
),
first_days as (
  select project_id, min(date) as first_date
  from core.domain_citations
  where grain = 'day' and scope = 'project' and citations > 0
  group by project_id
),
dated as (
  select
    v.project_id,
    v.scope,
    v.scope_id,
    v.window_kind,
    v.window_start,
    v.window_end,
    {{ previous_window_start() }} as previous_start,
    {{ is_whole_window() }} as is_whole_window
  from windows v
  {{ join_window_state("domain_citation_totals") }}
  left join first_days f on f.project_id = v.project_id
),
paired as (
  select d.*, b.is_whole_window as previous_is_whole
  from dated d
  left join dated b
    on b.project_id = d.project_id and b.scope = d.scope and b.scope_id = d.scope_id
    and b.window_kind = d.window_kind and b.window_start = d.previous_start
),
cited_days as (
  select distinct project_id, scope, scope_id, date from core.domain_citations where grain = 'day'
),
-- A rolling window whose predecessor was never asked for: its days are stored.
from_days as (
  select p.project_id, p.scope, p.scope_id, p.window_kind, p.window_start
  from paired p
  join cited_days c
    on c.project_id = p.project_id and c.scope = p.scope and c.scope_id = p.scope_id and c.date >= p.previous_start and c.date < p.window_start
  where p.previous_is_whole is null and p.window_kind <> 'month'
  group by p.project_id, p.scope, p.scope_id, p.window_kind, p.window_start, p.previous_start
  having count(*) = p.window_start - p.previous_start
),
pairs as (
  select
    p.*,
    f.project_id is not null as is_from_days,
    p.is_whole_window and coalesce(p.previous_is_whole, f.project_id is not null) as is_comparable
  from paired p
  left join from_days f
    on f.project_id = p.project_id and f.scope = p.scope and f.scope_id = p.scope_id
    and f.window_kind = p.window_kind and f.window_start = p.window_start
),
now_listed as (
  select w.project_id, w.scope, w.scope_id, w.window_kind, w.window_start, d.domain, d.total, d.percentage, d.average_rank
  from pairs w
  join core.domain_citation_totals d
    on d.project_id = w.project_id and d.scope = w.scope and d.scope_id = w.scope_id
    and d.window_kind = w.window_kind and d.window_start = w.window_start
),
-- A list that was cut off is compared with as many domains of the days before.
lists as (
  select w.project_id, w.scope, w.scope_id, w.window_kind, w.window_start, case when bool_or(s.truncated) then count(distinct n.domain) else 50 end as length
  from pairs w
  join now_listed n
    on n.project_id = w.project_id and n.scope = w.scope and n.scope_id = w.scope_id
    and n.window_kind = w.window_kind and n.window_start = w.window_start
  left join meta.slices s
    on s.endpoint = 'domain_citation_totals' and s.scope = w.scope and s.scope_id = w.scope_id
    and s.project_id = w.project_id and s.window_kind = w.window_kind and s.window_start = w.window_start
  where w.is_from_days
  group by w.project_id, w.scope, w.scope_id, w.window_kind, w.window_start
),
before_listed as (
  select w.project_id, w.scope, w.scope_id, w.window_kind, w.window_start, d.domain, d.total, d.average_rank
  from pairs w
  join core.domain_citation_totals d
    on d.project_id = w.project_id and d.scope = w.scope and d.scope_id = w.scope_id
    and d.window_kind = w.window_kind and d.window_start = w.previous_start
  where w.previous_is_whole
  union all
  select summed.project_id, summed.scope, summed.scope_id, summed.window_kind, summed.window_start, summed.domain, summed.total, null
  from (
    select
      w.project_id,
      w.scope,
      w.scope_id,
      w.window_kind,
      w.window_start,
      d.domain,
      cast(sum(d.citations) as bigint) as total,
      row_number() over (
        partition by w.project_id, w.scope, w.scope_id, w.window_kind, w.window_start
        order by sum(d.citations) desc, d.domain asc
      ) as place
    from pairs w
    join core.domain_citations d
      on d.project_id = w.project_id and d.scope = w.scope and d.scope_id = w.scope_id and d.date >= w.previous_start and d.date < w.window_start
    where w.is_from_days and d.grain = 'day'
    group by w.project_id, w.scope, w.scope_id, w.window_kind, w.window_start, d.domain
    having sum(d.citations) > 0
  ) summed
  join lists l
    on l.project_id = summed.project_id and l.scope = summed.scope and l.scope_id = summed.scope_id
    and l.window_kind = summed.window_kind and l.window_start = summed.window_start
  where summed.place <= l.length
),
listed as (
  select
    coalesce(n.project_id, b.project_id) as project_id,
    coalesce(n.scope, b.scope) as scope,
    coalesce(n.scope_id, b.scope_id) as scope_id,
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
    and b.scope = n.scope
    and b.scope_id = n.scope_id
    and b.window_kind = n.window_kind
    and b.window_start = n.window_start
    and b.domain = n.domain
),
own_hosts as (
  select distinct project_id, {{ host("domain") }} as host
  from core.brands
  where relation = 'SELF' and domain is not null and domain <> ''
),
-- Subdomains of your own domain are your own.
own as (
  select distinct c.project_id, c.domain
  from (select distinct project_id, domain, {{ host("domain") }} as host from listed) c
  join own_hosts o on o.project_id = c.project_id and (c.host = o.host or c.host like '%.' || o.host)
)
select
  v.project_id,
  p.name as project_name,
  v.window_kind,
  v.window_start,
  w.window_end,
  v.scope,
  v.scope_id,
  {{ scope_name() }} as scope_name,
  cast(w.window_end - w.window_start + 1 as integer) as days_in_window,
  w.is_whole_window,
  v.domain,
  o.domain is not null as is_own_domain,
  case
    when not w.is_comparable then null
    when v.is_listed and v.was_listed then 'kept'
    when v.is_listed then 'new'
    else 'lost'
  end as domain_status,
  v.total as citations_count,
  v.percentage as citations_share_pct,
  v.average_rank as average_citation_rank,
  v.previous_total as previous_citations_count,
  cast(w.window_start - w.previous_start as integer) as previous_days_in_window,
  case when w.is_comparable then v.total - v.previous_total end as citations_change,
  case
    when w.is_comparable
      then cast(v.total as double) / (w.window_end - w.window_start + 1)
        - cast(v.previous_total as double) / (w.window_start - w.previous_start)
  end as citations_per_day_change,
  v.previous_average_rank as previous_average_citation_rank,
  t.total_citations as window_citations_count
from listed v
join pairs w
  on w.project_id = v.project_id and w.scope = v.scope and w.scope_id = v.scope_id
  and w.window_kind = v.window_kind and w.window_start = v.window_start
left join core.citation_totals t
  on t.project_id = v.project_id
  and t.scope = v.scope
  and t.scope_id = v.scope_id
  and t.window_kind = v.window_kind
  and t.window_start = v.window_start
left join own o on o.project_id = v.project_id and o.domain = v.domain
{{ join_scope_names() }}
where v.is_listed or w.is_comparable;

comment on view detail.cited_domains is 'Cited domains per window, with new and lost ones against the window before (the month before, or the same number of days before: where that rolling window was never asked for, its days are added up). One row per project, window, scope and domain, lost domains included. The API lists only the first domains. Source: GET v1 citations/domains-over-time.';
