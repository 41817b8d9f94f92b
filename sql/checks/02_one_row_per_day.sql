-- One row per project and day that a view holds twice: a join must not multiply a day.
(
  select 'detail.daily_kpis' as place, concat_ws(' | ', project_id, date) as offender
  from detail.daily_kpis group by project_id, date having count(*) > 1 limit 5
);
(
  select 'detail.event_days' as place, concat_ws(' | ', project_id, date) as offender
  from detail.event_days group by project_id, date having count(*) > 1 limit 5
);
