-- One row per project and day.
{% from "days.sql" import is_final, is_whole, join_series_state %}
{% from "figures.sql" import response_counts %}
{% from "text.sql" import wilson %}
{# The interval of a difference of two shares of `total`, as if 3.84 more responses had come, spread evenly over three kinds. #}
{% macro net_interval(total, sign) -%}
case
    when {{ total }} is not null
      then {{ "greatest" if sign == "-" else "least" }}(
        {{ sign }}100,
        100.0 * (coalesce(v.positive, 0) - coalesce(v.negative, 0)) / ({{ total }} + 3.84)
          {{ sign }} 196.0 * sqrt(
            ((coalesce(v.positive, 0) + coalesce(v.negative, 0) + 2.56) / ({{ total }} + 3.84)
              - power(1.0 * (coalesce(v.positive, 0) - coalesce(v.negative, 0)) / ({{ total }} + 3.84), 2)) / ({{ total }} + 3.84)
          )
      )
  end
{%- endmacro %}
create view detail.sentiment_split as
select
  v.project_id,
  p.name as project_name,
  v.date,
  v.positive as positive_count,
  v.negative as negative_count,
  v.neutral as neutral_count,
  v.unknown as unknown_count,
  v.known as known_count,
  v.total as all_responses,
  100.0 * v.positive / v.total as positive_pct,
  100.0 * v.negative / v.total as negative_pct,
  100.0 * v.neutral / v.total as neutral_pct,
  100.0 * v.unknown / v.total as unknown_pct,
  {% for name in ["positive", "negative", "neutral"] %}
  {{ wilson("v." ~ name, "v.total", -1) }} as {{ name }}_pct_low,
  {{ wilson("v." ~ name, "v.total", 1) }} as {{ name }}_pct_high,
  {% endfor %}
  v.net_sentiment_pct,
  {{ net_interval("v.total", "-") }} as net_sentiment_pct_low,
  {{ net_interval("v.total", "+") }} as net_sentiment_pct_high,
  v.net_sentiment_known_pct,
  {{ net_interval("nullif(v.known, 0)", "-") }} as net_sentiment_known_pct_low,
  {{ net_interval("nullif(v.known, 0)", "+") }} as net_sentiment_known_pct_high,
  {{ is_whole("v.date") }} as is_whole_day,
  {{ is_final("v.date") }} as is_final
from {{ response_counts() }} v
{{ join_series_state("response_sentiment") }}
left join core.projects p on p.project_id = v.project_id;

comment on view detail.sentiment_split is 'Responses by sentiment. One row per project and day that the API reports. Source: GET v1 responses/sentiment-time-series.';
