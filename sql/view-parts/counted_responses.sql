-- Responses by sentiment. One row per project and day that the API reports.
(
  with counted as (
    select
      project_id,
      grain,
      scope,
      scope_id,
      date,
      positive,
      negative,
      neutral,
      unknown,
      nullif(
        coalesce(positive, 0) + coalesce(negative, 0) + coalesce(neutral, 0) + coalesce(unknown, 0),
        0
      ) as total,
      nullif(coalesce(positive, 0) + coalesce(negative, 0) + coalesce(neutral, 0), 0) as known
    from core.response_sentiment
    where grain = 'day' and scope = 'project'
  )
  select
    *,
    100.0 * (coalesce(positive, 0) - coalesce(negative, 0)) / total as net_sentiment_pct,
    100.0 * (coalesce(positive, 0) - coalesce(negative, 0)) / known as net_sentiment_known_pct
  from counted
)
