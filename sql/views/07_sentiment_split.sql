-- One row per project and day.
{% from "days.sql" import is_final, is_whole, join_series_state %}
{% from "figures.sql" import response_counts %}
create view main.sentiment_split as
select
  v.project_id,
  p.name as project_name,
  v.date,
  v.positive as positive_count,
  v.negative as negative_count,
  v.neutral as neutral_count,
  v.unknown as unknown_count,
  v.known as known_count,
  v.total as total_count,
  100.0 * v.positive / v.total as positive_pct,
  100.0 * v.negative / v.total as negative_pct,
  100.0 * v.neutral / v.total as neutral_pct,
  100.0 * v.unknown / v.total as unknown_pct,
  v.net_sentiment_pct,
  v.net_sentiment_known_pct,
  {{ is_whole("v.date") }} as is_whole_day,
  {{ is_final("v.date") }} as is_final
from {{ response_counts() }} v
{{ join_series_state("response_sentiment") }}
left join core.projects p on p.project_id = v.project_id;

comment on view main.sentiment_split is 'Responses by sentiment. One row per project and day that the API reports. Source: GET v1 responses/sentiment-time-series.';
{{ comments("sentiment_split", "project_id, project_name, date, positive_count, negative_count, neutral_count, unknown_count, known_count") }}
comment on column main.sentiment_split.total_count is 'Responses of any sentiment, unknown included; NULL when there are no responses. Adds up over days. Source: GET v1 responses/sentiment-time-series.';
comment on column main.sentiment_split.positive_pct is 'Share of positive responses, percent; NULL when there are no responses. Do not sum over days or average: compute from the counts. Source: GET v1 responses/sentiment-time-series.';
comment on column main.sentiment_split.negative_pct is 'Share of negative responses, percent; NULL when there are no responses. Do not sum over days or average: compute from the counts. Source: GET v1 responses/sentiment-time-series.';
comment on column main.sentiment_split.neutral_pct is 'Share of neutral responses, percent; NULL when there are no responses. Do not sum over days or average: compute from the counts. Source: GET v1 responses/sentiment-time-series.';
comment on column main.sentiment_split.unknown_pct is 'Share of unknown responses, percent; NULL when there are no responses. Do not sum over days or average: compute from the counts. Source: GET v1 responses/sentiment-time-series.';
{{ comments("sentiment_split", "net_sentiment_pct, net_sentiment_known_pct, is_whole_day, is_final") }}
