-- One row per project and day that a view holds twice or leaves out: a join must not multiply or lose a day.
with kpi_days as materialized (
  select project_id, date, count(*) as copies from main.daily_kpis group by project_id, date
)
(
  select 'main.daily_kpis' as place, concat_ws(' | ', project_id, date) as offender
  from kpi_days where copies > 1 limit 5
)
union all
(
  select 'main.daily_kpis', concat_ws(' | ', project_id, 'days are missing')
  from kpi_days group by project_id having count(*) <> max(date) - min(date) + 1 limit 5
)
union all
(
  select 'main.event_days', concat_ws(' | ', project_id, date)
  from main.event_days group by project_id, date having count(*) > 1 limit 5
)
union all
(
  select 'main.visibility_with_events', concat_ws(' | ', project_id, scope, scope_id, date)
  from main.visibility_with_events group by project_id, scope, scope_id, date having count(*) > 1 limit 5
)
union all
(
  select 'main.sentiment_with_events', concat_ws(' | ', project_id, scope, scope_id, date)
  from main.sentiment_with_events group by project_id, scope, scope_id, date having count(*) > 1 limit 5
)
union all
(
  select 'main.action_impact', concat_ws(' | ', project_id, event_id)
  from main.action_impact group by project_id, event_id having count(*) > 1 limit 5
);
