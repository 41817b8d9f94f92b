-- One row per project and day, or action, that a view holds twice or leaves out: a join must not multiply or lose a day.
(
  select 'main.sentiment_with_events' as place, concat_ws(' | ', project_id, scope, scope_id, date) as offender
  from main.sentiment_with_events group by project_id, scope, scope_id, date having count(*) > 1 limit 5
);
(
  select 'main.visibility_with_events' as place, concat_ws(' | ', project_id, scope, scope_id, date) as offender
  from main.visibility_with_events group by project_id, scope, scope_id, date having count(*) > 1 limit 5
);
(
  select 'main.measure_days' as place, concat_ws(' | ', project_id, measure, date) as offender
  from main.measure_days group by project_id, measure, date having count(*) > 1 limit 5
);
(
  select 'main.project_days' as place, concat_ws(' | ', project_id, 'days are missing') as offender
  from main.project_days group by project_id having count(*) <> max(date) - min(date) + 1 limit 5
);
-- A source that two vendors claim would count twice in crawler_visitor_funnel.
(
  select 'main.ai_vendors' as place, concat_ws(' | ', source_kind, source_key) as offender
  from main.ai_vendors group by source_kind, source_key having count(*) > 1 limit 5
);
-- action_impact joins these two, and all else is grouped by what it joins on: the whole view would need 150 MiB more with 48 projects.
(
  select 'main.event_annotations' as place, concat_ws(' | ', project_id, event_id) as offender
  from main.event_annotations group by project_id, event_id having count(*) > 1 limit 5
);
(
  select 'main.action_bursts' as place, concat_ws(' | ', project_id, date) as offender
  from main.action_bursts group by project_id, date having count(*) > 1 limit 5
);
