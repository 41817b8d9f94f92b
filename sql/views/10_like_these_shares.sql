-- One row per project and period with shares of single prompts: what questions like these would give.
create view detail.like_these_shares as
with rates as (
  select project_id, grain, date, false as is_of_answers, 1.0 * brand_mentions / total_responses as rate
  from core.share_of_voice
  where scope = 'prompt' and total_responses > 0
  union all
  select project_id, 'day', date, true, 1.0 * naming_count / answers_count
  from detail.own_answers
  where prompt_type = 'ORGANIC'
),
sums as (
  select
    project_id,
    grain,
    date,
    is_of_answers,
    count(rate) as prompts,
    count(rate) filter (where rate > 0) as prompts_naming,
    avg(rate) as mean_rate,
    stddev_samp(rate) / sqrt(nullif(count(rate), 0)) as rate_error
  from rates
  group by project_id, grain, date, is_of_answers
),
{{ like_these_steps }}
select project_id, grain, date, is_of_answers, prompts as prompts_count, prompts_naming as naming_prompts_count, like_these_pct, like_these_low, like_these_high
from like_these
qualify row_number() over (partition by project_id, grain, date order by like_these_pct is null asc, is_of_answers desc) = 1;

comment on view detail.like_these_shares is 'Share of voice with the prompts as the sample, and the interval of questions like these: t over prompts on the logit. From answers of an endpoint of your own (detail.own_answers), else from scope prompt where it is asked. One row per project, grain and period. Source: own.responses, GET v1 share-of-voice/time-series.';
