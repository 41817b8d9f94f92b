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
comment on column main.sentiment_split.project_id is 'Project id (core.projects).';
comment on column main.sentiment_split.project_name is 'Name of the project; NULL when unknown.';
comment on column main.sentiment_split.date is 'Day (UTC).';
comment on column main.sentiment_split.positive_count is 'Positive responses. Adds up over days. Source: GET v1 responses/sentiment-time-series.';
comment on column main.sentiment_split.negative_count is 'Negative responses. Adds up over days. Source: GET v1 responses/sentiment-time-series.';
comment on column main.sentiment_split.neutral_count is 'Neutral responses. Adds up over days. Source: GET v1 responses/sentiment-time-series.';
comment on column main.sentiment_split.unknown_count is 'Responses without a known sentiment. Adds up over days. Source: GET v1 responses/sentiment-time-series.';
comment on column main.sentiment_split.total_count is 'Responses of any sentiment, unknown included; NULL when there are none. Adds up over days. Source: GET v1 responses/sentiment-time-series.';
comment on column main.sentiment_split.positive_pct is 'Share of positive responses, percent; NULL when there are none. Do not sum over days or average: compute from the counts. Source: GET v1 responses/sentiment-time-series.';
comment on column main.sentiment_split.negative_pct is 'Share of negative responses, percent; NULL when there are none. Do not sum over days or average: compute from the counts. Source: GET v1 responses/sentiment-time-series.';
comment on column main.sentiment_split.neutral_pct is 'Share of neutral responses, percent; NULL when there are none. Do not sum over days or average: compute from the counts. Source: GET v1 responses/sentiment-time-series.';
comment on column main.sentiment_split.unknown_pct is 'Share of unknown responses, percent; NULL when there are none. Do not sum over days or average: compute from the counts. Source: GET v1 responses/sentiment-time-series.';
comment on column main.sentiment_split.net_sentiment_pct is 'Positive less negative responses, per 100 responses of any sentiment (unknown included), -100 to 100; NULL when there are none. Do not sum or average: compute from the counts. Source: GET v1 responses/sentiment-time-series.';
comment on column main.sentiment_split.is_final is 'False while the figures are younger than the look-back window and may still change.';
