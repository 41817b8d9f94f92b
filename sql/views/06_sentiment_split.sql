-- One row per project and day.
create view main.sentiment_split as
with counted as (
  select
    project_id,
    date,
    positive,
    negative,
    neutral,
    unknown,
    nullif(
      coalesce(positive, 0) + coalesce(negative, 0) + coalesce(neutral, 0) + coalesce(unknown, 0),
      0
    ) as total
  from core.response_sentiment
  where grain = 'day' and scope = 'project'
)
select
  c.project_id,
  p.name as project_name,
  c.date,
  c.positive as positive_count,
  c.negative as negative_count,
  c.neutral as neutral_count,
  c.unknown as unknown_count,
  c.total as total_count,
  100.0 * c.positive / c.total as positive_pct,
  100.0 * c.negative / c.total as negative_pct,
  100.0 * c.neutral / c.total as neutral_pct,
  100.0 * c.unknown / c.total as unknown_pct,
  100.0 * (coalesce(c.positive, 0) - coalesce(c.negative, 0)) / c.total as net_sentiment_pct,
  coalesce(s.sync_day - c.date >= s.lookback_days, false) as is_final
from counted c
cross join main.sync_settings s
left join core.projects p on p.project_id = c.project_id;

comment on view main.sentiment_split is 'Responses by sentiment. One row per project and day that the API reports. Source: GET v1 responses/sentiment-time-series.';
-- comments: project_id, project_name, date, positive_count, negative_count, neutral_count, unknown_count
comment on column main.sentiment_split.total_count is 'Responses of any sentiment, unknown included; NULL when there are none. Adds up over days. Source: GET v1 responses/sentiment-time-series.';
comment on column main.sentiment_split.positive_pct is 'Share of positive responses, percent; NULL when there are none. Do not sum over days or average: compute from the counts. Source: GET v1 responses/sentiment-time-series.';
comment on column main.sentiment_split.negative_pct is 'Share of negative responses, percent; NULL when there are none. Do not sum over days or average: compute from the counts. Source: GET v1 responses/sentiment-time-series.';
comment on column main.sentiment_split.neutral_pct is 'Share of neutral responses, percent; NULL when there are none. Do not sum over days or average: compute from the counts. Source: GET v1 responses/sentiment-time-series.';
comment on column main.sentiment_split.unknown_pct is 'Share of unknown responses, percent; NULL when there are none. Do not sum over days or average: compute from the counts. Source: GET v1 responses/sentiment-time-series.';
-- comments: net_sentiment_pct, is_final
