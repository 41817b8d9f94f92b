-- One row per project, scope, period and domain.
{% from "days.sql" import is_final, is_whole, join_series_state, period_end %}
{% from "text.sql" import host %}
{% from "figures.sql" import join_scope_names, scope_name %}
create view detail.domain_citation_trend as
with own_hosts as (
  select distinct project_id, {{ host("domain") }} as host
  from core.brands
  where relation = 'SELF' and domain is not null and domain <> ''
),
-- Subdomains of your own domain are your own.
own as (
  select distinct c.project_id, c.domain
  from (select distinct project_id, domain, {{ host("domain") }} as host from core.domain_citations) c
  join own_hosts o on o.project_id = c.project_id and (c.host = o.host or c.host like '%.' || o.host)
),
-- Each list tells all days of its window, so the newest day of a domain is the end of the last list that had it.
compared as (
  select
    v.project_id, v.grain, v.scope, v.scope_id, v.date, v.domain, v.citations,
    o.domain is not null as is_own_domain,
    lag(v.date) over series as previous_date,
    lag(v.citations) over series as previous_citations,
    lag({{ is_whole(period_end()) }}) over series as was_whole,
    {{ is_whole(period_end()) }} as is_whole_day, {{ is_final(period_end()) }} as is_final,
    max(v.date) over all_of_domain as listed_until,
    cast(sum(v.citations) over period as bigint) as listed_citations,
    cast(sum(v.citations) filter (where o.domain is not null) over period as bigint) as own_citations
  from core.domain_citations v
  {{ join_series_state("domain_citations") }}
  left join own o on o.project_id = v.project_id and o.domain = v.domain
  window
    series as (partition by v.project_id, v.grain, v.scope, v.scope_id, v.domain order by v.date asc),
    all_of_domain as (partition by v.project_id, v.grain, v.scope, v.scope_id, v.domain),
    -- The day first: sorted by project, PostgreSQL merges each row with every asked day.
    period as (partition by v.date, v.project_id, v.grain, v.scope, v.scope_id)
),
cut_lists as (
  select project_id, grain, scope, scope_id, date, max(window_end) as window_end
  from (
    select z.project_id, z.grain, z.scope, z.scope_id, z.window_end,
      cast(unnest(generate_series(z.window_start, z.window_end, interval '1 day')) as date) as date
    from meta.slices z
    where z.endpoint = 'domain_citations' and z.truncated
  ) cut_days
  group by project_id, grain, scope, scope_id, date
)
select
  v.project_id, p.name as project_name, v.grain, v.date, v.scope, v.scope_id,
  {{ scope_name() }} as scope_name, v.domain, v.is_own_domain,
  v.citations as citations_count,
  v.listed_citations as listed_citations_count,
  100.0 * v.citations / nullif(v.listed_citations, 0) as listed_citations_share_pct,
  v.own_citations as own_citations_count,
  100.0 * v.own_citations / nullif(v.listed_citations, 0) as own_citations_share_pct,
  v.previous_date,
  v.previous_citations as previous_citations_count,
  case when v.is_whole_day and v.was_whole then v.citations - v.previous_citations end as citations_change,
  case when v.listed_until < u.window_end and v.listed_until < v.date + (select lookback_days from main.sync_settings) then v.listed_until end as last_told_on,
  v.is_whole_day, v.is_final
from compared v
{{ join_scope_names() }}
left join cut_lists u on u.project_id = v.project_id and u.grain = v.grain and u.scope = v.scope and u.scope_id = v.scope_id and u.date = v.date;

comment on view detail.domain_citation_trend is 'Citations of each domain over time, with the period before and your own domain next to it. One row per project, grain, period, scope and domain. The API lists only the first domains. Source: GET v1 citations/domains-over-time.';
