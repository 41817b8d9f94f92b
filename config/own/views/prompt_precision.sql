-- How often the answers to one prompt by one model name your brand, how sure that is, and whether it changed. One row per prompt, model and period: filter on `period`.
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
  select
    project_id,
    'last_28_days' as period,
    greatest(first_date, last_date - 27) as period_start,
    last_date as period_end,
    last_date - 55 as before_start
  from bounds
  union all
  select project_id, 'month', month, last_day(month), cast(month - interval '1 month' as date)
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
counted as (
  select
    d.project_id,
    d.prompt_id,
    d.model,
    p.period,
    p.period_start,
    p.period_end,
    cast(sum(d.answers) filter (where d.date >= p.period_start) as bigint) as answers,
    cast(sum(d.named) filter (where d.date >= p.period_start) as bigint) as named,
    cast(coalesce(sum(d.answers) filter (where d.date < p.period_start), 0) as bigint) as answers_before,
    cast(coalesce(sum(d.named) filter (where d.date < p.period_start), 0) as bigint) as named_before
  from days d
  join periods p on p.project_id = d.project_id and d.date between p.before_start and p.period_end
  group by d.project_id, d.prompt_id, d.model, p.period, p.period_start, p.period_end
),
-- Wilson's interval of each side, as shares.
rates as (
  select
    *,
    named / answers as rate,
    greatest(0, (named + 1.9207 - 1.96 * sqrt(1.0 * named * (answers - named) / answers + 0.9604)) / (answers + 3.8415)) as rate_low,
    least(1, (named + 1.9207 + 1.96 * sqrt(1.0 * named * (answers - named) / answers + 0.9604)) / (answers + 3.8415)) as rate_high,
    named_before / nullif(answers_before, 0) as before,
    greatest(0, (named_before + 1.9207 - 1.96 * sqrt(1.0 * named_before * (answers_before - named_before) / nullif(answers_before, 0) + 0.9604)) / (answers_before + 3.8415)) as before_low,
    least(1, (named_before + 1.9207 + 1.96 * sqrt(1.0 * named_before * (answers_before - named_before) / nullif(answers_before, 0) + 0.9604)) / (answers_before + 3.8415)) as before_high
  from counted
  where answers > 0
),
changes as (
  select
    *,
    100 * (rate - before) as change,
    100 * (rate - before - sqrt(power(rate - rate_low, 2) + power(before_high - before, 2))) as change_low,
    100 * (rate - before + sqrt(power(rate_high - rate, 2) + power(before - before_low, 2))) as change_high,
    -- Where half of Wilson's interval is 0.1, n solves 0.01 n² + b n + 0.01 z⁴ - z⁴ / 4 = 0.
    0.02 * 3.8416 - 3.8416 * rate * (1 - rate) as b
  from rates
)
select
  c.project_id,
  p.name as project_name,
  c.prompt_id,
  q.prompt,
  q.type as prompt_type,
  c.model,
  c.period,
  c.period_start,
  c.period_end,
  c.answers,
  c.named,
  100 * c.rate as named_pct,
  100 * c.rate_low as low,
  100 * c.rate_high as high,
  cast(ceil((sqrt(c.b * c.b + 0.04 * 0.24 * 3.8416 * 3.8416) - c.b) / 0.02) as bigint) as answers_needed,
  c.answers_before,
  100 * c.before as named_before_pct,
  c.change,
  c.change_low,
  c.change_high,
  case
    when least(c.answers, c.answers_before) < 20 then 'too few'
    when c.change_low > 0 or c.change_high < 0 then 'changed'
    else 'no change seen'
  end as verdict
from changes c
left join core.projects p on p.project_id = c.project_id
left join core.prompts q on q.project_id = c.project_id and q.prompt_id = c.prompt_id
