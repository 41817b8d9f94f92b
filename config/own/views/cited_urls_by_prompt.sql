-- Pages that answers cite, by prompt and model, in the last 28 whole days. One row per prompt, model and URL; a URL twice in an answer counts once.
with whole as (
  select project_id, max(date) as last_date
  from meta.asked_days
  where endpoint = 'responses' and scope = 'project' and window_kind is null
    and asked_on > date and coalesce(reason, '') not in ('bad_row', 'incomplete')
  group by project_id
),
-- A number is compared faster than an id.
answers as materialized (
  select row_number() over () as number, r.project_id, r.id, r.prompt_id, r.model, r.date, r.mentioned_own_brand
  from own.responses r
  join whole w on w.project_id = r.project_id and r.date between w.last_date - 27 and w.last_date
  where r.removed_at is null
),
totals as (
  select project_id, prompt_id, model, count(*) as answers
  from answers
  group by project_id, prompt_id, model
),
cited as (
  select a.number, c.url, min(c.domain) as domain, min(c.rank) as rank
  from own.responses_citations c
  join answers a on a.project_id = c.project_id and a.id = c.id
  where c.removed_at is null and c.url is not null
  group by a.number, c.url
),
counted as (
  select
    a.project_id,
    a.prompt_id,
    a.model,
    c.url,
    min(c.domain) as domain,
    count(*) as answers_citing,
    min(c.rank) as best_rank,
    avg(c.rank) as mean_rank,
    min(a.date) as first_cited,
    max(a.date) as last_cited,
    count(*) filter (where a.mentioned_own_brand) as answers_citing_and_naming_us
  from cited c
  join answers a on a.number = c.number
  group by a.project_id, a.prompt_id, a.model, c.url
),
brand_domains as (
  select project_id, lower(regexp_replace(domain, '^www\.', '')) as domain, relation = 'SELF' as is_own
  from core.brands
  where relation in ('SELF', 'DIRECT_COMPETITOR') and domain <> ''
),
relations as (
  select d.project_id, d.domain, bool_or(b.is_own) as is_own
  from (
    select distinct project_id, domain, lower(regexp_replace(domain, '^www\.', '')) as plain
    from counted
  ) d
  join brand_domains b on b.project_id = d.project_id and (d.plain = b.domain or ends_with(d.plain, '.' || b.domain))
  group by d.project_id, d.domain
)
select
  c.project_id,
  p.name as project_name,
  c.prompt_id,
  q.prompt,
  c.model,
  c.url,
  c.domain,
  case when r.is_own then 'own' when r.is_own = false then 'competitor' else 'other' end as relation,
  t.answers,
  c.answers_citing,
  100.0 * c.answers_citing / t.answers as citing_pct,
  greatest(0, 100.0 * (c.answers_citing + 1.9207 - 1.96 * sqrt(1.0 * c.answers_citing * (t.answers - c.answers_citing) / t.answers + 0.9604)) / (t.answers + 3.8415)) as low,
  least(100, 100.0 * (c.answers_citing + 1.9207 + 1.96 * sqrt(1.0 * c.answers_citing * (t.answers - c.answers_citing) / t.answers + 0.9604)) / (t.answers + 3.8415)) as high,
  c.best_rank,
  c.mean_rank,
  c.first_cited,
  c.last_cited,
  c.answers_citing_and_naming_us
from counted c
join totals t
  on t.project_id = c.project_id and t.prompt_id is not distinct from c.prompt_id and t.model is not distinct from c.model
left join relations r on r.project_id = c.project_id and r.domain = c.domain
left join core.projects p on p.project_id = c.project_id
left join core.prompts q on q.project_id = c.project_id and q.prompt_id = c.prompt_id
