-- One row per project and day, or action, that a view holds twice or leaves out: a join must not multiply or lose a day.
(
  select 'detail.sentiment_with_events' as place, concat_ws(' | ', project_id, scope, scope_id, date) as offender
  from detail.sentiment_with_events group by project_id, scope, scope_id, date having count(*) > 1 limit 5
);
(
  select 'detail.visibility_with_events' as place, concat_ws(' | ', project_id, scope, scope_id, date) as offender
  from detail.visibility_with_events group by project_id, scope, scope_id, date having count(*) > 1 limit 5
);
(
  select 'detail.measure_days' as place, concat_ws(' | ', project_id, measure, date) as offender
  from detail.measure_days group by project_id, measure, date having count(*) > 1 limit 5
);
(
  select 'detail.project_days' as place, concat_ws(' | ', project_id, 'days are missing') as offender
  from detail.project_days group by project_id having count(*) <> max(date) - min(date) + 1 limit 5
);
-- A source that two vendors claim would count twice in crawler_visitor_funnel.
(
  select 'main.ai_vendors' as place, concat_ws(' | ', source_kind, source_key) as offender
  from main.ai_vendors group by source_kind, source_key having count(*) > 1 limit 5
);
-- What action_impact joins besides is grouped by what it joins on: the whole view would need 150 MiB more with 48 projects.
(
  select 'detail.api_events' as place, concat_ws(' | ', project_id, event_id) as offender
  from detail.api_events group by project_id, event_id having count(*) > 1 limit 5
);
