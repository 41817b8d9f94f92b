-- How often answers name your brand, with the interval for these prompts (these_pct) and for prompts like these (like_these_pct). One row per model, or `all`, and period: filter on both.
with whole as (
  select project_id, date
  from meta.asked_days
  where endpoint = 'responses' and scope = 'project' and window_kind is null
    and asked_on > date and coalesce(reason, '') not in ('bad_row', 'incomplete')
),
bounds as (
  select project_id, min(date) as first_date, max(date) as last_date
  from whole
  group by project_id
),
months as (
  select *, cast(unnest(generate_series(date_trunc('month', first_date), last_date, interval '1 month')) as date) as month
  from bounds
),
periods as (
  select project_id, 'last_28_days' as period, greatest(first_date, last_date - 27) as period_start, last_date as period_end
  from bounds
  union all
  select project_id, 'month', month, last_day(month)
  from months
  where month >= first_date and last_day(month) <= last_date
),
days as (
  select
    r.project_id,
    r.prompt_id,
    r.model,
    r.date,
    count(r.mentioned_own_brand) as answers,
    count(*) filter (where r.mentioned_own_brand) as named
  from own.responses r
  join whole w on w.project_id = r.project_id and w.date = r.date
  where r.removed_at is null
  group by r.project_id, r.prompt_id, r.model, r.date
),
prompts as (
  select
    d.project_id,
    d.prompt_id,
    case when grouping(d.model) = 1 then 'all' else d.model end as model,
    p.period,
    p.period_start,
    p.period_end,
    cast(sum(d.answers) as bigint) as answers,
    cast(sum(d.named) as bigint) as named
  from days d
  join periods p on p.project_id = d.project_id and d.date between p.period_start and p.period_end
  group by grouping sets (
    (d.project_id, d.prompt_id, d.model, p.period, p.period_start, p.period_end),
    (d.project_id, d.prompt_id, p.period, p.period_start, p.period_end)
  )
  having sum(d.answers) > 0
),
parts as (
  select *, named / answers as rate, (named + 1) / (answers + 2) as smoothed
  from prompts
),
sums as (
  select
    project_id,
    model,
    period,
    period_start,
    period_end,
    cast(sum(answers) as bigint) as answers,
    cast(sum(named) as bigint) as named,
    count(*) as prompts,
    count(*) filter (where named > 0) as prompts_naming,
    sum(named) / sum(answers) as these,
    1.96 * sqrt(sum(answers * smoothed * (1 - smoothed))) / sum(answers) as these_half,
    avg(rate) as mean_rate,
    stddev_samp(rate) / sqrt(count(*)) as rate_error
  from parts
  group by project_id, model, period, period_start, period_end
),
-- Prompts like these: t over prompts on the logit, from 10 prompts on of which 5 name the brand; the quantile is its expansion around 1.96, right to 3 digits from 9 degrees on.
like_these as (
  select
    * exclude (logit, half),
    100 * rate as like_these_pct,
    100 / (1 + exp(half - logit)) as like_these_low,
    100 / (1 + exp(-half - logit)) as like_these_high
  from (
    select
      *,
      ln(rate / nullif(1 - rate, 0)) as logit,
      (1.959964 + 2.372271 / degrees + 2.822488 / power(degrees, 2) + 2.555849 / power(degrees, 3)) * rate_error / nullif(rate * (1 - rate), 0) as half
    from (
      select *, case when prompts >= 10 and prompts_naming >= 5 then mean_rate end as rate, nullif(prompts - 1, 0) as degrees
      from sums
    ) judged
  ) logits
)
select
  h.project_id,
  p.name as project_name,
  h.model,
  h.period,
  h.period_start,
  h.period_end,
  h.answers,
  h.named,
  h.prompts,
  h.prompts_naming,
  100 * h.these as these_pct,
  100 * greatest(0, h.these - h.these_half) as these_low,
  100 * least(1, h.these + h.these_half) as these_high,
  h.like_these_pct,
  h.like_these_low,
  h.like_these_high
from like_these h
left join core.projects p on p.project_id = h.project_id
