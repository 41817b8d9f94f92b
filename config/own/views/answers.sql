-- Answers, each with its statements about your brand and others. One row per answer, removed ones included (is_removed).
with own_domains as (
  select project_id, lower(regexp_replace(domain, '^www\.', '')) as own_domain
  from core.brands
  where relation = 'SELF' and domain <> ''
),
cited as (
  select distinct c.project_id, c.id
  from own.responses_citations c
  join (
    select d.project_id, d.domain
    from (
      select distinct project_id, domain, lower(regexp_replace(domain, '^www\.', '')) as plain
      from own.responses_citations
    ) d
    semi join own_domains o on o.project_id = d.project_id and (d.plain = o.own_domain or ends_with(d.plain, '.' || o.own_domain))
  ) d on d.project_id = c.project_id and d.domain = c.domain
),
named as (
  select
    project_id,
    id,
    -- Several times faster than an ordered string_agg.
    array_to_string(list_transform(list_sort(list({'place': position, 'name': value})), lambda brand: brand.name), ', ') as brands_named
  from own.responses_competitor_mentions
  group by project_id, id
),
-- Columns that the table does not have are left out.
answers as (
  select
    project_id,
    id,
    columns(
      lambda c: c in (
        'date', 'created_at', 'model', 'provider', 'prompt_id', 'prompt', 'prompt_type', 'intent', 'monitor_id', 'monitor_name',
        'mentioned_own_brand', 'sentiment', 'tone_of_voice', 'visibility_score', 'sentiment_score', 'citations_count',
        'citations_is_cut_off', 'removed_at'
      )
    )
  from own.responses
)
select
  a.project_id,
  p.name as project_name,
  a.* exclude (project_id),
  n.brands_named,
  case
    when c.id is not null then true
    when a.project_id in (select project_id from own_domains) then false
  end as cites_own_domain,
  a.removed_at is not null as is_removed
from answers a
left join core.projects p on p.project_id = a.project_id
left join named n on n.project_id = a.project_id and n.id = a.id
left join cited c on c.project_id = a.project_id and c.id = a.id
