-- One row per project and line of a chart: its figures on the whole days that are shown, in order, NULL for days without a figure.
with bounds as (
  select project_id, max(date) as last_date
  from detail.project_days
  where is_whole_day and {{project}}
  group by project_id
),
days as (
  select d.project_id, d.date, b.last_date
  from detail.project_days d
  join bounds b on b.project_id = d.project_id
  where d.is_whole_day and d.date > b.last_date - 1100
),
measured as (
  select
    project_id, date, cast(visibility as double) as visibility, cast(organic_responses as double) as responses,
    cast(organic_brand_mentions as double) as mentions, cast(100.0 * organic_brand_mentions / nullif(organic_responses, 0) as double) as share_of_voice, cast(positive_count as double) as positive, cast(neutral_count as double) as neutral,
    cast(unknown_count as double) as unknown, cast(negative_count as double) as negative,
    cast(sentiment as double) as sentiment, cast(net_sentiment_known_pct as double) as net_sentiment_known, cast(citations_count as double) as citations,
    cast(crawler_requests_count as double) as crawler_requests, cast(ai_visits_count as double) as ai_visits
  from main.daily_kpis
  where {{project}}
),
brands as (
  select project_id, date, brand_id, brand_name, is_own_brand, mention_count
  from main.brand_mention_share
  where {{project}}
),
traffic as (
  select project_id, date, source_kind, source, coalesce(crawler_requests_count, ai_visits_count) as value
  from main.ai_traffic
  where {{project}}
),
figures as (
  select project_id, 'measure' as kind, measure as key, measure as label, false as is_own, date, value
  from measured unpivot (value for measure in (
    visibility, responses, mentions, share_of_voice, positive, neutral, unknown, negative, sentiment, net_sentiment_known, citations, crawler_requests, ai_visits
  ))
  union all
  select project_id, 'measure', 'all_brand_mentions', 'all_brand_mentions', false, date, sum(mention_count) from brands group by all
  union all
  select project_id, 'brand', brand_id, brand_name, coalesce(is_own_brand, false), date, mention_count from brands
  union all
  select
    project_id, 'model', model_id,
    case when min(model_id) over same_label <> max(model_id) over same_label then concat(model_name, ' (', model_id, ')') else model_name end,
    false, date, visibility
  from main.model_kpis
  where visibility is not null and {{project}}
  window same_label as (partition by project_id, coalesce(model_name, model_id))
  union all
  select project_id, source_kind, source, source, false, date, value from traffic
),
ranked as (
  select
    f.project_id, f.kind, f.key, any_value(f.label) as label, bool_or(f.is_own) as is_own,
    row_number() over (
      partition by f.project_id, f.kind
      order by bool_or(f.is_own) desc, sum(f.value) filter (where f.date > b.last_date - 90) desc nulls last, f.key
    ) as place
  from figures f
  join bounds b on b.project_id = f.project_id
  group by f.project_id, f.kind, f.key, b.last_date
),
chosen as (
  select * from ranked where place <= case kind when 'measure' then 100 else 8 end
)
select
  c.project_id, c.kind, coalesce(c.label, c.key) as name, c.is_own,
  list(case when abs(f.value) < 2 then round(f.value, 4) else round(f.value, 2) end order by d.date) as figures
from chosen c
join days d on d.project_id = c.project_id
left join figures f on f.project_id = c.project_id and f.kind = c.kind and f.key = c.key and f.date = d.date
group by c.project_id, c.kind, c.key, c.label, c.is_own, c.place
order by c.project_id, c.kind, c.place;
